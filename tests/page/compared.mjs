// Two profiles of one program, before and after: from a file, and from a server.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, coz, equal, folder, goTo, open, picture, test } from "./harness.mjs";
import { testAccess } from "./looks.mjs";
import { between, percent } from "./numbers.mjs";
import { fewTargets, profileLines } from "./profile.mjs";
import { isThere, serve, until } from "./served.mjs";

const source = "/srv/app/worker.c", points = [{ name: "request", metric: "throughput" }, { name: "request", metric: "latency" }];
const signed = (value) => (value > 0 ? "+" : "") + percent(value).replace("\u202f%", "") + " points";

/** Line 88 was worth more, 91 was called 90, and 20 was not tried. */
const before = fewTargets(source).filter(({ location }) => !location.endsWith(":20"))
  .map((target) => (target.location.endsWith(":88") ? { ...target, saved: 0.7 } : target));
const write = (name, targets, options) => {
  const path = join(folder, name);
  writeFileSync(path, profileLines({ targets, points, ...options }).join("\n") + "\n");
  return path;
};

/** What the section says, row by row. */
const rowsOf = (tab) => tab.$$eval("#compared tbody tr", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));

/** The same by the numbers of the JSON. */
const rowsWanted = (tree, metric) => tree.targets.filter((one) => one.metric === metric && one.before && one.after).map((one) => [
  one.after.location.split("/").pop(), percent(one.before.impact), percent(one.after.impact), one.change === null ? "unknown" : signed(one.change), between(one.low, one.high), one.verdict]);

export async function testCompared() {
  const older = write("older.jsonl", before, { seed: 11, windowNs: 110e6 }), newer = write("newer.jsonl", fewTargets(source), {});
  const html = join(folder, "compared.html");
  const tree = JSON.parse(spawnSync(coz, ["compare", "--format", "json", "--top", "0", "--all", older, newer], { encoding: "utf8", maxBuffer: 1 << 28 }).stdout);
  const changed = tree.targets.find((one) => one.verdict === "changed" && one.metric === "throughput");
  await test("before and after, in a file", async () => {
    const made = spawnSync(coz, ["compare", "--format", "html", "--all", "-o", html, older, newer], { encoding: "utf8" });
    equal("it is made", made.status, 0);
    check("a change was planted, and is found", changed?.after.location === `${source}:88` && changed.change < -0.15, changed);
    await open({ url: pathToFileURL(html).href }, {}, async (tab) => {
      equal("each target, before and after, as in the JSON", await rowsOf(tab), rowsWanted(tree, "throughput"));
      check("which profiles these are", (await tab.textContent("#compared .sides")).includes("older.jsonl: 1 run"));
      equal("a sentence for each rate", await tab.locator("#compared .rates li").count(), 2);
      check("what was not tried before is named", (await tab.textContent("#compared")).includes("Tried after only: worker.c:20") === (tree.targets.find((one) => !one.before)?.after.impact !== null));
      check("the list marks what changed", (await tab.locator(`#list [role=option][title$=":88"] .place`).textContent()).startsWith(`${signed(changed.change)} since before`));
      check("beside the curve it is said", (await tab.textContent(".detail .changed")).startsWith(`Its impact changed by ${signed(changed.change)} (${between(changed.low, changed.high)})`));
      const [line, dots] = await tab.$$eval(".chart .before polyline, .chart .dot", (all) => [all[0].getAttribute("points").split(" ").map((at) => at.split(",").map(Number)), all.slice(1).map((dot) => [Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy"))])]);
      check("the older curve is drawn at the same speedups", line.length === dots.length + 1 && dots.every(([x], i) => Math.abs(line[i + 1][0] - x) < 0.2), [line, dots]);
      check("and above the newer one, for it was worth more", line[4][1] < dots[3][1]);
      await testAccess(tab, "compared");
      await picture(tab, "compared", { fullPage: true });
      await tab.locator("#compared tbody button").nth(1).focus();
      await tab.keyboard.press("Enter");
      equal("a row leads to its target", await tab.locator("[aria-selected=true]").getAttribute("title"), (await tab.locator("#compared tbody button").nth(1).getAttribute("title")));
      await goTo(tab, { point: "request", metric: "latency" });
      equal("for each progress point its own", await rowsOf(tab), rowsWanted(tree, "latency"));
    });
    await open({ url: pathToFileURL(html).href }, { width: 400, colorScheme: "dark" }, async (tab) => {
      equal("nothing is wider than a small screen", await tab.evaluate(() => document.documentElement.scrollWidth), 400);
      await picture(tab, "compared-400", { fullPage: true });
    });
    const alone = spawnSync(coz, ["report", "--format", "html", "-o", html, newer], { encoding: "utf8" });
    equal("one profile alone", alone.status, 0);
    await open({ url: pathToFileURL(html).href }, {}, async (tab) => {
      check("has nothing beside it", await tab.locator("#compared").isHidden());
      check("nor a mark", !("compared" in JSON.parse(await tab.textContent("#data"))) && (await tab.locator(".detail .changed").count()) === 0);
    });
  });
  if (!isThere) return;
  await test("before and after, from a server", async () => {
    await serve([older, newer], async ({ url, origin }) => {
      await open({ url: url.replace("/1/", "/2/") }, { offline: false, served: origin }, async (tab) => {
        await tab.waitForSelector("#beside:visible");
        equal("the other profile is offered", await tab.$$eval("#beside option", (all) => all.map((one) => one.textContent)), ["nothing", "older.jsonl"]);
        check("nothing is beside it yet", await tab.locator("#compared").isHidden());
        await tab.selectOption("#beside", "1");
        await until(tab, "the comparison is shown", () => document.querySelectorAll("#compared tbody tr").length > 0);
        equal("by the same numbers", await rowsOf(tab), rowsWanted(tree, "throughput"));
        check("the address says so", tab.url().includes("with=1"));
        await testAccess(tab, "compared, served");
        await tab.reload();
        await until(tab, "and a reload shows it again", () => document.querySelectorAll("#compared tbody tr").length > 0);
        await tab.selectOption("#beside", "0");
        await until(tab, "and it can be put away", () => document.getElementById("compared").hidden);
      });
    });
  });
}
