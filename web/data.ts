// What the page is given: the tree of `coz report --format json`, in a script element of its own.
// docs/design/profile.md says what each member means; null is what is not known.

export type Verdict = "improves" | "no effect" | "harmful" | "not enough data";

export interface Point {
  speedup: number;
  effect: number;
  low: number | null;
  high: number | null;
  windows: number;
}

export interface Result {
  kind: string;
  location: string;
  point: string;
  metric: "throughput" | "latency";
  samples: number;
  share: number | null;
  verdict: Verdict;
  impact: number | null;
  low: number | null;
  high: number | null;
  function: string | null;
  group: number | null;
  more: number | null; // run time until there is a verdict
  to_5_points: number | null; // and until the impact is known to 5 points either way
  curve: Point[];
  singles: number[];
  rank: number; // from 1, among those of its progress point
}

export interface Run {
  time: number;
  program: string | null;
  sampler: string | null;
  granularity: string;
  runtime: number;
  tried: number;
  windows: number;
}

export interface Piece {
  run: number;
  kind: string;
  location: string;
  start: number;
  length: number;
  windows: number;
}

export interface Source {
  path: string;
  modified: number;
  parts: { from: number; lines: string[] }[];
  shares: [number, number][];
}

export interface Sum {
  name: string;
  share: number;
  share_with_called?: number | null;
}

export interface Report {
  version: string;
  runtime: number;
  windows: number;
  samples: number;
  control_spread: number | null;
  results: Result[];
  hidden: { location: string; why: string }[];
  functions: Sum[];
  files: Sum[];
  runs: Run[];
  tried: Piece[];
  sources: Source[];
}

/** A progress point: throughput and latency of the same name are two. */
export interface Progress {
  name: string;
  metric: "throughput" | "latency";
  results: Result[];
}

interface Packed {
  count: number;
  same: Record<string, unknown>;
  each: Record<string, unknown[]>;
}

function unpackCurve(row: number[]): Point[] {
  const curve: Point[] = [];
  for (let i = 0; i + 4 < row.length; i += 5)
    curve.push({ speedup: row[i], effect: row[i + 1], low: row[i + 2], high: row[i + 3], windows: row[i + 4] });
  return curve;
}

// The reverse of src/report/page/pack.c.
function unpackResults(packed: Packed): Result[] {
  const results: Result[] = [];
  for (let i = 0; i < packed.count; i++) {
    const result: Record<string, unknown> = { ...packed.same };
    for (const member in packed.each) result[member] = packed.each[member][i];
    result.curve = unpackCurve(result.curve as number[]);
    results.push(result as unknown as Result);
  }
  return results;
}

export function readReport(): Report {
  const report = JSON.parse(document.getElementById("data")!.textContent!);
  report.results = unpackResults(report.results);
  report.runs ??= [];
  report.tried ??= [];
  return report;
}

/** The results of each progress point, in their ranking. */
export function progressOf(report: Report): Progress[] {
  const points = new Map<string, Progress>();
  for (const result of report.results) {
    const key = result.metric + " " + result.point;
    let progress = points.get(key);
    if (!progress) points.set(key, (progress = { name: result.point, metric: result.metric, results: [] }));
    progress.results.push(result);
    result.rank = progress.results.length;
  }
  return [...points.values()];
}
