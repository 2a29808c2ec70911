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

/** The slopes on both sides of 0: what is saved for each unit of speedup. */
export interface Kink {
  slower: number;
  faster: number;
  change: number; // the latter less the former
  low: number | null;
  high: number | null;
  shown: boolean; // the interval of the change leaves out 0
}

/** What the threads of a target without effect wait for. */
export interface WaitsFor {
  share: number; // of their time
  by: string | null; // the place that ends it; null: unknown, or several do
  class: string;
  place: string; // of the wait; "": not in scope
}

/** What units of a latency took: the share `quantile` of them at most `time`. */
export interface Quantile {
  quantile: number;
  time: number | null;
  time_low: number | null;
  time_high: number | null;
  effect: number | null; // saved of the time when nothing is changed
  low: number | null;
  high: number | null;
}

/** At one speedup of the target. */
export interface Units {
  speedup: number;
  units: number;
  quantiles: Quantile[];
}

/** A way to a target, from the innermost frame outwards. */
export interface Stack {
  share: number; // of the target's samples
  frames: { function: string | null; place: string | null; inlined: boolean }[];
}

export interface Result {
  id: string; // "kind location", as it stands in the address
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
  effects: number[]; // of its points
  kink: Kink | null;
  waits_for: WaitsFor | null;
  stacks?: Stack[]; // the most frequent first
  singles: number[]; // a speedup and an effect in turn
  residuals: (number | null)[]; // of each of them: its effect less the curve's
  units?: Units[]; // of latencies whose units have ids; 0 first
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
  discarded: number;
  cores: number | null;
  allowed: number | null; // of these
  model: string | null;
  load: number | null; // before the run, in tasks
  others: number | null; // what other programs took of the machine
  stolen: number | null; // and what its host did
  slices: { length: number; shares: (number | null)[] } | null; // what was stolen, in the course of the run
  remarks: { at: number; text: string; remedy: string | null }[]; // what the user was told of it, and when
}

export interface Piece {
  id: string; // of its target
  run: number;
  kind: string;
  location: string;
  start: number;
  length: number;
  windows: number;
  began: number | null; // in real time since the run's start
  lasted: number | null;
  stolen: number | null;
}

export interface Source {
  path: string;
  modified: number;
  changed: "built" | "profiled" | "" | null; // since then, by content; null: unknown
  parts: { from: number; lines: string[] }[];
  shares: [number, number][];
}

/** A share that is saved, and its interval. */
export interface Effect {
  effect: number;
  low: number | null;
  high: number | null;
}

/** What `coz verify` found of two builds. */
export interface Verified {
  time: number;
  point: string;
  metric: "throughput" | "latency";
  kind: string | null;
  location: string | null; // the target; null: none was looked at
  before: string; // the commands
  after: string;
  rounds: number;
  gain: Effect;
  line: Effect | null; // how much faster the target became
  promise: Effect | null; // what the profile says for that much
  outcome: "nothing" | "lost" | "gained" | "kept" | "less" | "more";
}

/** One profile of two, as a whole. */
export interface ComparedSide {
  profile: string;
  runs: number;
  runtime: number;
  windows: number;
}

export type Change = "changed" | "no change shown" | "not enough";

/** How fast the program went where nothing was sped up. */
export interface ComparedRate {
  point: string;
  metric: "throughput" | "latency";
  before: number | null; // visits a second; of a latency, seconds
  after: number | null;
  change: number | null; // a share of that
  low: number | null;
  high: number | null;
  verdict: Change;
}

/** A target in one of two profiles. */
export interface ComparedImpact {
  location: string;
  impact: number | null;
  low: number | null;
  high: number | null;
  verdict: Verdict;
  curve: Point[];
}

export interface ComparedTarget {
  kind: string;
  point: string;
  metric: "throughput" | "latency";
  matched: string; // how it was found again; "none": only one has it
  before: ComparedImpact | null;
  after: ComparedImpact | null;
  change: number | null; // of the impact
  low: number | null;
  high: number | null;
  verdict: Change | null;
}

/** What changed from an older profile to this one. */
export interface Compared {
  before: ComparedSide;
  after: ComparedSide;
  notes: string[];
  rates: ComparedRate[];
  targets: ComparedTarget[];
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
  verified: Verified[]; // the latest last
  compared: Compared | null;
}

