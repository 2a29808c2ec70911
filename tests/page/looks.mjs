// Light, dark, forced colours, narrow and wide, on paper; for whoever cannot see it; and with names that mean harm.

import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { check, equal, goTo, makePage, open, picture, test } from "./harness.mjs";
import { profileLines } from "./profile.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The whole page, or that `part` of it where what is beside it was tested in the same look. Where nothing but `colours`
 * is different from what was tested, only what depends on them. */
export async function testAccess(tab, what, { part = null, colours = false } = {}) {
  if (!(await tab.evaluate(() => "axe" in globalThis))) await tab.evaluate(axe);
  const options = { resultTypes: ["violations"], ...(colours ? { runOnly: ["color-contrast", "link-in-text-block"] } : {}) };
  const { violations } = await tab.evaluate(([part, options]) => globalThis.axe.run(part ?? document, options), [part, options]);
  equal(`axe finds nothing: ${what}`, violations.map((one) => [one.id, one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))]), []);
}

const isWide = (tab) => tab.evaluate(() => document.documentElement.scrollWidth > innerWidth);

const LOOKS = { light: { colorScheme: "light", forcedColors: "none" }, dark: { colorScheme: "dark", forcedColors: "none" }, forced: { colorScheme: "light", forcedColors: "active" } };

/** Targets that do harm and that have a kink, where they are marked. */
async function testMarks(tab, page, look, width) {
  for (const what of ["harmful", "kink"]) {
    const { kind, location } = page.report.results.find((r) => (what === "kink" ? r.kink?.shown : r.verdict === what)), title = `${what}-${look}-${width}`;
    await goTo(tab, { target: `${kind} ${location}`, open: "1", residuals: "1" });
    await testAccess(tab, title, { part: "#detail", colours: look !== "light" });
    equal(`nothing is cut: ${title}`, await isWide(tab), false);
    check(`it is marked: ${title}`, await tab.locator(what === "kink" ? ".kink" : ".loss").isVisible());
    await picture(tab, title, { fullPage: width === 400 });
  }
}

async function testForced(tab) {
  check("the curve has a colour of the system", await tab.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("a"));
    probe.style.color = "LinkText";
    const wanted = getComputedStyle(probe).color;
    probe.remove();
    return getComputedStyle(document.querySelector(".large .curve")).stroke === wanted;
  }));
  check("bars are seen", await tab.evaluate(() => {
    const colour = (selector) => getComputedStyle(document.querySelector(selector)).backgroundColor;
    return colour("#list .share") !== colour("#list .share-bar") && colour("#list .bar") !== colour("body");
  }));
}

export async function testLooks(page, many) {
  await test("looks", async () => {
    const papers = new Set();
    await open(page, {}, async (tab) => {
      for (const [look, media] of Object.entries(LOOKS)) {
        await tab.emulateMedia(media);
        await goTo(tab, { singles: "1", residuals: "1" });
        papers.add(await tab.evaluate(() => getComputedStyle(document.body).backgroundColor));
        await testAccess(tab, look, { colours: look !== "light" });
        await picture(tab, look);
        if (look === "forced") await testForced(tab);
        await testMarks(tab, page, look, 1600);
      }
      equal("dark is not light", papers.size >= 2, true);
      await tab.setViewportSize({ width: 400, height: 860 });
      for (const look of ["light", "dark"]) {
        await tab.emulateMedia(LOOKS[look]);
        await testMarks(tab, page, look, 400);
      }
    });
    for (const [one, name, widths] of [[page, "few", [400, 1200, 1600, 3840]], [many, "many", [400, 1600]]])
      await open(one, {}, async (tab) => {
        for (const width of widths) {
          await tab.setViewportSize({ width, height: width === 400 ? 860 : 1000 });
          equal(`nothing is cut at ${width} pixels`, await isWide(tab), false);
          await picture(tab, `${name}-${width}`);
        }
        if (one !== many) return;
        await goTo(tab, { group: "file" });
        await testAccess(tab, "rolled up", { part: ".targets" });
        await tab.keyboard.press("?");
        await testAccess(tab, "keys", { part: "#help" });
        await tab.keyboard.press("Escape");
        await goTo(tab, {});
        await tab.emulateMedia({ media: "print" });
        const printed = await tab.pdf();
        check("on paper: more than what fits a screen", printed.toString("latin1").match(/\/Type\s*\/Page\b/g).length > 2);
      });
    await open(page, { width: 400, height: 860 }, async (tab) => {
      equal("narrow: the list alone at first", await tab.isVisible("#detail"), false);
      await tab.locator("#list [role=option]").nth(1).click();
      equal("then the target alone", [await tab.isVisible("#detail"), await tab.isVisible("#list")], [true, false]);
      equal("nothing of it is cut", await isWide(tab), false);
      await testAccess(tab, "narrow");
      await picture(tab, "narrow-target", { fullPage: true });
      await tab.goBack();
      equal("the browser's back leads to the list", await tab.isVisible("#list"), true);
      await testAccess(tab, "narrow list");
      await tab.keyboard.press("Enter");
      await tab.locator(".back").click();
      equal("so does the button", await tab.isVisible("#list"), true);
    });
  });
}

