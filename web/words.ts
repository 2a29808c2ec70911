// Numbers and names as a person reads them.

import type { ComparedRate, ComparedTarget, Effect, Kink, Point, Progress, Result, Run, Verified, WaitsFor } from "./data";

const MINUS = "\u2212";
const THIN = "\u202f"; // a narrow space that does not break

/** As percent: one digit behind the point below ten. */
export function percent(value: number | null): string {
  return value === null ? "unknown" : figure(value) + THIN + "%";
}

/** A share of the samples, which may be small and still something. */
export function share(value: number | null): string {
  return value !== null && value > 0 && value < 0.0005 ? `<${THIN}0.1${THIN}%` : percent(value);
}

/** The same without the sign of percent. */
export function figure(value: number): string {
  const size = Math.abs(value);
  const text = (100 * size).toFixed(size < 0.0995 ? 1 : 0);
  return (value < 0 && Number(text) !== 0 ? MINUS : "") + text;
}

export function interval(low: number | null, high: number | null): string {
  return low === null || high === null ? "interval unknown" : `${figure(low)} to ${figure(high)}`;
}

export function duration(ns: number): string {
  const seconds = ns / 1e9;
  if (seconds < 10) return seconds.toFixed(1) + " s";
  if (seconds < 120) return seconds.toFixed(0) + " s";
  if (seconds < 7200) return Math.round(seconds / 60) + " min";
  return (seconds / 3600).toFixed(1) + " h";
}

/** What a unit of work takes: "1.9 ms". */
export function briefly(ns: number): string {
  const [size, unit] = ns < 1e3 ? [1, "ns"] : ns < 1e6 ? [1e3, "\u00b5s"] : ns < 1e9 ? [1e6, "ms"] : [1e9, "s"];
  const value = ns / size;
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0) + THIN + unit;
}

/** Not by Intl, which takes a twentieth of a second to be there. */
export const thousands = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

const twoDigits = (number: number): string => String(number).padStart(2, "0");

