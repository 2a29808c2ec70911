// The page in Chromium: page.mjs COZ PICTURES. The profiles are made up by profile.mjs.

import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish, folder, makePage } from "./harness.mjs";
import { testEmpty, testHostile, testLooks, testSize, testSources } from "./looks.mjs";
import { testCurves, testNumbers } from "./numbers.mjs";
import { fewTargets, manyTargets, profileLines, workerSource } from "./profile.mjs";
import { testFiles, testKeyboard, testMouse } from "./use.mjs";

const source = join(folder, "worker.c");
writeFileSync(source, workerSource());
utimesSync(source, new Date(1.6e12), new Date(1.6e12));
const points = [{ name: "request", metric: "throughput" }, { name: "request", metric: "latency" }, { name: "main.c:33", metric: "throughput" }];
const few = makePage("few", profileLines({ targets: fewTargets(source), points, speedups: [-0.5, 0.25, 0.5, 0.75, 1] }));
const many = makePage("many", profileLines({ targets: manyTargets(300) }));

await testNumbers("few targets", few);
await testNumbers("many targets", many);
await testCurves(few);
await testKeyboard(few);
await testMouse(few, workerSource());
await testFiles(few);
await testLooks(few, many);
await testSize(few);
await testHostile();
await testSources(few, source);
await testEmpty();
await finish();
