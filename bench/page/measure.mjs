// measure.mjs COZ: prints a row for each bar, with what was measured; the median of a few tries where it is time.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { manyTargets, profileLines } from "./profile.mjs";

const TRIES = 5;
const [coz] = process.argv.slice(2), folder = mkdtempSync(join(tmpdir(), "coz-bench-"));
let missed = 0;

function told(what, value, bar, unit) {
  missed += value > bar;
  console.log(`${what.padEnd(62)} ${String(Math.round(value)).padStart(7)} ${unit}   bar ${bar} ${unit}${value > bar ? "   MISSED" : ""}`);
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

function makePage(targets) {
  const profile = join(folder, `${targets}.jsonl`), html = join(folder, `${targets}.html`);
  writeFileSync(profile, profileLines({ targets: manyTargets(targets, "/srv/application/source", 4) }).join("\n") + "\n");
  const began = Date.now();
  execFileSync(coz, ["report", "--format", "html", "--no-source", "-o", html, profile], { stdio: "ignore" });
  console.log(`${targets} targets: a profile of ${(statSync(profile).size / 1e6).toFixed(0)} MB became a page in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  return html;
}

const browser = await chromium.launch({ executablePath: execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim(), args: ["--no-sandbox"] });

async function open(html, use) {
  const tab = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  await tab.goto(pathToFileURL(html).href);
  const value = await use(tab);
  await tab.close();
  return value;
}

/** From the start of loading until the list is on the screen and a key has moved in it. */
const readyTime = (tab) => tab.evaluate(async () => {
  const list = document.getElementById("list");
  list.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return list.querySelectorAll("[role=option]").length > 0 ? performance.now() : Infinity;
});

/** Rows of 300 targets, each with its curve and its bar, made, laid out and on the screen: from when the list becomes so
 * high that all can be seen. Those that stay are not made anew, so that none is there before. */
const drawTime = (tab) => tab.evaluate(async () => {
  const list = document.getElementById("list"), frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const curves = () => list.querySelectorAll(".spark .curve").length;
  const search = document.getElementById("search"), say = (text) => { search.value = text; search.dispatchEvent(new Event("input")); };
  list.style.maxHeight = "none";
  list.style.height = 300 * 46 + "px";
  say("nothing is called so");
  await frame();
  await frame();
  if (curves() !== 0) return Infinity;
  const began = performance.now();
  say("");
  await frame();
  return curves() === 300 ? performance.now() - began : Infinity;
});

/** The longest of most frames (19 of 20) while all rows are scrolled past. */
const scrollTime = (tab) => tab.evaluate(async () => {
  const list = document.getElementById("list"), took = [];
  for (let i = 0, last = performance.now(); i < 90; i++) {
    list.scrollTop = (list.scrollHeight * i) / 90;
    await new Promise((done) => requestAnimationFrame(done));
    took.push(performance.now() - last);
    last = performance.now();
  }
  return took.sort((a, b) => a - b)[Math.floor(took.length * 0.95)];
});

async function repeat(html, use) {
  const values = [];
  for (let i = 0; i < TRIES; i++) values.push(await open(html, use));
  return median(values);
}

const large = makePage(5000), small = makePage(300);
told("5,000 targets: size without source", statSync(large).size / 1e3, 2000, "kB");
told("5,000 targets: until the list is there and a key moves in it", await repeat(large, readyTime), 1000, "ms");
told("300 rows with curve and bar, drawn at once", await repeat(small, drawTime), 300, "ms");
told("5,000 targets: a frame while scrolling, 19 of 20", await repeat(large, scrollTime), 17, "ms");
await browser.close();
rmSync(folder, { recursive: true });
process.exit(missed ? 1 : 0);
