// Terminals of several widths: nothing is wider than they are, and a picture of each is kept.

import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, coz, folder, open, pictureOf, test } from "./harness.mjs";

/** Where the font of a terminal has no dots of braille, another's are drawn, which are wider: in a box as wide as a letter of
 * the terminal's. */
const BRAILLE = '<i class="cell"><i>$&</i></i>';
const CELL = ".cell { display: inline-block; width: 1ch } .cell i { display: inline-block; font: 14px/1 DejaVu Sans; transform: scaleX(.8225); transform-origin: 0 0; width: 0 }";
const COLOURS = ["#1b1d20", "#ff8f8f", "#8fd0a8", "#e0b070", "#8db4ff", "#c9a4ec", "#7fd3d8", "#c9ccd1"];

/** What a terminal makes of the text: colours, bold and faint letters. */
export function terminalPage(command, text) {
  const escaped = (part) => part.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
  const looks = { bold: false, faint: false, colour: null };
  const spans = text.replace(/\x1b\]8;;.*?(\x1b\\|\x07)/g, "").split(/\x1b\[([\d;]*)m/).map((part, i) => {
    if (i % 2 === 0) return part && `<span style="${looks.bold ? "font-weight: 700;" : ""}${looks.faint ? "opacity: .65;" : ""}${looks.colour ? `color: ${looks.colour}` : ""}">${escaped(part).replace(/[\u2801-\u28ff]/g, BRAILLE)}</span>`;
    for (const code of part.split(";").map(Number)) {
      if (code === 0) Object.assign(looks, { bold: false, faint: false, colour: null });
      else if (code === 1) looks.bold = true;
      else if (code === 2) looks.faint = true;
      else if (code === 22) looks.bold = looks.faint = false;
      else if (code === 39) looks.colour = null;
      else if (code >= 30 && code < 38) looks.colour = COLOURS[code - 30];
      else if (code >= 90 && code < 98) looks.colour = COLOURS[code - 90];
    }
    return "";
  });
  return `<!DOCTYPE html><meta charset="utf-8"><title>terminal</title><style>body { margin: 0; background: #131518 } pre { display: inline-block; margin: 0; padding: 14px 18px; color: #e7e8ea; font: 14px/1.32 "DejaVu Sans Mono", monospace } ${CELL}</style><h1 style="position: absolute; opacity: 0">.</h1><pre><b>$ ${command}</b>\n${spans.join("")}</pre>`;
}

const plain = (text) => text.replace(/\x1b\[[\d;]*m/g, "").replace(/\x1b\]8;;.*?(\x1b\\|\x07)/g, "");

/** Runs a program on a terminal. Where the tests of the command were not built there is none. */
const terminal = join(dirname(coz), "../tests/system/terminal");

/** The report of the profile, and that of its first target. */
export async function testTerminal(page) {
  if (!existsSync(terminal)) return;
  const profile = page.html.replace(".html", ".jsonl");
  await test("terminals", async () => {
    for (const width of [60, 80, 120, 200]) {
      const env = { ...process.env, LC_ALL: "C.UTF-8", COLUMNS: String(width), NO_COLOR: "", TERM: "xterm-256color" };
      const run = (...args) => execFileSync(terminal, ["never", "0", coz, "report", ...args], { encoding: "utf8", env }).replace(/\r/g, "");
      const first = page.report.results[0].location.split("/").pop();
      const texts = { ["coz report"]: run(profile), [`coz report ${first}`]: run(profile, first) };
      for (const [command, text] of Object.entries(texts)) {
        const wide = plain(text).split("\n").filter((line) => [...line].length > width);
        check(`${command}: no line of more than ${width} columns`, wide.length === 0, wide);
      }
      const all = terminalPage(Object.keys(texts).join(" ; "), Object.values(texts).join("\n")), file = join(folder, `terminal-${width}.html`);
      writeFileSync(file, all);
      await open({ url: pathToFileURL(file).href }, { width: 9 * width + 60, height: 900 }, async (tab) => {
        check(`${width} columns: no code of a terminal is left`, !/\x1b/.test(await tab.textContent("pre")));
        await tab.locator("pre").screenshot({ path: pictureOf(`terminal-${width}`) });
      });
    }
  });
}
