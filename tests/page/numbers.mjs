// Every number in the document is one of --format json, rounded as it says here and not as the page does it.

import { check, equal, goTo, open, pictureOf, test } from "./harness.mjs";

export const rounded = (value) => {
  const size = Math.abs(100 * value), text = size.toFixed(size < 9.95 ? 1 : 0);
  return (value < 0 && Number(text) !== 0 ? "\u2212" : "") + text;
};
export const percent = (value) => rounded(value) + "\u202f%";
const share = (value) => (value > 0 && value < 0.0005 ? "<\u202f0.1\u202f%" : percent(value));
export const between = (low, high) => `${rounded(low)} to ${rounded(high)}`;

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

/** So much run time, in words. */
const time = (ns) => (ns < 10e9 ? `${(ns / 1e9).toFixed(1)} s` : ns < 120e9 ? `${(ns / 1e9).toFixed(0)} s` : ns < 7200e9 ? `${Math.round(ns / 60e9)} min` : `${(ns / 3600e9).toFixed(1)} h`);

/** The sentence on top, where something is shown to help, and how sure that is. */
async function testHeadline(tab, best, about) {
  const nearest = best.curve.filter((point) => point.speedup > 0).sort((a, b) => Math.abs(a.speedup - 0.5) - Math.abs(b.speedup - 0.5))[0];
  const title = await tab.textContent("#answer"), sure = await tab.textContent(".sure");
  if (best.verdict === "improves") {
    const words = `${rounded(nearest.speedup)}\u202f% faster ${nearest.effect < 0 ? "costs" : "saves"} ${percent(Math.abs(nearest.effect))}`;
    check(`the sentence on top: ${about}`, title.includes(words) && title.includes(`(${nearest.effect < 0 ? between(-nearest.high, -nearest.low) : between(nearest.low, nearest.high)})`), title);
  }
  if (best.impact !== null)
    equal(`how sure: ${about}`, sure, best.to_5_points === null ? "A longer run hardly narrows this interval." : best.to_5_points === 0 ? "Its impact is known to 5 points either way." : `About ${time(best.to_5_points)} more of run time to know it to 5 points either way.`);
}

/** Where the samples fell, by function and by file: ten of each. */
async function testSums(tab, report) {
  const shown = await tab.$$eval(".sums li .figure", (all) => all.map((one) => one.textContent));
  equal("where the samples fell", shown, [...report.functions.slice(0, 10), ...report.files.slice(0, 10)].map((sum) => percent(sum.share)));
}

/** Beside each line of the source that was tried: its share of the samples, and its impact. */
async function testGutter(tab, result, results) {
  const path = result.location.slice(0, result.location.lastIndexOf(":"));
  const rows = await tab.$$eval(".source tbody tr.tried", (all) => all.map((row) => [row.dataset.line, row.querySelector(".of-samples").textContent, row.querySelector(".of-impact").textContent]));
  for (const [line, samples, impact] of rows) {
    const tried = results.find((one) => one.kind === "line" && one.location === `${path}:${line}`);
    equal(`line ${line} of the source`, [samples, impact.replace("\u25bc ", "")], [tried.share >= 0.0005 ? rounded(tried.share) : "", tried.impact === null ? "" : percent(tried.impact)]);
  }
}

/** Who calls the target, by which lines. */
async function testCallers(tab, result, about) {
  const name = (path) => path.slice(path.lastIndexOf("/") + 1), stacks = result.stacks.some(({ frames }) => frames.length > 1) ? result.stacks : [];
  const shown = await tab.$$eval(".stacks > li", (all) => all.map((stack) => [stack.querySelector("p").textContent, ...[...stack.querySelectorAll("ol > li")].map((frame) => frame.textContent)]));
  equal(`callers of ${about}`, shown, stacks.map((stack) => [`${percent(stack.share)} of its samples`,
    ...stack.frames.map((frame) => `${frame.function ?? "a function without a name"}${frame.place ? ` at ${name(frame.place)}` : ""}${frame.inlined ? ", inlined" : ""}`)]));
  return stacks.length;
}

const pointsOf = (report) => [...new Map(report.results.map((r) => [r.metric + r.point, r])).values()];

