// What a person does, by keyboard and by mouse, and that the address tells it.

import { readFileSync } from "node:fs";
import { check, equal, open, pictureOf, test } from "./harness.mjs";

const chosen = (tab) => tab.locator("[aria-selected=true]").getAttribute("title");
const focused = (tab) => tab.evaluate(() => document.activeElement.id || document.activeElement.className);
/* What is on the screen: what a key changes is drawn in the next frame. */
const shown = async (tab) => {
  await tab.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  return tab.$$eval("#list [role=option]", (rows) => rows.map((row) => row.title));
};
const addressOf = (tab) => tab.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));

export async function testKeyboard(page) {
  const results = page.report.results.filter((r) => r.point === page.report.results[0].point && r.metric === "throughput");
  await test("keyboard", async () => {
    await open(page, {}, async (tab) => {
      equal("the best is chosen at first", await chosen(tab), results[0].location);
      await tab.keyboard.press("ArrowDown");
      equal("the first arrow leads to the list", await focused(tab), "list");
      await tab.keyboard.press("ArrowDown");
      await tab.keyboard.press("j");
      equal("arrows and j go down", await chosen(tab), results[2].location);
      await tab.keyboard.press("k");
      equal("k goes up", await chosen(tab), results[1].location);
      await tab.keyboard.press("End");
      equal("End goes to the last", await chosen(tab), results.at(-1).location);
      await tab.keyboard.press("Home");
      equal("Home goes to the first", await chosen(tab), results[0].location);
      check("the list names the row that the keys are at", await tab.evaluate(() => document.getElementById(document.getElementById("list").getAttribute("aria-activedescendant"))?.getAttribute("aria-selected") === "true"));
      await tab.keyboard.press("Enter");
      equal("Enter goes to the target", await focused(tab), "detail");
      await tab.keyboard.press("Escape");
      equal("Escape comes back", await focused(tab), "list");

      await tab.keyboard.press("/");
      equal("/ leads to the search", await focused(tab), "search");
      await tab.keyboard.type("checksum p?w");
      equal("letters are text there, and nothing fits", (await addressOf(tab)).search, "checksum p?w");
      await tab.keyboard.press("Escape");
      equal("Escape clears the search", (await shown(tab)).length, results.length);
      await tab.keyboard.press("/");
      await tab.keyboard.type("queue_push");
      equal("search finds functions", (await shown(tab)).sort(), results.filter((r) => r.function === "queue_push").map((r) => r.location).sort());
      await tab.keyboard.press("Enter");
      equal("Enter leads to what was found", await focused(tab), "list");
      await tab.keyboard.press("/");
      await tab.keyboard.press("Escape");

      await tab.keyboard.press("v");
      equal("v filters by verdict", await shown(tab), results.filter((r) => r.verdict === "improves").map((r) => r.location));
      for (let i = 0; i < 4; i++) await tab.keyboard.press("v");
      equal("and comes round", (await shown(tab)).length, results.length);
      await tab.keyboard.press("s");
      await tab.keyboard.press("s");
      equal("s sorts by samples", await shown(tab), [...results].sort((a, b) => b.share - a.share).map((r) => r.location));
      await tab.keyboard.press("s");
      await tab.keyboard.press("s");
      await tab.keyboard.press("g");
      check("g rolls up by function", (await tab.locator(".heading").count()) === new Set(results.map((r) => r.function)).size);
      await tab.keyboard.press("Home");
      await tab.keyboard.press("Enter");
      equal("Enter closes a heading", await tab.locator("#list [role=option]").count(), results.length + new Set(results.map((r) => r.function)).size - results.filter((r) => r.function === results[0].function).length);
      await tab.keyboard.press("g");
      equal("g rolls up by file", await tab.locator(".heading").count(), 1);
      await tab.keyboard.press("g");
      await tab.keyboard.press("w");
      equal("w shows single windows", await tab.isChecked("#singles"), true);
      await tab.keyboard.press("r");
      equal("r shows residuals", [await tab.isChecked("#residuals"), await tab.locator(".residuals").isVisible()], [true, true]);
      await tab.keyboard.press("p");
      equal("p goes to the next progress point", (await addressOf(tab)).metric, "latency");
      check("whose axis says latency", (await tab.textContent(".chart")).includes("latency saved"));
      await tab.keyboard.press("?");
      equal("? lists the keys", await tab.isVisible("dialog"), true);
      await tab.keyboard.press("p");
      await tab.keyboard.press("Escape");
      equal("Escape closes it", await tab.isVisible("dialog"), false);
      equal("keys did nothing behind it", (await addressOf(tab)).metric, "latency");

      const before = await tab.evaluate(() => document.body.innerText);
      await tab.reload();
      await tab.waitForSelector("h1:not(:empty)");
      equal("a reload shows the same", await tab.evaluate(() => document.body.innerText), before);
    });
  });
}

