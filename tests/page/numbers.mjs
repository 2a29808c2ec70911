// Every number in the document is one of --format json, rounded as it says here and not as the page does it.

import { check, equal, open, test } from "./harness.mjs";

const rounded = (value) => {
  const size = Math.abs(100 * value), text = size.toFixed(size < 9.95 ? 1 : 0);
  return (value < 0 && Number(text) !== 0 ? "\u2212" : "") + text;
};
const percent = (value) => rounded(value) + "\u202f%";
const share = (value) => (value > 0 && value < 0.0005 ? "<\u202f0.1\u202f%" : percent(value));
const between = (low, high) => `${rounded(low)} to ${rounded(high)}`;

/** All rows of the list, scrolled through from top to bottom. */
async function readRows(tab) {
  return tab.evaluate(async () => {
    const box = document.getElementById("list"), rows = new Map();
    for (let top = 0; ; top += box.clientHeight / 2) {
      box.scrollTop = top;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      for (const row of box.querySelectorAll("[role=option]"))
        rows.set(row.getAttribute("aria-posinset"), { title: row.title, rank: row.querySelector(".rank").textContent, impact: row.querySelector(".impact").textContent,
          interval: row.querySelector(".interval").textContent, share: row.querySelector(".figure").textContent, verdict: row.querySelector(".verdict").textContent, spoken: row.querySelector(".said").textContent });
      if (top + box.clientHeight >= box.scrollHeight) break;
    }
    return [...rows.values()];
  });
}

const pointsOf = (report) => [...new Map(report.results.map((r) => [r.metric + r.point, r])).values()];

export async function testNumbers(title, page) {
  await test(`numbers of ${title}`, async () => {
    for (const { point, metric } of pointsOf(page.report)) {
      const results = page.report.results.filter((r) => r.point === point && r.metric === metric);
      await open(page, { hash: "#" + new URLSearchParams({ point, metric }) }, async (tab) => {
        const rows = await readRows(tab);
        equal(`rows for ${metric} ${point}`, rows.length, results.length);
        results.forEach((result, i) => {
          const known = result.impact !== null, row = rows[i];
          equal(`row ${i}`, [row.title, row.rank, row.impact, row.interval, row.share, row.verdict.replace("\u25bc ", "")],
            [result.location, String(i + 1), known ? percent(result.impact) : "\u2013", known ? between(result.low, result.high) : "", share(result.share), result.verdict]);
          check(`row ${i} says its verdict`, row.spoken.includes(result.verdict), row.spoken);
        });
        const facts = await tab.textContent(".facts-line");
        for (const [what, words] of [["windows", `${page.report.windows.toLocaleString("en")} window`], ["samples", `${page.report.samples.toLocaleString("en")} sample`],
          ["control", percent(page.report.control_spread)]]) check(what, facts.includes(words), facts);
      });
    }
  });
}

/** What is said at each point of the curve, gone along with the keys. */
async function readCurve(tab, points) {
  return tab.evaluate((count) => {
    const chart = document.querySelector(".chart"), press = (key) => chart.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    press("Home");
    return Array.from({ length: count }, () => {
      const said = { shown: document.querySelector(".readout").textContent, spoken: chart.getAttribute("aria-valuetext") };
      press("ArrowRight");
      return said;
    });
  }, points);
}

/** The curve of each target, point by point, and what stands beside it. */
export async function testCurves(page) {
  await test("numbers of curves", async () => {
    await open(page, { width: 1200, height: 700 }, async (tab) => {
      for (const result of page.report.results) {
        await tab.evaluate(async (hash) => {
          const done = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
          location.hash = hash;
          await done;
        }, String(new URLSearchParams({ singles: "1", point: result.point, metric: result.metric, target: `${result.kind} ${result.location}` })));
        const about = `${result.metric} ${result.point} ${result.location}`;
        const facts = await tab.$$eval(".facts dd", (all) => all.map((one) => one.textContent));
        equal(`facts of ${about}`, facts.slice(0, 3), [result.impact === null ? "not known yet" : `${percent(result.impact)} (${between(result.low, result.high)})`,
          `${share(result.share)} (${result.samples.toLocaleString("en")})`, result.verdict]);
        if (result.curve.length === 0) {
          equal(`no curve of ${about}`, await tab.locator(".chart").count(), 0);
          continue;
        }
        const read = await readCurve(tab, result.curve.length);
        result.curve.forEach((point, i) => {
          const costs = point.effect < 0, bounds = costs ? between(-point.high, -point.low) : between(point.low, point.high);
          const wanted = `Made ${rounded(Math.abs(point.speedup))}\u202f% ${point.speedup < 0 ? "slower" : "faster"}: ${costs ? "costs" : "saves"} ${percent(Math.abs(point.effect))} (${bounds}). ${point.windows} window${point.windows === 1 ? "" : "s"}.`;
          equal(`curve of ${about} at ${point.speedup}`, read[i].shown, wanted);
          check("and it is spoken", read[i].spoken.includes(`(${bounds})`), read[i].spoken);
        });
        equal(`single windows of ${about}`, await tab.locator(".singles circle").count(), result.singles.length / 2);
      }
    });
  });
}