export async function testSize(page) {
  await test("size", async () => {
    const text = page.text.toString(), [, style] = text.match(/<style>([^]*?)<\/style>/), script = text.match(/<script>([^]*)<\/script>/)[1];
    const size = gzipSync(style + script, { level: 9 }).length;
    check("script and style are at most 60 KB when compressed", size <= 60 * 1024, size);
  });
}

export async function testHostile() {
  await test("hostile names", async () => {
    const names = ["/src/</script><script>globalThis.harmed=1</script>.c:1", "/src/<img src=x onerror=globalThis.harmed=1>.c:2", "/src/\u202egnp.c:3", "/src/\u0001\u001b[31m\u2028.c:4", `/src/${"long/".repeat(800)}end.c:5`,
      "/src/=HYPERLINK(\"x\").c:6", "/src/{{7*7}}${7*7}.c:7"];
    const lines = profileLines({ targets: names.map((location, i) => ({ location, saved: 0.1 * (i + 1), function: "<b>f</b>" })), points: [{ name: "</title><script>globalThis.harmed=1</script>", metric: "throughput" }, { name: "javascript:globalThis.harmed=1", metric: "latency" }], program: "/bin/<script>globalThis.harmed=1</script>" }).map((line) => Buffer.from(line));
    lines.push(Buffer.from('{"type":"samples","location":"/src/\xff\xfe.c:8","count":9000,"function":"\xf0\x28"}', "latin1"));
    const page = makePage("hostile", lines);
    await open(page, { refusals: true }, async (tab) => {
      for (const width of [1600, 400]) {
        await tab.setViewportSize({ width, height: 1000 });
        for (const { location } of page.report.results.slice(0, 7)) await goTo(tab, { target: "line " + location });
        equal("nothing ran", await tab.evaluate(() => globalThis.harmed), undefined);
        equal("two scripts and no picture", await tab.evaluate(() => [document.scripts.length, document.images.length]), [2, 0]);
        equal("no markup of theirs", await tab.locator("b b, main script, li b b").count(), 0);
        equal("nothing is cut", await isWide(tab), false);
        check("what turns text is shown", (await tab.innerText("body")).includes("\u2039202e\u203a") || width === 400);
        await testAccess(tab, "hostile names");
        await picture(tab, `hostile-${width}`);
        const refused = await tab.evaluate(() => {
          try {
            document.body.innerHTML = "<i>x</i>";
            return false;
          } catch {
            return true;
          }
        });
        equal("no text can be made markup", refused, true);
      }
    });
  });
}

export async function testSources(page, source) {
  await test("sources", async () => {
    const target = { hash: "#" + new URLSearchParams({ target: `line ${source}:88` }) }, text = readFileSync(source);
    const lines = readFileSync(page.html.replace(".html", ".jsonl")).toString().trimEnd().split("\n");
    const older = lines.filter((line) => JSON.parse(line).type !== "source"); // told of sources in no version before
    const told = (title, from) => {
      let words;
      return open(makePage(title, from), target, async (tab) => { words = await tab.textContent(".source"); }).then(() => words);
    };
    check("a file as it was is taken so", !(await told("same", lines)).includes("profiled"));
    utimesSync(source, new Date(), new Date(4e12));
    check("one that was only touched, too", !(await told("touched", lines)).includes("profiled"));
    check("but not where nothing but the time tells", (await told("later", older)).includes("changed after the run began"));
    writeFileSync(source, text.toString().replace("queue", "Queue"));
    utimesSync(source, new Date(1.6e12), new Date(1.6e12));
    check("one that was changed is told, whatever the time says", (await told("changed", lines)).includes("no longer what it was"));
    check("which nothing but its content tells", !(await told("unseen", older)).includes("profiled"));
    writeFileSync(source, text);
    utimesSync(source, new Date(1.6e12), new Date(1.6e12));
    const without = makePage("without", lines, ["--no-source"]);
    check("no source when none is wanted", !without.text.includes("evaluate_row"));
    await open(without, target, async (tab) => check("and it says so", (await tab.textContent(".source")).includes("does not hold this source")));
  });
}

export async function testEmpty() {
  await test("nothing to show", async () => {
    for (const [title, lines] of [["nothing", []], ["no-points", profileLines({ targets: [{ location: "/a.c:1" }], points: [] })]])
      await open(makePage(title, lines), {}, async (tab) => {
        check("it says that there is no answer", (await tab.textContent("h1")).startsWith("There is no answer yet"));
        await testAccess(tab, title);
      });
    const lines = profileLines({ targets: [{ location: "/a.c:1", blocks: 1 }, { location: "run", kind: "function", blocks: 4, saved: 0.3 }] });
    await open(makePage("kinds", lines), {}, async (tab) => {
      await tab.selectOption("#kind", "function");
      equal("kinds are chosen", await tab.locator("#list [role=option]").count(), 1);
    });
  });
}