export async function testMouse(page, source) {
  const results = page.report.results.filter((r) => r.point === page.report.results[0].point && r.metric === "throughput");
  await test("mouse", async () => {
    await open(page, {}, async (tab) => {
      await tab.locator("#list [role=option]").nth(2).click();
      equal("a click chooses", await chosen(tab), results[2].location);
      check("the target's title says so", (await tab.textContent(".detail h2")).includes(results[2].location.split("/").pop()));
      const box = await tab.locator(".chart").boundingBox();
      await tab.mouse.move(box.x + box.width - 20, box.y + box.height / 2);
      check("moving over the curve reads it", (await tab.textContent(".readout")).startsWith("Made 100\u202f% faster"), await tab.textContent(".readout"));
      equal("no residuals at first", await tab.locator(".residuals").count(), 0);
      await tab.check("#residuals");
      check("a click shows them", await tab.locator(".residuals").isVisible());
      equal("and it is in the address", (await addressOf(tab)).residuals, "1");
      await tab.uncheck("#residuals");
      equal("and hides them", await tab.locator(".residuals").isVisible(), false);
      await tab.selectOption("#verdict", "harmful");
      equal("verdicts are chosen", await shown(tab), results.filter((r) => r.verdict === "harmful").map((r) => r.location));
      await tab.selectOption("#verdict", "");
      await tab.check("#sure");
      equal("certainty is", await shown(tab), results.filter((r) => r.to_5_points === 0).map((r) => r.location));
      await tab.uncheck("#sure");
      await tab.selectOption("#sort", "name");
      equal("order is", (await shown(tab))[0], results.map((r) => r.location).sort()[0]);
      await tab.selectOption("#sort", "rank");
      await tab.selectOption("#group", "function");
      await tab.locator(".heading").first().click();
      check("a heading closes", (await tab.locator(".heading").first().locator(".said").textContent()).endsWith("closed"));
      await tab.selectOption("#group", "none");
      const bracketed = await tab.$$eval(".bracket.start, .bracket.middle, .bracket.end", (all) => all.map((one) => one.parentElement.title));
      const counts = results.map((r) => results.filter((s) => s.group !== null && s.group === r.group).length);
      equal("those that cannot be told apart are bracketed", bracketed, results.filter((_, i) => counts[i] > 1).map((r) => r.location));

      await tab.locator("#list [role=option]").first().click();
      const line = (number) => tab.locator(`.source tr[data-line="${number}"]`);
      equal("the source stands there", (await line(88).locator("code").textContent()).trim(), source.split("\n")[87].trim());
      check("in colours", (await tab.locator(".code-keyword").count()) > 3);
      const harmful = results.filter((r) => r.verdict === "harmful").map((r) => Number(r.location.split(":").pop()));
      check("there is harm in the test's profile", harmful.length > 0);
      equal("with the impact", await line(88).locator(".of-impact").textContent(), await tab.locator("#list .impact").first().textContent());
      const marked = await tab.$$eval(".of-impact", (all) => all.filter((one) => one.textContent.startsWith("\u25bc")).map((one) => Number(one.parentElement.dataset.line)));
      equal("harm is marked in it", marked, harmful);
      await line(91).locator("button").click();
      equal("its lines lead to targets", await chosen(tab), results.find((r) => r.location.endsWith(":91")).location);
      equal("who calls it stands below, the most frequent way first", await tab.locator(".stacks > li p").allTextContents(), ["75\u202f% of its samples", "25\u202f% of its samples"]);
      equal("what was inlined is told", await tab.locator(".stacks > li").nth(1).locator("li").first().textContent(), "serve_request at worker.c:91, inlined");
      await tab.locator(".callers").scrollIntoViewIfNeeded();
      await tab.locator(".callers").screenshot({ path: pictureOf("callers") });
      await tab.locator(".frames button").first().click();
      equal("a caller's line leads to it", await chosen(tab), results.find((r) => r.location.endsWith(":41")).location);
      await line(91).locator("button").click();
      await tab.locator(".points button").nth(1).click();
      equal("buttons choose the progress point", await tab.locator(".points button").nth(1).getAttribute("aria-pressed"), "true");
      await tab.locator(".card").first().click();
      equal("so do the other curves", await tab.locator(".points button").first().getAttribute("aria-pressed"), "true");
      const [run] = page.report.runs, piece = page.report.tried.findLast(({ location }) => location !== results[0].location);
      await tab.locator(".strip").scrollIntoViewIfNeeded();
      const strip = await tab.locator(".strip").boundingBox(), at = (piece.began + piece.lasted / 2) / Math.max(run.runtime, run.tried);
      await tab.mouse.move(strip.x + at * strip.width, strip.y + 9);
      check("the strip says what was tried when", (await tab.textContent(".strip title")).startsWith(piece.location), await tab.textContent(".strip title"));
      await tab.mouse.down();
      await tab.mouse.up();
      equal("and chooses it", (await addressOf(tab)).target, "line " + piece.location);
      check("all of its pieces are marked", (await tab.getAttribute(".strip .chosen", "d")).split("M").length - 1 === page.report.tried.filter(({ location }) => location === piece.location).length);
      await tab.locator("#keys").click();
      equal("the keys can be seen", await tab.isVisible("dialog"), true);
    });
  });
}

