// What the tests of the page share: a browser that may load nothing but the file, checks, and pages made of profiles.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const [coz, pictures, only = "", tree] = process.argv.slice(2);
export const folder = mkdtempSync(join(tmpdir(), "coz-page-"));
mkdirSync(pictures, { recursive: true });

let failures = 0, checks = 0, name = "";
const troubles = []; // requests, errors, violated policies: there must be none

export function check(what, holds, saw = "") {
  checks++;
  if (holds) return;
  failures++;
  console.log(`FAILED: ${name}: ${what}${saw === "" ? "" : `\n  saw: ${JSON.stringify(saw)}`}`);
}

export function equal(what, saw, wanted) {
  check(what, JSON.stringify(saw) === JSON.stringify(wanted), { saw, wanted });
}

/** The page and the JSON of a profile's lines; lines may be buffers. */
export function makePage(title, lines, options = []) {
  const profile = join(folder, title + ".jsonl"), html = join(folder, title + ".html");
  writeFileSync(profile, Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from("\n")])));
  const made = spawnSync(coz, ["report", "--format", "html", "-o", html, ...options, profile], { encoding: "utf8" });
  if (made.status > 1 || made.error) throw new Error(`coz report: ${made.stderr}`);
  const json = spawnSync(coz, ["report", "--format", "json", "--top", "0", profile], { encoding: "utf8", maxBuffer: 1 << 28 });
  return { html, url: pathToFileURL(html).href, text: readFileSync(html), report: JSON.parse(json.stdout) };
}

const executablePath = execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
const launch = () => chromium.launch({ executablePath, args: ["--no-sandbox"] });
let browser = await launch();

/**
 * Opens a page and gives it to the test, in the state that `look` says: served, the beginning of addresses that it may
 * ask for; expected, what the browser may complain of.
 */
export async function open(page, look, use) {
  const { width = 1600, height = 1000, hash = "", offline = true, refusals = false, served = null, expected = null, ...context } = look;
  const session = await browser.newContext({ viewport: { width, height }, offline, acceptDownloads: true, ...context });
  const tab = await session.newPage();
  tab.on("request", (request) => request.url().split("#")[0] === page.url || request.url().startsWith("blob:") || (served && request.url().startsWith(served)) || troubles.push(`${name}: request ${request.url().slice(0, 200)}`));
  tab.on("pageerror", (error) => troubles.push(`${name}: ${error.message}`));
  // What a test makes the browser refuse, it says; all else that it says is trouble.
  const isRefusal = (text) => (refusals && /TrustedHTML|require-trusted-types-for/.test(text)) || expected?.test(text);
  tab.on("console", (message) => isRefusal(message.text()) || troubles.push(`${name}: console: ${message.text()}`));
  tab.on("dialog", (dialog) => { troubles.push(`${name}: dialog`); dialog.dismiss(); });
  await tab.addInitScript(() => document.addEventListener("securitypolicyviolation", (event) => console.log("policy: " + event.violatedDirective)));
  tab.setDefaultTimeout(15000);
  await tab.goto(page.url + hash);
  await tab.waitForSelector("h1:not(:empty)");
  try {
    await use(tab);
  } finally {
    await session.close();
  }
}

/** Changes what stands behind the # of the address, and waits until the page has read it. */
export async function goTo(tab, choices) {
  await tab.evaluate(async (hash) => {
    if (location.hash === "#" + hash) return;
    const done = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
    location.hash = hash;
    await done;
  }, String(new URLSearchParams(choices)));
}

export const pictureOf = (title) => join(pictures, title + ".png");

export async function picture(tab, title, options = {}) {
  await tab.screenshot({ path: pictureOf(title), ...options });
}

/** A browser that ends by itself says nothing of the page, unless it does so again. */
async function attempt(body) {
  try {
    return await body();
  } catch (error) {
    if (browser.isConnected()) throw error;
    console.log(`${name}: the browser has ended, and is started again: ${error.message}`);
  }
  browser = await launch();
  return body();
}

export async function test(title, body) {
  if (!title.includes(only)) return;
  name = title;
  const began = Date.now();
  try {
    await attempt(body);
    console.log(`${title}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
  } catch (error) {
    failures++;
    console.log(`FAILED: ${name}: ${error.stack}`);
    if (!browser.isConnected()) browser = await launch();
  }
}

export async function finish() {
  await browser.close();
  rmSync(folder, { recursive: true });
  for (const trouble of troubles) console.log("FAILED: " + trouble);
  failures += troubles.length;
  console.log(failures ? `${failures} of ${checks} checks failed` : `${checks} checks passed`);
  process.exit(failures ? 1 : 0);
}
