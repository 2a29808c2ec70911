// "Explain this line" on a page that is served: nothing is sent before a yes to what is told, the answer comes in pieces, and
// nothing in it is more than text. The provider is a server in here.

import { spawnSync } from "node:child_process";
import http from "node:http";
import { check, coz, equal, open, picture, test } from "./harness.mjs";
import { testAccess } from "./looks.mjs";
import { includes, isThere, serve, until } from "./served.mjs";

const key = "sk-page-0123456789-abcdefghij";

/** Whether this coz can ask: before anything else it says when it cannot. */
const canAsk = (profile) => !spawnSync(coz, ["explain", "--yes", "--provider", "nobody", "worker.c:88", profile], { encoding: "utf8" }).stderr.includes("without a way to ask");

const event = (text) => `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", delta: { type: "text_delta", text } })}\n\n`;

/** Plays Anthropic. `answer(response, hold)` writes; what it holds goes on when the test says so. */
async function provider(use) {
  const asked = [], closed = [];
  let answer = () => {};
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (bytes) => { body += bytes; });
    request.on("end", () => {
      asked.push({ url: request.url, key: request.headers["x-api-key"], body });
      response.on("close", () => closed.push(request.url));
      answer(response);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use({ base: `http://127.0.0.1:${server.address().port}`, asked, closed, answers: (how) => { answer = how; } });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const begin = (response) => response.writeHead(200, { "content-type": "text/event-stream" });
const end = (response) => response.end('event: message_stop\ndata: {"type":"message_stop"}\n\n');

export async function testExplained(page) {
  await test("a page from a file explains nothing", async () => {
    await open(page, {}, async (tab) => { equal("there is no button", await tab.locator("#explain-line, #explain").count(), 0); });
  });
  const profile = page.html.replace(".html", ".jsonl");
  if (!isThere || !canAsk(profile)) return;
  await test("explained", async () => {
    await provider(async ({ base, asked, closed, answers }) => {
      await serve([profile], async ({ url, origin }) => {
        await open({ url }, { offline: false, served: origin, expected: /status of 409/ }, async (tab) => {
          check("no key is in the page", !(await tab.content()).includes(key));
          await tab.focus("#explain-line");
          await tab.keyboard.press("Enter");
          await includes(tab, ".explain-notice", "This sends ");
          const notice = await tab.textContent(".explain-notice");
          check("it tells what goes where", /^This sends [\d]+ bytes \(numbers .* lines of .*worker\.c\) to 127\.0\.0\.1:\d+ by http, on this machine, to be answered by claude/.test(notice), notice);
          equal("nothing was sent", asked.length, 0);
          await testAccess(tab, "explain, asked");
          await picture(tab, "explain-asked");
          await tab.keyboard.press("Escape");
          equal("Escape sends nothing", [await tab.isVisible("#explain"), asked.length], [false, 0]);

          // Yes, and the answer in pieces; hostile ones.
          let go;
          const held = new Promise((resolve) => { go = resolve; });
          answers(async (response) => {
            begin(response).write(event("The line waits. "));
            await held;
            response.write(event("<img src=x onerror=alert(1)><script>alert(2)</script> \u001b[31m\u202e"));
            response.write(event(key.slice(0, 12)));
            response.write(event(key.slice(12) + " is all.\nSecond paragraph."));
            end(response);
          });
          await tab.click("#explain-line");
          await includes(tab, ".explain-notice", "This sends ");
          await tab.keyboard.press("Enter");
          await includes(tab, ".explanation", "The line waits.");
          equal("as it comes", await tab.textContent(".explanation"), "The line waits. ");
          go();
          await includes(tab, ".explain-notice", "A model wrote this");
          equal("as text", await tab.textContent(".explanation"), "The line waits. <img src=x onerror=alert(1)><script>alert(2)</script> [31m[key] is all.\nSecond paragraph.");
          equal("and nothing else", await tab.locator(".explanation *").count(), 0);
          equal("it was asked once, with the key", asked.map((one) => [one.url, one.key]), [["/v1/messages", key]]);
          check("about that line", asked[0].body.includes("worker.c:88"));
          equal("with as many bytes as it told", Buffer.byteLength(asked[0].body), Number(notice.match(/sends (\d+)/)[1]));
          await testAccess(tab, "explain, answered");
          await picture(tab, "explain-answered");
          await tab.keyboard.press("Escape");

          // A refusal, which repeats the key.
          answers((response) => response.writeHead(401).end(JSON.stringify({ error: { message: `bad key ${key}` } })));
          await tab.click("#explain-line");
          await includes(tab, ".explain-notice", "This sends ");
          await tab.click("#explain-send");
          await includes(tab, ".explain-notice", "refuses (status 401): bad key [key]");
          await tab.click("#explain-close");

          // Whoever closes it ends it.
          answers((response) => begin(response).write(event("One. ")));
          await tab.click("#explain-line");
          await includes(tab, ".explain-notice", "This sends ");
          await tab.click("#explain-send");
          await includes(tab, ".explanation", "One.");
          const before = closed.length;
          await tab.keyboard.press("Escape");
          for (let i = 0; i < 200 && closed.length === before; i++) await tab.waitForTimeout(50);
          equal("the question is not asked on", closed.length, before + 1);

          // Leave is for what was told last, and once.
          const codes = await tab.evaluate(async () => {
            const ask = async (query, body) => (await fetch("explain" + query, { method: "POST", body })).status;
            return [await ask("?yes=1"), await ask("?yes=99"), await ask("?yes="), await ask("", "nobody.c:1")];
          });
          equal("an old yes is none", codes, [409, 409, 409, 409]);
        });
      }, { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: base, COZ_PROVIDER: "anthropic", COZ_MODEL: "claude-test" });
    });
  });
  await test("explained without a key", async () => {
    await serve([profile], async ({ url, origin }) => {
      await open({ url }, { offline: false, served: origin, expected: /status of 409/ }, async (tab) => {
        await tab.click("#explain-line");
        await includes(tab, ".explain-notice", "There is no key: set OPENAI_API_KEY");
        await until(tab, "nothing can be sent", () => document.querySelector("#explain-send").hidden);
      });
    }, { COZ_PROVIDER: "openai", OPENAI_API_KEY: "", OPENAI_BASE_URL: "" });
  });
}