/** A progress point: throughput and latency of the same name are two. */
export interface Progress {
  name: string;
  metric: "throughput" | "latency";
  results: Result[];
  find(id: string): Result | undefined;
}

interface Packed {
  count: number;
  same: Record<string, unknown>;
  each: Record<string, unknown[] | { texts: string[]; at: number[] }>;
}

/** What a curve is made of, as the page is given it: a row for each member. */
interface CurveRows {
  curve_speedup: number[];
  curve_effect: number[];
  curve_low: (number | null)[];
  curve_high: (number | null)[];
  curve_windows: number[];
}

// The reverse of src/report/page/pack.c. Of thousands of results few are looked at closely: each reads its members where
// they are, and its curve is put together when it is asked for.
function unpackResults(packed: Packed): Result[] {
  class Unpacked {
    rank = 0;
    private made: Point[] | null = null;
    constructor(readonly index: number) {}
    get id(): string {
      const { kind, location } = this as unknown as Result;
      return `${kind} ${location}`;
    }
    get effects(): number[] {
      return (this as unknown as CurveRows).curve_effect;
    }
    get curve(): Point[] {
      const { curve_speedup, curve_effect, curve_low, curve_high, curve_windows } = this as unknown as CurveRows;
      return (this.made ??= curve_speedup.map((speedup, i) => ({ speedup, effect: curve_effect[i], low: curve_low[i], high: curve_high[i], windows: curve_windows[i] })));
    }
  }
  for (const [member, value] of Object.entries(packed.same)) Object.defineProperty(Unpacked.prototype, member, { value });
  for (const [member, column] of Object.entries(packed.each)) {
    const get = Array.isArray(column) ? function (this: Unpacked) { return column[this.index]; } : function (this: Unpacked) { return column.texts[column.at[this.index]]; };
    Object.defineProperty(Unpacked.prototype, member, { get });
  }
  return Array.from({ length: packed.count }, (_, i) => new Unpacked(i) as unknown as Result);
}

export function readReport(): Report {
  return parseReport(document.getElementById("data")!.textContent!);
}

export function parseReport(text: string): Report {
  const report = JSON.parse(text);
  report.results = unpackResults(report.results);
  report.runs ??= [];
  report.tried ??= [];
  report.verified ??= [];
  report.compared ??= null;
  for (const piece of report.tried as Piece[]) piece.id = `${piece.kind} ${piece.location}`;
  return report;
}

function makeProgress({ point, metric }: Result): Progress {
  const results: Result[] = [];
  let last: Result | undefined;
  // Few are looked for, of which most are the one that is chosen.
  const find = (id: string) => {
    if (last?.id === id) return last;
    const space = id.indexOf(" "), kind = id.slice(0, space), location = id.slice(space + 1);
    return (last = results.find((result) => result.location === location && result.kind === kind));
  };
  return { name: point, metric, results, find };
}

/** The results of each progress point, in their ranking. */
export function progressOf(report: Report): Progress[] {
  const points = new Map<string, Progress>();
  for (const result of report.results) {
    const key = result.metric + " " + result.point;
    let progress = points.get(key);
    if (!progress) points.set(key, (progress = makeProgress(result)));
    progress.results.push(result);
    result.rank = progress.results.length;
  }
  return [...points.values()];
}

/** What of the page cannot be changed in place when another report comes: the progress points and the kinds of targets. */
export function shapeOf(report: Report): string {
  const kinds = new Set(report.results.map((result) => result.kind));
  return JSON.stringify([progressOf(report).map(({ name, metric }) => [metric, name]), [...kinds].sort()]);
}

/** What was verified of a target, for its progress point; the latest first. */
export function verifiedOf(report: Report, result: Result): Verified[] {
  return report.verified.filter((one) => one.kind === result.kind && one.location === result.location && one.point === result.point && one.metric === result.metric).reverse();
}

/** The last of it for each target of a progress point. */
export function lastVerified(report: Report, progress: Progress): Map<string, Verified> {
  const ours = report.verified.filter(({ point, metric, location }) => location !== null && point === progress.name && metric === progress.metric);
  return new Map(ours.map((one) => [`${one.kind} ${one.location}`, one]));
}
