// Profiles of real programs: all that the page shows of them is what JSON says.

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { check, makePage, test } from "./harness.mjs";
import { testCurves, testNumbers } from "./numbers.mjs";

const profiles = join(dirname(fileURLToPath(import.meta.url)), "profiles");

export async function testReal() {
  const names = readdirSync(profiles).sort();
  await test("profiles of real programs", () => check("there are some, of both forms", ["memcached", "pbzip2", "sqlite", "original"].every((wanted) => names.some((name) => name.startsWith(wanted))), names));
  for (const name of names) {
    const page = makePage(name.replace(/\W/g, "-"), readFileSync(join(profiles, name), "utf8").trimEnd().split("\n"));
    await testNumbers(name, page);
    await testCurves(name, page);
  }
}
