// The pictures in the README: of the page, and of the terminal. scripts/pictures puts them there.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, coz, folder, open, picture, pictureOf, test, tree } from "./harness.mjs";
import { terminalPage } from "./terminal.mjs";

const profile = join(tree, "docs", "pictures", "forkjoin.jsonl"), BYTES_MOST = 150e3;
/** Where the sources lie as they were when the program was run, whenever this tree was checked out. */
const place = join(folder, "readme");

const run = (...args) => execFileSync(coz, args, { cwd: place, encoding: "utf8", env: { ...process.env, LC_ALL: "C.UTF-8", COLUMNS: "95", NO_COLOR: "" } });

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
      check("it says what the README says", (await tab.textContent("h1")).startsWith("Making forkjoin.c:26 50\u202f% faster saves 19"), await tab.textContent("h1"));
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
