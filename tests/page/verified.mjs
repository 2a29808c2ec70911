// What `coz verify` found, beside what the profile had promised.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, equal, folder, makePage, open, picture, test } from "./harness.mjs";
import { testAccess } from "./looks.mjs";
import { between, percent, rounded } from "./numbers.mjs";
import { fewTargets, profileLines } from "./profile.mjs";

const source = "/srv/app/worker.c", effect = (value, low, high) => ({ effect: value, low, high });

/** Lines of a ledger, the earliest first; each says something else. */
const ledger = [
  { location: `${source}:57`, line: effect(0.3, 0.25, 0.35), gain: effect(-0.052, -0.07, -0.031), promise: effect(-0.06, -0.09, -0.03), outcome: "lost" },
  { location: `${source}:41`, line: effect(0.4, 0.35, 0.45), gain: effect(0.004, -0.02, 0.03), promise: null, outcome: "nothing" },
  { location: null, kind: null, line: null, gain: effect(0.11, 0.08, 0.14), promise: null, outcome: "gained" },
  { location: `${source}:88`, line: effect(0.25, 0.2, 0.3), gain: effect(0.05, 0.04, 0.06), promise: effect(0.11, 0.08, 0.14), outcome: "less", metric: "latency" },
  { location: `${source}:88`, line: effect(0.25, 0.2, 0.3), gain: effect(0.18, 0.16, 0.2), promise: effect(0.1, 0.08, 0.14), outcome: "more" },
  { location: `${source}:999`, line: effect(0.5, 0.4, 0.6), gain: effect(0.1, 0.05, 0.15), promise: null, outcome: "gained" },
  { location: `${source}:88`, line: effect(0.5, 0.47, 0.53), gain: effect(0.2, 0.182, 0.22), promise: effect(0.214, 0.18, 0.24), outcome: "kept" },
].map((one, i) => ({ type: "verified", time: 1.7e18 + i * 864e11, point: "request", metric: "throughput", kind: "line", after_location: one.location, before: "./server-old </script><b>", after: "./server \u202e",
  before_build: "0a", after_build: "0b", profile: "few.jsonl", rounds: 8, ...one }));

/** The sentence, by the test's own words. */
function sentenceOf({ location, line, gain, promise, outcome, metric }) {
  const size = ({ effect: value, low, high }) => `${percent(Math.abs(value))} (${value < 0 ? between(-high, -low) : between(low, high)})`;
  const opening = { kept: "It came true: ", less: "It came true in part: ", more: "It was exceeded: ", gained: "A gain, of which nothing was promised: ", nothing: "No gain is shown: ", lost: "It became slower: " }[outcome];
  const name = location?.split("/").pop(), change = location ? `${name} became ${size(line)} faster, and that ` : "the change ";
  return `${opening}${change}${gain.effect < 0 ? "cost" : "saved"} ${size(gain)} of ${metric === "latency" ? "the latency of" : "each"} request` +
    (promise ? `; ${promise.effect < 0 ? "a loss of " : ""}${size(promise)} was promised.` : ".");
}

export async function testVerified() {
  await test("what was verified", async () => {
    mkdirSync(join(folder, "verified"));
    writeFileSync(join(folder, "verified", "coz-verified.jsonl"), ledger.map(({ outcome, ...line }) => JSON.stringify(line)).join("\n") + "\nnonsense\n");
    const page = makePage("verified/few", profileLines({ targets: fewTargets(source), points: [{ name: "request", metric: "throughput" }, { name: "request", metric: "latency" }] }));
    equal("JSON has what the ledger has", page.report.verified, ledger.map(({ type, ...one }) => one).map((one) => Object.fromEntries(Object.keys(page.report.verified[0]).map((key) => [key, one[key]]))));
    const ofTarget = ledger.filter(({ location, metric }) => location === `${source}:88` && metric === "throughput").reverse();
    const said = (tab, where) => tab.$$eval(`${where} .verified li`, (all) => all.map((one) => one.textContent));
    await open(page, {}, async (tab) => {
      const beside = await said(tab, ".came-true"), all = await said(tab, ".verifications");
      check("beside the curve, the latest first", beside.length === 2 && ofTarget.every((one, i) => beside[i].startsWith(sentenceOf(one))), [beside, ofTarget.map(sentenceOf)]);
      check("and all of it below", all.length === 7 && [...ledger].reverse().every((one, i) => all[i].startsWith(sentenceOf(one)) && all[i].includes("8 pairs of runs")), all);
      const marks = await tab.$$eval(".achieved .diamond", (one) => one.map((path) => path.getAttribute("d").match(/M([\d.]+) ([\d.]+)/).slice(1).map(Number)));
      const dots = await tab.$$eval(".chart .dot", (one) => one.map((dot) => [Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy"))]));
      const { curve } = page.report.results.find((r) => r.location === `${source}:88` && r.metric === "throughput");
      const y = (value) => dots[0][1] + ((dots[3][1] - dots[0][1]) * (value - curve[0].effect)) / (curve[3].effect - curve[0].effect);
      const x = (value) => dots[0][0] + ((dots[3][0] - dots[0][0]) * (value - 0.25)) / 0.75;
      check("marks stand where they belong in the curve", marks.length === 2 && [...ofTarget].reverse().every(({ line, gain }, i) => Math.abs(marks[i][0] - x(line.effect)) < 1 && Math.abs(marks[i][1] + 6 - y(gain.effect)) < 1), [marks, dots]);
      equal("with both intervals", await tab.locator(".achieved line").count(), 4);
      const row = (number) => tab.locator(`#list [role=option][title$=":${number}"]`);
      equal("the list says that it came true", await row(88).locator(".verdict").textContent(), "improves \u2713");
      check("aloud, too", (await row(88).locator(".said").textContent()).includes(sentenceOf(ofTarget[0])));
      check("or that it did not", (await row(57).locator(".verdict").textContent()).endsWith("\u2717") && !(await row(91).locator(".verdict").textContent()).match(/[\u2713\u2717]/));
      check("commands are text", (await tab.textContent(".verifications")).includes("./server-old </script><b> \u2192 ./server \u2039202e\u203a"));
      equal("what is no target leads nowhere", await tab.locator(".verifications li").nth(1).locator("button").count(), 0);
      await testAccess(tab, "verified");
      await picture(tab, "verified");
      await tab.locator(".verifications li").nth(3).locator("button").click();
      check("a button leads to the target, and its progress point", (await said(tab, ".came-true"))[0].startsWith(sentenceOf(ledger[3])), await said(tab, ".came-true"));
      const [download] = await Promise.all([tab.waitForEvent("download"), tab.click("#save-svg")]);
      check("a picture that is saved has it", readFileSync(await download.path(), "utf8").includes(">achieved<"));
    });
    const ofPoint = makePage("verified/few", profileLines({ targets: fewTargets(source) }), ["--point", "other"]);
    equal("nothing of another point", JSON.parse(ofPoint.text.toString().match(/id="data">([^]*?)<\/script>/)[1]).verified, []);
  });
}