/** Rows that stay in view are not made anew. */
export async function testRowsStay(page) {
  await test("rows that stay", async () => {
    await open(page, {}, async (tab) => {
      await tab.waitForFunction(() => document.querySelectorAll("#list [role=option]").length > 10);
      for (const [what, top, least] of [["down", 200, 10], ["and up", 100, 10], ["far away", 5000, 0], ["and back", 4950, 10]]) {
        const { kept, again, shown, inOrder } = await tab.evaluate(async (top) => {
          const list = document.getElementById("list"), rows = () => [...list.querySelectorAll("[role=option]")];
          const placeOf = (row) => row.getAttribute("aria-posinset"), before = new Map(rows().map((row) => [row, placeOf(row)]));
          list.scrollTop = top;
          await new Promise((done) => setTimeout(done, 400)); // it has come to rest
          const now = rows(), view = list.getBoundingClientRect();
          const seen = now.filter((row) => { const at = row.getBoundingClientRect(); return at.bottom > view.top && at.top < view.bottom; });
          return { kept: now.filter((row) => before.get(row) === placeOf(row)).length, again: now.filter((row) => before.has(row)).length, shown: seen.length * seen[0].offsetHeight >= list.clientHeight,
            inOrder: now.every((row, i) => Number(row.getAttribute("aria-posinset")) === Number(now[0].getAttribute("aria-posinset")) + i) };
        }, top);
        check(`${what}: rows are kept`, least > 0 ? kept >= least : kept === 0, kept);
        check(`${what}: those that went are filled anew`, again > 10, again);
        equal(`${what}: the view is full, and in order`, [shown, inOrder], [true, true]);
      }
      const before = await tab.evaluateHandle(() => [...document.querySelectorAll("#list [role=option]")]);
      await tab.locator("#list [role=option]").nth(8).click();
      check("choosing makes none anew", await tab.evaluate((rows) => rows.filter((row) => row.isConnected).length > 10, before));
      equal("and one is chosen", await tab.locator("#list .selected").count(), 1);
    });
  });
}

async function saved(tab, button) {
  const [download] = await Promise.all([tab.waitForEvent("download"), tab.click(button)]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

export async function testFiles(page) {
  await test("files to keep", async () => {
    await open(page, {}, async (tab) => {
      const picture = await saved(tab, "#save-svg");
      check("an SVG by name", /^coz-.*\.svg$/.test(picture.name), picture.name);
      const text = picture.bytes.toString();
      check("an SVG with its curve, looks and title", text.startsWith("<svg") && /<polyline[^>]*stroke="rgb/.test(text) && text.includes(">Making "), text.slice(0, 200));
      const image = (await saved(tab, "#save-png")).bytes;
      equal("a PNG", image.subarray(1, 4).toString(), "PNG");
      equal("of twice 960 pixels", image.readUInt32BE(16), 1920);
      await tab.selectOption("#verdict", "improves");
      const list = (await saved(tab, "#save-csv")).bytes.toString().trimEnd().split("\n");
      const improves = page.report.results.filter((r) => r.metric === "throughput" && r.point === page.report.results[0].point && r.verdict === "improves");
      equal("a CSV of what is shown", list.length, improves.length + 1);
      improves.forEach((r, i) => check(`its line ${i + 1}`, list[i + 1].endsWith(`${r.samples},${r.share},"${r.verdict}",${r.impact},${r.low},${r.high}`), list[i + 1]));
    });
  });
}