export async function testNumbers(title, page) {
  await test(`numbers of ${title}`, () => open(page, {}, async (tab) => {
    const facts = await tab.textContent(".facts-line"), { windows, samples, control_spread } = page.report;
    for (const [what, words] of [["windows", `${windows.toLocaleString("en")} window`], ["samples", samples > 0 ? `${samples.toLocaleString("en")} sample` : ""], ["control", control_spread === null ? "" : percent(Math.expm1(control_spread))]])
      check(what, facts.includes(words), facts);
    await testSums(tab, page.report);
    for (const { point, metric } of pointsOf(page.report)) {
      const results = page.report.results.filter((r) => r.point === point && r.metric === metric);
      await goTo(tab, { point, metric });
      await testHeadline(tab, results[0], `${metric} ${point}`);
      const rows = await readRows(tab);
      equal(`rows for ${metric} ${point}`, rows.length, results.length);
      results.forEach((result, i) => {
        const known = result.impact !== null, row = rows[i];
        equal(`row ${i}`, [row.title, row.rank, row.impact, row.interval, row.share, row.verdict.replace("\u25bc ", "")],
          [result.location, String(i + 1), known ? percent(result.impact) : "\u2013", known ? between(result.low, result.high) : "", result.share === null ? "\u2013" : share(result.share), result.verdict]);
        check(`row ${i} says its verdict`, row.spoken.includes(result.verdict), row.spoken);
      });
    }
  }));
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

/** Each window less the curve: above the line where it saved more. */
async function testResiduals(tab, result, about) {
  const circles = await tab.$$eval(".beneath .residuals circle", (all) => all.map((one) => Number(one.getAttribute("cy"))));
  equal(`residuals of ${about}`, circles.length, result.residuals.filter((residual) => residual !== null).length);
  equal("as many as windows", result.residuals.length, result.singles.length / 2);
  if (circles.length === 0) return;
  const zero = Number(await tab.locator(".beneath .zero").getAttribute("y1"));
  check("each on its side of the line", result.residuals.every((residual, i) => Math.abs(residual) < 0.003 || residual > 0 === circles[i] < zero));
  // A window is what the curve says there and its residual, but for what the run has less of the target than its windows.
  const at = (speedup) => result.curve.find((point) => point.speedup === speedup).effect;
  check("they are windows less the curve", result.residuals.every((residual, i) => Math.abs(at(result.singles[2 * i]) + residual - result.singles[2 * i + 1]) < 0.02));
}

const rate = (value) => (value < 0 ? "\u2212" : "") + Math.abs(value).toFixed(2);

async function testKink(tab, result, about) {
  const { kink } = result;
  equal(`a kink is marked where one is shown: ${about}`, await tab.locator(".chart .kink").count(), kink?.shown ? 1 : 0);
  if (!kink) return;
  const words = await tab.textContent(".kink-words");
  check(`its change: ${about}`, words.includes(`${rate(kink.change)}, ${rate(kink.low)} to ${rate(kink.high)}`), words);
  const side = (saved) => `${saved < 0 ? "costs" : "saves"} ${rate(Math.abs(saved))}\u202f%`;
  if (kink.shown) check("and its slopes", words.includes(`made slower it ${side(-kink.slower)}`) && words.includes(`made faster it ${side(kink.faster)}`), words);
}

/** The machine, its load, and what was stolen when. */
export async function testRuns(page) {
  await test("numbers of runs", async () => {
    const { runs, tried } = page.report, [run] = runs;
    await open(page, {}, async (tab) => {
      const load = [`load ${run.load.toFixed(1)} before`, `others took ${percent(run.others)}`, `${percent(run.stolen)} was stolen`];
      const machine = await tab.textContent(".machine"), about = await tab.textContent(".run p");
      for (const words of [`${run.allowed} of ${run.cores} cores`, run.model, ...load]) check("the machine above", machine.includes(words), machine);
      for (const words of [...load, `${run.discarded} thrown away`, `at most ${percent(Math.max(...run.slices.shares))} of `]) check("the run", about.includes(words), about);
      const said = await tab.locator(".run .remarks").first().locator("li").allTextContents();
      equal("what was said of the run", said.map((line) => line.slice(line.indexOf(": ") + 2)), run.remarks.map(({ text, remedy }) => (remedy ? `${text} ${remedy}` : text)));
      check("and when", run.remarks.length === 2 && said[0].startsWith("At the start: ") && said[1].startsWith("After "), said.join(" "));
      check("some was stolen, in the test's profile", run.discarded > 0 && Math.max(...run.slices.shares) > 0.1);
      const drawn = await tab.$$eval(".strip .even, .strip .odd", (all) => all.map((one) => [...one.getAttribute("d").matchAll(/M(\d+) 0H(\d+)V/g)].map(([, from, to]) => [Number(from), Number(to)])));
      const part = (value) => Math.round((1e5 * value) / Math.max(run.runtime, run.tried));
      const wanted = tried.map(({ began, lasted }) => [part(began), part(began + lasted)]);
      equal("pieces lie where they were", drawn, [wanted.filter((_, i) => i % 2 === 0), wanted.filter((_, i) => i % 2 === 1)]);
      await tab.locator(".runs").scrollIntoViewIfNeeded();
      await tab.locator(".runs").screenshot({ path: pictureOf("runs") });
      equal("a bar for each slice that was stolen from", await tab.locator(".stolen").count(), run.slices.shares.filter((share) => share > 0).length);
    });
  });
}

/** What units took and what is saved of it, at each speedup. */
async function testUnits(tab, result, about) {
  const rows = await tab.$$eval(".units tbody tr", (all) => all.map((row) => [...row.children].map((one) => one.textContent)));
  const briefly = (ns) => [[1e3, 1, "ns"], [1e6, 1e3, "\u00b5s"], [1e9, 1e6, "ms"], [Infinity, 1e9, "s"]].filter(([most]) => ns < most).map(([, size, unit]) => (ns / size).toFixed(ns / size < 10 ? 2 : ns / size < 100 ? 1 : 0) + "\u202f" + unit)[0];
  const cell = ({ time: ns, effect, low, high }) => (ns === null ? "\u2013" : briefly(ns) + (effect === null ? "" : `, saves ${rounded(effect)} (${between(low, high)})`));
  equal(`units of ${about}`, rows, result.units.map((at) => [percent(at.speedup), ...at.quantiles.map(cell), at.units.toLocaleString("en")]));
}

/** The curve of each target, point by point, and what stands beside it. */
export async function testCurves(title, page) {
  await test(`numbers of curves of ${title}`, async () => {
    await open(page, { width: 1200, height: 700 }, async (tab) => {
      for (const result of page.report.results) {
        await goTo(tab, { singles: "1", residuals: "1", point: result.point, metric: result.metric, target: `${result.kind} ${result.location}` });
        const about = `${result.metric} ${result.point} ${result.location}`;
        const facts = await tab.$$eval(".facts dd", (all) => all.map((one) => one.textContent));
        equal(`facts of ${about}`, facts.slice(0, 3), [result.impact === null ? "not known yet" : `${percent(result.impact)} (${between(result.low, result.high)})`,
          `${share(result.share)} (${result.samples.toLocaleString("en")})`, result.verdict]);
        if (result.kind === "line") await testGutter(tab, result, page.report.results.filter((one) => one.point === result.point && one.metric === result.metric));
        if (result.curve.length === 0) {
          equal(`no curve of ${about}`, await tab.locator(".chart").count(), 0);
          continue;
        }
        await testUnits(tab, result, about);
        await testCallers(tab, result, about);
        const read = await readCurve(tab, result.curve.length);
        result.curve.forEach((point, i) => {
          const costs = point.effect < 0, bounds = costs ? between(-point.high, -point.low) : between(point.low, point.high);
          const wanted = `Made ${rounded(Math.abs(point.speedup))}\u202f% ${point.speedup < 0 ? "slower" : "faster"}: ${costs ? "costs" : "saves"} ${percent(Math.abs(point.effect))} (${bounds}). ${point.windows} window${point.windows === 1 ? "" : "s"}.`;
          equal(`curve of ${about} at ${point.speedup}`, read[i].shown, wanted);
          check("and it is spoken", read[i].spoken.includes(`(${bounds})`), read[i].spoken);
        });
        equal(`single windows of ${about}`, await tab.locator(".chart .singles circle").count(), result.singles.length / 2);
        await testResiduals(tab, result, about);
        await testKink(tab, result, about);
        equal(`loss is marked where there is harm: ${about}`, await tab.locator(".chart .loss").count(), result.verdict === "harmful" ? 1 : 0);
      }
    });
  });
}