/** Nanoseconds of the wall clock, as of the clock of whoever looks: "2026-01-31". */
export function day(ns: number): string {
  const date = new Date(ns / 1e6);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** The same to a minute. */
export function moment(ns: number): string {
  const date = new Date(ns / 1e6);
  return `${day(ns)} at ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

export function count(number: number, noun: string): string {
  return `${thousands(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** With the characters that would turn or hide text made visible. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (c) => `\u2039${c.charCodeAt(0).toString(16).padStart(4, "0")}\u203a`);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** What a target is called in short: the last part of its path, or the function's name. */
export function shortName(kind: string, location: string): string {
  if (kind === "line" || kind === "wait") return visible(baseName(location));
  if (kind === "callsite") return visible(location.split(" <- ").map(baseName).join(" \u2190 "));
  if (kind === "file" && location.startsWith("/")) return visible(baseName(location));
  if (kind === "together") return visible(location.split(" + ").map((part) => part.startsWith("/") ? baseName(part) : part).join(" + "));
  return visible(location);
}

export function folderOf(kind: string, location: string): string {
  return kind === "line" || kind === "callsite" ? visible(location.slice(0, location.lastIndexOf("/", location.indexOf(" <- ") < 0 ? undefined : location.indexOf(" <- ")) + 1)) : "";
}

/** The path and line that a target stands at, if it is a line. */
export function placeOf(result: Result): { path: string; line: number } | null {
  if (result.kind !== "line" && result.kind !== "callsite") return null;
  const place = result.location.split(" <- ")[0];
  const colon = place.lastIndexOf(":");
  return { path: place.slice(0, colon), line: Number(place.slice(colon + 1)) };
}

/** "each request", or "the latency of request". */
export function whatOf(progress: { name: string; metric: string }): string {
  const name = visible(progress.name);
  if (progress.metric === "latency") return `the latency of ${name}`;
  return /^[\w -]{1,60}$/.test(name) ? `each ${name}` : `each visit of ${shortName("line", progress.name)}`;
}

/** The point of the curve to speak of: the one nearest to half. */
export function chiefPoint(curve: Point[]): Point | null {
  let best: Point | null = null;
  for (const point of curve)
    if (point.speedup > 0 && (!best || Math.abs(point.speedup - 0.5) < Math.abs(best.speedup - 0.5))) best = point;
  return best;
}

/** A sentence in parts; every other one, from the second on, is what matters in it. */
export type Sentence = string[];

function howFast(point: Point): string {
  return `${figure(Math.abs(point.speedup))}${THIN}% ${point.speedup < 0 ? "slower" : "faster"}`;
}

/** Its interval, on the side of what is saved or of what is lost. */
function bounds(point: Point): string {
  if (point.low === null || point.high === null || point.effect >= 0) return interval(point.low, point.high);
  return interval(-point.high, -point.low);
}

/** What a curve says at one of its points. */
export function pointSentence(result: Result, point: Point): Sentence {
  const what = whatOf({ name: result.point, metric: result.metric });
  return ["Making ", shortName(result.kind, result.location), ` ${howFast(point)} ${point.effect >= 0 ? "saves" : "costs"} `,
    percent(Math.abs(point.effect)), ` of ${what} (${bounds(point)}).`];
}

/** The same, where it is plain what is spoken of. */
export function pointWords(point: Point): Sentence {
  return ["Made ", howFast(point), point.effect >= 0 ? ": saves " : ": costs ", percent(Math.abs(point.effect)), ` (${bounds(point)}).`];
}

/** What is found about a target. */
export function finding(result: Result): Sentence {
  const name = shortName(result.kind, result.location);
  const point = chiefPoint(result.curve);
  if (result.impact === null || !point)
    return ["", name, " was tried too seldom to say anything yet."];
  if (result.verdict === "not enough data")
    return ["Not enough data on ", name,
      `: made faster without end it may save ${interval(result.low, result.high)}${THIN}% of ${whatOf({ name: result.point, metric: result.metric })}.`];
  if (result.verdict === "no effect")
    return ["Making ", name, ` faster has no effect on ${whatOf({ name: result.point, metric: result.metric })}`, "",
      ` (${interval(result.low, result.high)}${THIN}% if it took no time at all).`];
  return pointSentence(result, point);
}

export function plain(sentence: Sentence): string {
  return sentence.join("");
}

/** The answer for a progress point, as a person would say it. */
export function answer(progress: Progress): Sentence {
  const best = progress.results[0];
  if (best && best.verdict === "improves") return finding(best);
  const harmful = progress.results.find((result) => result.verdict === "harmful");
  const open = progress.results.filter((result) => result.verdict === "not enough data").length;
  const what = whatOf(progress);
  if (open > 0)
    return [`Nothing is shown to make ${what} shorter yet; `, count(open, "target"), ` ${open === 1 ? "has" : "have"} not enough data. Run longer: runs add up.`];
  if (harmful) return [`Nothing that was tried makes ${what} shorter, and some makes it longer: `, shortName(harmful.kind, harmful.location), "."];
  return [`Nothing that was tried makes ${what} shorter. `, "", "Its time goes into waiting, or into code that is out of scope."];
}

/** How sure the best answer is, and what it would take to be surer. */
export function certainty(result: Result): string {
  const more = result.to_5_points;
  if (result.impact === null) return "";
  if (more === null) return "A longer run hardly narrows this interval.";
  return more === 0 ? "Its impact is known to 5 points either way." : `About ${duration(more)} more of run time to know it to 5 points either way.`;
}

/** A number of percent for each percent. */
function rate(value: number): string {
  return (value < 0 ? MINUS : "") + Math.abs(value).toFixed(2);
}

/** What a kink at 0 says, and what it means. */
export function kinkWords(kink: Kink): string {
  const change = `${rate(kink.change)}, ${kink.low === null || kink.high === null ? "interval unknown" : `${rate(kink.low)} to ${rate(kink.high)}`}`;
  if (!kink.shown) return `No kink at 0 is shown: the slope changes by ${change}.`;
  const side = (saved: number) => `${saved < 0 ? "costs" : "saves"} ${rate(Math.abs(saved))}${THIN}%`;
  const sides = `made slower it ${side(-kink.slower)} for each percent, made faster it ${side(kink.faster)} (the slope changes by ${change}).`;
  return `A kink at 0: ${sides}${kink.change < 0 ? " Something else that has to be waited for is about as slow as it." : ""}`;
}

/** Why a target has no effect. */
export function waitsForWords(waits: WaitsFor): string {
  const place = waits.place ? `at ${visible(baseName(waits.place))}` : "in code that is not in scope";
  const where = waits.by ? `for ${visible(baseName(waits.by))}` : `${place} (${visible(waits.class)})`;
  return `Its threads wait ${percent(waits.share)} of the time ${where}.`;
}

/** How much that is, without its sign, and between what on the side of that sign: "20 % (18 to 22)". */
function size({ effect, low, high }: Effect): string {
  return `${percent(Math.abs(effect))} (${low === null || high === null ? interval(low, high) : effect < 0 ? interval(-high, -low) : interval(low, high)})`;
}

const OUTCOMES: Record<Verified["outcome"], string> = {
  kept: "It came true: ", less: "It came true in part: ", more: "It was exceeded: ", gained: "A gain, of which nothing was promised: ", nothing: "No gain is shown: ",
  lost: "It became slower: ",
};

/** What came of a promise. */
export function verifiedSentence(verified: Verified): Sentence {
  const { gain, line, promise, location, kind } = verified, what = whatOf({ name: verified.point, metric: verified.metric });
  const made = location !== null && line ? [shortName(kind ?? "line", location), ` became ${size(line)} ${line.effect < 0 ? "slower" : "faster"}, and that `] : ["", "the change "];
  return [OUTCOMES[verified.outcome], made[0], `${made[1]}${gain.effect < 0 ? "cost" : "saved"} `, size(gain), ` of ${what}`, "",
    promise ? `; ${promise.effect < 0 ? "a loss of " : ""}${size(promise)} was promised.` : "."];
}

/** When and how that was found. */
export function verifiedWhen(verified: Verified): string {
  return `${verified.time > 0 ? day(verified.time) + ", " : ""}${count(verified.rounds, "pair")} of runs`;
}

/** Points of percent, with their sign: "+12 points". */
export function points(value: number): string {
  return `${value > 0 ? "+" : ""}${figure(value)} points`;
}

export const changedBy = (target: ComparedTarget): string => (target.change === null ? "unknown" : points(target.change));

/** How fast the program went. */
function speed(rate: ComparedRate, value: number | null): string {
  if (value === null) return "unknown";
  return rate.metric === "latency" ? briefly(1e9 * value) : `${value < 100 ? value.toPrecision(3) : thousands(Math.round(value))} a second`;
}

/** What became of the rate, or the latency, of a progress point. */
export function rateSentence(rate: ComparedRate): Sentence {
  const what = `${rate.metric === "latency" ? "Latency" : "Rate"} of ${visible(rate.point)}`;
  const both = `${what}: ${speed(rate, rate.before)} before, ${speed(rate, rate.after)} after; `;
  if (rate.change === null) return [both + "not enough data to compare."];
  const by = `${rate.change > 0 ? "+" : ""}${percent(rate.change)}`, range = ` (${interval(rate.low, rate.high)}).`;
  if (rate.verdict === "changed") return [both + "changed by ", by, range];
  return [`${both}${rate.verdict === "not enough" ? "not enough data to tell" : "no change shown"}: ${by}${range}`];
}

/** What became of a target's impact, where both profiles tried it. */
export function changeSentence({ before, after, change, low, high, verdict }: ComparedTarget): Sentence {
  const from = `from ${percent(before!.impact)} before to ${percent(after!.impact)}`;
  if (change === null) return ["Whether its impact changed is not known yet."];
  const by = `${points(change)} (${interval(low, high)})`;
  if (verdict === "changed") return ["Its impact changed by ", by, `, ${from}.`];
  return [`${verdict === "not enough" ? "Too little is known to tell whether its impact changed" : "No change of its impact is shown"}: ${from}, ${by}.`];
}

/** The machine that a run was on. */
export function machineOf(run: Run): string | null {
  if (run.cores === null) return null;
  const cores = run.allowed !== null && run.allowed < run.cores ? `${run.allowed} of ${count(run.cores, "core")}` : count(run.cores, "core");
  return run.model ? `${cores}, ${visible(run.model)}` : cores;
}

/** What else went on there. */
export function loadOf(run: Run): string[] {
  if (run.cores === null) return [];
  const words = [`load ${(run.load ?? 0).toFixed(1)} before the run`];
  if (run.others !== null) words.push(`others took ${percent(run.others)} of the machine`);
  if (run.stolen !== null) words.push(run.stolen > 0 ? `${percent(run.stolen)} was stolen by its host` : "nothing was stolen by a host");
  return words;
}
