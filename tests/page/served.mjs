// The page as `coz plot` serves it: alive while its profile grows, after a break too, and with more profiles.

import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { dirname, join } from "node:path";
import { check, coz, equal, folder, open, picture, test } from "./harness.mjs";
import { testAccess } from "./looks.mjs";
import { fewTargets, profileLines } from "./profile.mjs";

const source = "/srv/app/worker.c";
const chosen = (tab) => tab.locator("[aria-selected=true]").getAttribute("title");

/** Until the function says yes in the page; the page's policy forbids what Playwright has for it. */
export async function until(tab, what, holds, argument) {
  for (let i = 0; i < 600; i++) {
    if (await tab.evaluate(holds, argument).catch(() => false)) return; // it may just be loaded anew
    await tab.waitForTimeout(50);
  }
  check(what, false);
}

export const includes = (tab, selector, words) => until(tab, `${selector} says ${words}`, ([where, wanted]) => document.querySelector(where)?.textContent.includes(wanted), [selector, words]);
const said = (tab, words) => includes(tab, ".live-said", words);

/** Runs `coz plot` and gives where it serves; ends it afterwards. */
export async function serve(args, use, env = {}) {
  const server = spawn(coz, ["plot", "--no-browser", "--stay", ...args], { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  let text = "", complaint = "";
  server.stderr.on("data", (bytes) => { complaint += bytes; });
  const ended = new Promise((resolve) => server.on("exit", (status) => resolve(status)));
  const url = await new Promise((resolve, reject) => {
    server.stdout.on("data", (bytes) => {
      text += bytes;
      if (text.includes("\n")) resolve(text.split("\n")[0]);
    });
    server.on("exit", () => reject(new Error(`coz plot: ${complaint}`)));
  });
  try {
    await use({ url, origin: new URL(url).origin, server });
  } finally {
    server.kill("SIGINT");
    equal("the server ends well", await ended, 0);
  }
}

/** A build without the server says so, and there is nothing to be tested. */
export const isThere = !spawnSync(coz, ["plot", "/no/such/profile"], { encoding: "utf8" }).stderr.includes("built without the server");

/** A profile that grows: its startup, then some of its blocks at a time. */
function growing(name, targets, points) {
  const lines = profileLines({ targets, points }), file = join(folder, name);
  const end = lines.findIndex((line) => line.includes('"type":"runtime"'));
  let at = 1;
  writeFileSync(file, lines[0] + "\n");
  const windows = () => lines.slice(0, at).filter((line) => line.includes('"type":"experiment"')).length;
  return {
    file,
    windows,
    /** Until there are so many windows, or all of the profile. */
    grow(until) {
      const from = at;
      while (at < end && (windows() < until || !lines[at].includes('"type":"experiment"'))) at++;
      if (until === Infinity) at = lines.length;
      appendFileSync(file, lines.slice(from, at).join("\n") + "\n");
      return windows();
    },
  };
}

/** What the page shows, but for what only a served one has. */
const shown = (tab) => tab.evaluate(() => {
  const copy = document.body.cloneNode(true);
  copy.querySelector(".live").remove();
  for (const script of copy.querySelectorAll("script")) script.remove();
  return copy.textContent;
});

/* Of a served page, all that a page from a file says, too. */
function textBesideButton() {
  const copy = document.querySelector("main").cloneNode(true);
  copy.querySelector("#explain-line").remove();
  return copy.textContent + document.querySelector("h1").textContent;
}

export async function testServed(page) {
  if (!isThere) return;
  await test("served", async () => {
    await serve([page.html.replace(".html", ".jsonl")], async ({ url, origin }) => {
      let asFile;
      await open(page, {}, async (tab) => { asFile = await tab.evaluate(() => document.querySelector("main").textContent + document.querySelector("h1").textContent); });
      for (const colorScheme of ["light", "dark"])
        await open({ url }, { offline: false, served: origin, colorScheme }, async (tab) => {
          await tab.waitForSelector("#add-profile");
          equal("it is the page of the file, but for one button", await tab.evaluate(textBesideButton), asFile);
          equal("a run that is over is not live", await tab.textContent(".live-said"), "");
          equal("and not steered", await tab.isVisible("#look-now"), false);
          await testAccess(tab, `served, ${colorScheme}`);
          await picture(tab, `served-${colorScheme}`);
        });
      if (existsSync("/proc/net/if_inet6") && /^0*1 /m.test(readFileSync("/proc/net/if_inet6", "utf8"))) {
        const newer = url.replace("127.0.0.1", "[::1]");
        await open({ url: newer }, { offline: false, served: new URL(newer).origin }, async (tab) => {
          equal("it is the same by IPv6", await tab.evaluate(textBesideButton), asFile);
          await until(tab, "and events come", () => document.querySelector(".live") && !document.querySelector(".live").classList.contains("is-lost"));
        });
      }
      await open({ url }, { offline: false, served: origin, width: 400, height: 860 }, async (tab) => {
        equal("nothing is cut at 400 pixels", await tab.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
        await picture(tab, "served-400");
      });
      await open({ url }, { offline: false, served: origin, expected: /policy: connect-src|Content Security Policy|Content-Security-Policy|ERR_FAILED|net::ERR/ }, async (tab) => {
        const refused = await tab.evaluate(async () => {
          try {
            await fetch("http://127.0.0.1:9/");
            return false;
          } catch {
            return true;
          }
        });
        equal("it may ask nobody else", refused, true);
      });
    });
  });
}

export async function testGrowing() {
  if (!isThere) return;
  await test("growing", async () => {
    const targets = [...fewTargets(source), ...Array.from({ length: 8 }, (_, i) => ({ location: `/srv/app/more.c:${i + 1}`, saved: 0.01 * i, share: 0.002, blocks: 6 }))];
    const profile = growing("growing.jsonl", targets);
    await serve([profile.file], async ({ url, origin }) => {
      await open({ url }, { offline: false, served: origin, height: 700 }, async (tab) => {
        check("at first there is no answer", (await tab.textContent("h1")).startsWith("There is no answer yet"));
        await testAccess(tab, "nothing yet");
        let windows = profile.grow(400);
        await tab.waitForSelector("#list");
        await said(tab, `live, ${windows.toLocaleString("en")} windows`);
        await picture(tab, "live-early");

        // The list, scrolled, has the focus and another target than the best.
        await tab.locator("#list [role=option]").nth(2).click();
        await tab.locator("#list").focus();
        await tab.evaluate(() => { document.querySelector("#list").scrollTop = 137; });
        await tab.evaluate(() => window.scrollTo(0, 60));
        const target = await chosen(tab), before = await shown(tab), scrolled = await tab.evaluate(() => window.scrollY);
        windows = profile.grow(600);
        await said(tab, `live, ${windows.toLocaleString("en")} windows`);
        check("the numbers are others", (await shown(tab)) !== before);
        equal("the same target is chosen", await tab.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("target")), "line " + target);
        check("and shown", (await tab.textContent(".detail .full")).includes(target));
        equal("the list has the focus", await tab.evaluate(() => document.activeElement.id), "list");
        equal("and is where it was", await tab.evaluate(() => document.querySelector("#list").scrollTop), 137);
        equal("so is the page", await tab.evaluate(() => window.scrollY), scrolled);

        // The curve has the focus, at another point than the usual; then a button that is made anew.
        await tab.locator(".chart").focus();
        await tab.keyboard.press("End");
        const spoken = await tab.getAttribute(".chart", "aria-valuenow");
        windows = profile.grow(700);
        await said(tab, `live, ${windows.toLocaleString("en")} windows`);
        equal("the curve has the focus", await tab.evaluate(() => document.activeElement.className), "chart");
        equal("at the same point", await tab.getAttribute(".chart", "aria-valuenow"), spoken);
        await tab.locator("#save-svg").focus();
        await tab.fill("#search", "worker");
        await tab.evaluate(() => document.querySelector("#search").setSelectionRange(2, 4));
        windows = profile.grow(800);
        await said(tab, `live, ${windows.toLocaleString("en")} windows`);
        equal("the search has the focus, and its mark", await tab.evaluate(() => [document.activeElement.id, document.activeElement.selectionStart, document.activeElement.value]), ["search", 2, "worker"]);
        await tab.fill("#search", "");
        await tab.locator("#save-svg").focus();

        // What is marked is not taken away.
        await tab.evaluate(() => document.getSelection().selectAllChildren(document.querySelector(".detail h2")));
        const marked = await tab.evaluate(() => document.getSelection().toString());
        windows = profile.grow(900);
        await said(tab, `live, ${windows.toLocaleString("en")} windows`);
        equal("marked text stays", await tab.evaluate(() => document.getSelection().toString()), marked);
        const stood = await tab.textContent(".facts-line");
        await tab.evaluate(() => document.getSelection().removeAllRanges());
        await until(tab, "what waited is shown afterwards", (old) => document.querySelector(".facts-line").textContent !== old, stood);
        equal("a button that is made anew has the focus", await tab.evaluate(() => document.activeElement.id), "save-svg");
        await testAccess(tab, "live");
        await picture(tab, "live");

        windows = profile.grow(Infinity);
        await said(tab, "the run has ended");
        await includes(tab, ".facts-line", `${windows.toLocaleString("en")} windows`);
        await open({ url }, { offline: false, served: origin, height: 700, hash: new URL(tab.url()).hash }, async (fresh) => {
          await fresh.waitForSelector("#add-profile");
          await tab.evaluate(() => { document.querySelector("#list").scrollTop = 0; });
          await fresh.evaluate(() => { document.querySelector("#list").scrollTop = 0; });
          await tab.waitForTimeout(100);
          const cursor = await tab.textContent(".readout");
          await fresh.locator(".chart").focus();
          await fresh.keyboard.press("End");
          equal("the curve's sentence is that of a page that is loaded now", await fresh.textContent(".readout"), cursor);
          equal("and all else that is shown", await shown(fresh), await shown(tab));
        });
      });
    });
    const json = spawnSync(coz, ["report", "--format", "json", "--top", "0", profile.file], { encoding: "utf8", maxBuffer: 1 << 28 });
    check("the whole profile was read", JSON.parse(json.stdout).windows === profile.windows());
  });
}

/** Hands on what comes to a server, and can break connections; asked for by its own port. */
async function relay(origin, use) {
  const port = new URL(origin).port, seen = [];
  const sockets = new Set();
  let refusing = false;
  const relaying = http.createServer((request, response) => {
    seen.push({ url: request.url, last: request.headers["last-event-id"] });
    const headers = { ...request.headers, host: `127.0.0.1:${port}` };
    delete headers.origin;
    const onward = http.request({ port, host: "127.0.0.1", path: request.url, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  relaying.on("connection", (socket) => {
    if (refusing) return socket.destroy();
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise((resolve) => relaying.listen(0, "127.0.0.1", resolve));
  const own = `http://127.0.0.1:${relaying.address().port}`;
  try {
    await use({ own, seen, break: () => { refusing = true; for (const socket of sockets) socket.destroy(); }, mend: () => { refusing = false; } });
  } finally {
    relaying.close();
    for (const socket of sockets) socket.destroy();
  }
}

export async function testBreak() {
  if (!isThere) return;
  await test("a broken connection", async () => {
    const profile = growing("broken.jsonl", fewTargets(source));
    profile.grow(100);
    await serve([profile.file], async ({ url, origin }) => {
      await relay(origin, async (way) => {
        const through = url.replace(origin, way.own);
        await open({ url: through }, { offline: false, served: way.own, expected: /net::ERR|Failed to load resource/ }, async (tab) => {
          let windows = profile.grow(200);
          await said(tab, `${windows} windows`);
          way.break();
          await said(tab, "not connected");
          await picture(tab, "not-connected");
          windows = profile.grow(300);
          way.mend();
          await said(tab, `${windows} windows`);
          await includes(tab, ".facts-line", `${windows} windows`);
          const again = way.seen.filter(({ url: asked, last }) => asked.includes("/events") && last);
          check("it told what it had seen last", again.length > 0 && Number(again[0].last) > 1, way.seen);
          const asked = way.seen.filter(({ url: what }) => !what.includes("/events")).length;
          equal("the page was loaded once", asked, 1);

          // Nothing new: a break brings nothing anew.
          await tab.evaluate(() => { document.querySelector("#list").dataset.mark = "kept"; });
          const before = await shown(tab);
          way.break();
          await said(tab, "not connected");
          way.mend();
          await said(tab, `${windows} windows`);
          equal("nothing has changed", await shown(tab), before);
        });
      });
    });
  });
}

export async function testBrought(page) {
  if (!isThere) return;
  await test("profiles that are brought", async () => {
    const old = join(folder, "old <b>&.coz");
    writeFileSync(old, "startup\ttime=1\n" + Array.from({ length: 8 }, (_, i) =>
      `experiment\tselected=old.c:${7 + (i % 2)}\tspeedup=${i % 4 < 2 ? 0 : 0.5}\tduration=${i % 4 < 2 ? 100000000 : 70000000}\tselected-samples=3\nthroughput-point\tname=q\tdelta=1000\n`).join("") + "runtime\ttime=4000000000\nsamples\tlocation=old.c:7\tcount=100\n");
    await serve([page.html.replace(".html", ".jsonl")], async ({ url, origin }) => {
      await open({ url }, { offline: false, served: origin, expected: /status of 400/ }, async (tab) => {
        await tab.waitForSelector("#add-profile");
        await tab.setInputFiles("#profile-file", { name: "nonsense.txt", mimeType: "text/plain", buffer: Buffer.from("nonsense") });
        await includes(tab, ".live-note", "nonsense.txt is no profile");
        equal("nonsense leads nowhere", new URL(tab.url()).pathname, new URL(url).pathname);
        await tab.setInputFiles("#profile-file", old);
        await tab.waitForURL("**/2/");
        await tab.waitForSelector(".profiles a");
        check("one of the original is shown", (await tab.textContent("#list")).includes("old.c:"));
        equal("both are named", await tab.$$eval(".profiles a", (all) => all.map((one) => one.textContent)), ["few.jsonl", "old <b>&.coz"]);
        equal("this one is marked", await tab.getAttribute(".profiles a:nth-child(2)", "aria-current"), "page");
        await testAccess(tab, "two profiles");
        await picture(tab, "two-profiles");
        await tab.locator(".profiles a").first().click();
        await tab.waitForURL("**/1/");
        await tab.waitForSelector(".profiles a");
        check("and one can switch", (await tab.textContent("#list")).includes("worker.c:88"));

        // Dropped, as from a folder.
        const drop = await tab.evaluateHandle((text) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([text], "dropped.jsonl"));
          return transfer;
        }, readFileSync(page.html.replace(".html", ".jsonl"), "utf8"));
        await tab.dispatchEvent("body", "dragover", { dataTransfer: drop });
        equal("it is seen that it can be dropped", await tab.getAttribute("body", "class"), "dropping");
        await tab.dispatchEvent("body", "drop", { dataTransfer: drop });
        await tab.waitForURL("**/3/");
        await tab.waitForSelector(".profiles a:nth-child(3)");
        check("what was dropped is shown", (await tab.textContent("#list")).includes("worker.c:88"));
      });
    });
  });
}

export async function testSteered() {
  if (!isThere) return;
  await test("a run that is steered", async () => {
    const profile = join(folder, "steered.jsonl");
    const run = spawn(coz, ["run", "--live", "--no-browser", "-o", profile, "---", join(dirname(coz), "../tests/programs/steps"), "--until", join(folder, "enough")], { stdio: ["ignore", "ignore", "pipe"] });
    const ended = new Promise((resolve) => run.on("exit", (status) => resolve(status)));
    const url = await new Promise((resolve, reject) => {
      let text = "";
      run.stderr.on("data", (bytes) => {
        text += bytes;
        const found = text.match(/the page of this run[^:]*: (\S+)\n/);
        if (found) resolve(found[1]);
      });
      run.on("exit", () => reject(new Error(`coz run: ${text}`)));
    });
    const windows = () => readFileSync(profile, "utf8").split("\n").filter((line) => line.startsWith('{"type":"experiment"')).map((line) => JSON.parse(line));
    try {
      await open({ url }, { offline: false, served: new URL(url).origin }, async (tab) => {
        tab.setDefaultTimeout(120000);
        await tab.waitForSelector("#list [role=option]");
        await said(tab, "live, ");
        check("it can be steered", await tab.isVisible("#look-now"));
        await testAccess(tab, "steered");
        await tab.click("#look-now");
        await includes(tab, ".live-note", "is tried next");
        await picture(tab, "steered");
        await tab.selectOption("#speedups", { label: "5 to 25 %" });
        await includes(tab, ".live-note", "From the next block");
        for (let i = 0; i < 1200 && !windows().some(({ speedup }) => speedup === 0.05); i++) await tab.waitForTimeout(100);
        check("those speedups are tried", windows().some(({ speedup }) => speedup === 0.05));
        await tab.click("#stop-run");
        equal("it asks first", await tab.isVisible("#stop"), true);
        await testAccess(tab, "stop");
        await picture(tab, "stop");
        await tab.keyboard.press("Escape");
        equal("Escape lets it run", await tab.isVisible("#stop"), false);
        await tab.click("#stop-run");
        await tab.click("#stop-now");
        await said(tab, "the run has ended");
        await until(tab, "nothing is steered any more", () => document.querySelector(".steering").hidden);
        equal("all windows are shown", await tab.evaluate(() => document.querySelector(".live-said").textContent), `the run has ended, ${windows().length.toLocaleString("en")} windows`);
      });
    } catch (error) {
      run.kill("SIGTERM");
      throw error;
    }
    equal("coz run ends when the page is closed", await ended, 0);
  });
}
