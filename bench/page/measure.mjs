// measure.mjs COZ FOLDER: prints a row for each bar, with what was measured; the median of a few tries where it is time.
// Profiles stay in the folder, for they take longer to make than all that is measured.

import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { manyTargets, profileLines } from "./profile.mjs";

const TRIES = 3, LARGE_BYTES = 200e6;
const [coz, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
let missed = 0;

function told(what, value, bar, unit) {
  missed += value > bar;
  console.log(`${what.padEnd(62)} ${String(Math.round(value)).padStart(7)} ${unit}   bar ${bar} ${unit}${value > bar ? "   MISSED" : ""}`);
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** A profile in the folder, written by `write` to the path that it is given, unless it is there. */
function profileOf(name, write) {
  const profile = join(folder, name + ".jsonl");
  if (!existsSync(profile)) {
    write(profile + ".new");
    renameSync(profile + ".new", profile);
  }
  return profile;
}

const manyLines = (targets, seed) => profileLines({ seed, targets: manyTargets(targets, "/srv/application/source", 4) }).join("\n") + "\n";

const ofTargets = (targets) => profileOf(`${targets}-targets`, (path) => writeFileSync(path, manyLines(targets, 7)));

/** Run after run of one program, in many hours. */
const large = () => profileOf("large", (path) => {
  rmSync(path, { force: true });
  for (let seed = 1, size = 0; size < LARGE_BYTES; seed++) {
    const lines = manyLines(500, seed);
    appendFileSync(path, lines);
    size += lines.length;
  }
});

function makePage(profile) {
  const html = profile.replace(".jsonl", ".html"), began = performance.now();
  execFileSync(coz, ["report", "--format", "html", "--no-source", "-o", html, profile], { stdio: "ignore" });
  return { html, took: performance.now() - began };
}

function makePages(profile) {
  return median(Array.from({ length: TRIES }, () => makePage(profile).took));
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

/** Rows of 300 targets, each with its curve and its bar, are made, and those that the window shows are laid out and
 * painted: from when the list becomes so high that it holds all of them. None is there before. */
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

/** Scrolls the list by so many pixels in each frame: 120 are one notch of a wheel, and 2,700 fly past all 5,000 rows in a
 * second and a half, so that each frame shows none of the rows before. What the page's thread worked for a frame, in the
 * mean, and how long most frames (19 of 20) took at most. */
async function scroll(tab, pixels) {
  const metrics = await tab.context().newCDPSession(tab), FRAMES = 80;
  await metrics.send("Performance.enable");
  const worked = async () => (await metrics.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  const before = await worked();
  const frame = await tab.evaluate(async ([pixels, frames]) => {
    const list = document.getElementById("list"), took = [];
    for (let i = 0, last = performance.now(); i < frames; i++) {
      list.scrollTop = pixels * i;
      await new Promise((done) => requestAnimationFrame(done));
      took.push(performance.now() - last);
      last = performance.now();
    }
    return took.sort((a, b) => a - b)[Math.floor(took.length * 0.95)];
  }, [pixels, FRAMES]);
  return { work: ((await worked()) - before) / FRAMES, frame };
}

/** 5,000 rows of nothing but a number: what this browser on this machine makes of the simplest list. */
function plainList() {
  const html = join(folder, "plain.html"), rows = Array.from({ length: 5000 }, (_, i) => `<div style="height: 46px; contain: strict">${i}</div>`);
  writeFileSync(html, `<!DOCTYPE html><title>plain</title><div id="list" style="height: 720px; overflow-y: auto">${rows.join("")}</div>`);
  return html;
}

async function repeat(html, use) {
  const values = [];
  for (let i = 0; i < TRIES; i++) values.push(await open(html, use));
  return median(values);
}

const many = makePage(ofTargets(5000)).html, few = makePage(ofTargets(300)).html;
told("5,000 targets: size without source", statSync(many).size / 1e3, 2000, "kB");
told("5,000 targets: until the list is there and a key moves in it", await repeat(many, readyTime), 1000, "ms");
told("300 rows with curve and bar, drawn at once", await repeat(few, drawTime), 300, "ms");
const plain = plainList();
for (const [what, pixels] of [["a wheel's scrolling", 120], ["flying past all", 2700]]) {
  const { work, frame } = await open(many, (tab) => scroll(tab, pixels)), floor = await open(plain, (tab) => scroll(tab, pixels));
  told(`5,000 targets: the page's work for a frame of ${what}`, work, 17, "ms");
  console.log(`    19 of 20 frames took at most ${frame.toFixed(0)} ms, and ${floor.frame.toFixed(0)} ms in a list of 5,000 numbers and nothing else`);
}
await browser.close();
told(`a profile of ${Math.round(statSync(large()).size / 1e6)} MB: until it is a page`, makePages(large()), 2000, "ms");
process.exit(missed ? 1 : 0);
