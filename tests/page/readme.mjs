// The pictures in the README: of the page, and of the terminal. scripts/pictures puts them there.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, coz, folder, open, picture, pictureOf, test, tree } from "./harness.mjs";

const profile = join(tree, "docs", "pictures", "forkjoin.jsonl"), BYTES_MOST = 150e3;
/** Where the font of a terminal has no dots of braille, another's are drawn, which are wider: in a box as wide as a letter of
 * the terminal's. */
const BRAILLE = '<i class="cell"><i>$&</i></i>';
const CELL = ".cell { display: inline-block; width: 1ch } .cell i { display: inline-block; font: 14px/1 DejaVu Sans; transform: scaleX(.8225); transform-origin: 0 0; width: 0 }";
const COLOURS = ["#1b1d20", "#ff8f8f", "#8fd0a8", "#e0b070", "#8db4ff", "#c9a4ec", "#7fd3d8", "#c9ccd1"];

/** Where the sources lie as they were when the program was run, whenever this tree was checked out. */
const place = join(folder, "readme");

const run = (...args) => execFileSync(coz, args, { cwd: place, encoding: "utf8", env: { ...process.env, LC_ALL: "C.UTF-8", COLUMNS: "95", NO_COLOR: "" } });

/** What a terminal makes of the text: colours, bold and faint letters. */
function terminalPage(command, text) {
  const escaped = (part) => part.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
  const looks = { bold: false, faint: false, colour: null };
  const spans = text.replace(/\x1b\]8;;.*?(\x1b\\\\|\x07)/g, "").split(/\x1b\[([\d;]*)m/).map((part, i) => {
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

export async function testReadme() {
  await test("pictures of the README", async () => {
    mkdirSync(join(place, "examples"), { recursive: true });
    for (const name of ["forkjoin.c", "example.h"].map((name) => join("examples", name))) {
      copyFileSync(join(tree, name), join(place, name));
      utimesSync(join(place, name), new Date(1.6e12), new Date(1.6e12));
    }
    const html = join(folder, "readme.html"), terminal = join(folder, "terminal.html"), { results } = JSON.parse(run("report", "--format", "json", profile));
    const [told] = run("report", profile).split("\n\nSamples by");
    check("the README tells what coz report tells", readFileSync(join(tree, "README.md"), "utf8").includes("\n```\n" + told.trimEnd() + "\n```\n"), told);
    run("report", "--format", "html", "-o", html, profile);
    await open({ url: pathToFileURL(html).href }, { width: 1200, height: 690 }, async (tab) => {
      check("it says what the README says", (await tab.textContent("h1")).startsWith("Making forkjoin.c:26 50\u202f% faster saves 21"), await tab.textContent("h1"));
      check("with the source as it was", (await tab.textContent(".source")).includes("the bottleneck") && (await tab.locator(".source .harm").count()) === 0, await tab.textContent(".source"));
      await tab.locator("#list [role=option]").first().click();
      await picture(tab, "readme-page");
    });
    const text = run("report", "--color", "always", profile, "forkjoin.c:26");
    writeFileSync(terminal, terminalPage("coz report forkjoin.c:26", text));
    await open({ url: pathToFileURL(terminal).href }, { width: 1000, height: 800 }, async (tab) => {
      const shown = await tab.textContent("pre");
      check("the terminal's impact is JSON's", shown.includes(`${(100 * results[0].impact).toFixed(1)}`), shown);
      check("no code of a terminal is left", !/\x1b/.test(shown));
      const widths = await tab.evaluate(() => {
        const letter = document.querySelector("pre b").getClientRects()[0].width / document.querySelector("pre b").textContent.length;
        return [...document.querySelectorAll(".cell")].map((cell) => cell.getBoundingClientRect().width / letter);
      });
      check("dots are as wide as letters, so that the curve ends where its axis does", widths.length > 100 && widths.every((width) => Math.abs(width - 1) < 0.01), widths.slice(0, 5));
      await tab.locator("pre").screenshot({ path: pictureOf("readme-terminal") });
    });
    for (const name of ["page", "terminal"]) {
      check(`${name}: not too large for a README`, statSync(pictureOf("readme-" + name)).size < BYTES_MOST, statSync(pictureOf("readme-" + name)).size);
      const kept = join(tree, "docs", "pictures", name + ".png"), widthOf = (file) => readFileSync(file).readUInt32BE(16);
      check(`${name}: the README's picture is as wide as the one that is made now; scripts/pictures makes it anew`, existsSync(kept) && widthOf(kept) === widthOf(pictureOf("readme-" + name)));
    }
  });
}
