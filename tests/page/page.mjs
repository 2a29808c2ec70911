// The page in Chromium: page.mjs COZ PICTURES. The profiles are made up by profile.mjs.

import { createHash } from "node:crypto";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish, folder, makePage } from "./harness.mjs";
import { testExplained } from "./explained.mjs";
import { testEmpty, testHostile, testLooks, testSize, testSources } from "./looks.mjs";
import { testCurves, testNumbers, testRuns } from "./numbers.mjs";
import { testReadme } from "./readme.mjs";
import { testReal } from "./real.mjs";
import { fewTargets, manyTargets, profileLines, workerSource } from "./profile.mjs";
import { testBreak, testBrought, testGrowing, testServed, testSteered } from "./served.mjs";
import { testFiles, testKeyboard, testMouse, testRowsStay } from "./use.mjs";
import { testVerified } from "./verified.mjs";

const source = join(folder, "worker.c");
writeFileSync(source, workerSource());
utimesSync(source, new Date(1.6e12), new Date(1.6e12));
const points = [{ name: "request", metric: "throughput" }, { name: "request", metric: "latency", hasIds: true }, { name: "main.c:33", metric: "throughput" }];
const machine = { cores: 8, allowed: 4, model: "Some Processor <b>9000</b> @ 3.00GHz", load: 1.25 };
const stolen = (began) => (began > 5e9 && began < 8e9 ? 0.08 : began > 20e9 && began < 20.5e9 ? 0.4 : 0);
const sources = [{ type: "source", path: source, sha256: createHash("sha256").update(workerSource()).digest("hex") }];
const few = makePage("few", profileLines({ targets: fewTargets(source), points, speedups: [-0.5, 0.25, 0.5, 0.75, 1], machine, stolen, sources }));
const many = makePage("many", profileLines({ targets: manyTargets(300) }));

await testNumbers("few targets", few);
await testNumbers("many targets", many);
await testCurves("few targets", few);
await testReal();
await testRuns(few);
await testKeyboard(few);
await testMouse(few, workerSource());
await testFiles(few);
await testRowsStay(many);
await testLooks(few, many);
await testSize(few);
await testHostile();
await testSources(few, source);
await testEmpty();
await testVerified();
await testReadme();
await testServed(few);
await testGrowing();
await testBreak();
await testBrought(few);
await testSteered();
await testExplained(few);
await finish();
