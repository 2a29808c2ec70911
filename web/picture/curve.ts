// The large curve: what the program saves, by how much faster the target is made.

import type { Point, Result, Verified } from "../data";
import { clamp, svg } from "../dom";
import { scaleAround, scaleOf, scaleToBothSides, ticks, type Scale } from "./scale";
import { count, share, visible } from "../words";

export interface CurveOptions {
  width: number;
  height: number;
  singles: boolean;
  cursor: number; // which point of the curve is read; -1: none
  small: boolean; // without words at the axes
  verified?: Verified[]; // what came true, the latest first
  before?: Point[]; // its curve in an older profile
}

interface Frame {
  x: Scale;
  y: Scale;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** So many of what was verified are shown with a target. */
export const VERIFIED_MOST = 5;

const ORIGIN: Point = { speedup: 0, effect: 0, low: 0, high: 0, windows: 0 };

/** Those that have a place in the picture: it is known how much faster the target became. */
const placed = (options: CurveOptions) => (options.verified ?? []).filter((one) => one.line !== null).slice(0, VERIFIED_MOST);

function frameOf(result: Result, options: CurveOptions): Frame {
  const { curve } = result;
  const first = Math.min(0, curve[0]?.speedup ?? 0), last = Math.max(0.1, curve[curve.length - 1]?.speedup ?? 1);
  const effects = curve.map((point) => point.effect);
  const most = Math.max(0.02, ...effects.map(Math.abs));
  // A point of which nothing is known must not flatten all that is: bands end at three times the largest effect.
  const bands = curve.flatMap((point) => [point.low, point.high]).map((bound) => (bound === null ? null : clamp(bound, -3 * most, 3 * most)));
  const achieved = placed(options).flatMap(({ gain }) => [gain.effect, gain.low, gain.high]);
  const earlier = (options.before ?? []).map((point) => point.effect);
  const y = scaleAround([...effects, ...bands, ...achieved, ...earlier]);
  const margin = options.small ? { left: 44, right: 22, top: 8, bottom: 20 } : { left: 56, right: 26, top: 34, bottom: 50 };
  return { x: scaleOf(first, last), y, left: margin.left, top: margin.top, right: options.width - margin.right, bottom: options.height - margin.bottom };
}

const fixed = (value: number) => value.toFixed(1);

/** Functions from speedups and effects to pixels. */
function placer(frame: Frame) {
  return {
    x: (speedup: number) => fixed(frame.left + frame.x.at(speedup) * (frame.right - frame.left)),
    y: (effect: number) => fixed(frame.bottom - frame.y.at(effect) * (frame.bottom - frame.top)),
  };
}

function axes(result: Result, frame: Frame, options: CurveOptions): SVGElement {
  const { x, y } = placer(frame), group = svg("g", { class: "axes" });
  const room = options.small ? 3 : 6;
  for (const tick of ticks(frame.y, options.small ? 3 : 5)) {
    group.append(svg("line", { class: Math.abs(tick) < 1e-9 ? "zero" : "grid", x1: frame.left, x2: frame.right, y1: y(tick), y2: y(tick) }),
      svg("text", { x: frame.left - 8, y: Number(y(tick)) + 4, "text-anchor": "end" }, axisText(tick)));
  }
  for (const tick of ticks(frame.x, room))
    group.append(svg("text", { x: x(tick), y: frame.bottom + (options.small ? 15 : 18), "text-anchor": "middle" }, axisText(Math.abs(tick))));
  if (options.small) return group;
  const what = result.metric === "latency" ? "latency saved" : "time saved for each visit";
  group.append(svg("text", { class: "title", x: 4, y: 16 }, `${what} of ${visible(result.point)}`));
  group.append(svg("text", { class: "title", x: frame.right, y: frame.bottom + 38, "text-anchor": "end" }, "the target made faster by \u2192"));
  if (frame.x.low < 0) {
    group.append(svg("line", { class: "zero", x1: x(0), x2: x(0), y1: frame.top, y2: frame.bottom }),
      svg("text", { class: "title", x: frame.left, y: frame.bottom + 38 }, "\u2190 slower by"));
  }
  return group;
}

export function axisText(value: number): string {
  const text = (100 * value).toFixed(Math.abs(100 * value - Math.round(100 * value)) > 0.05 ? 1 : 0);
  return text.replace("-", "\u2212") + "\u202f%";
}

/** What a profiler of samples would promise: as much as the target's share, and no more. */
function promise(result: Result, frame: Frame): SVGElement | null {
  if (!result.share || frame.x.high <= 0) return null;
  const { x, y } = placer(frame);
  // Up to where it leaves the picture.
  const end = Math.min(frame.x.high, frame.y.high / result.share);
  return svg("g", { class: "promise" },
    svg("line", { x1: x(0), y1: y(0), x2: x(end), y2: y(result.share * end) }));
}

/** Where making the target faster costs, in a curve of harm. */
function loss(result: Result, frame: Frame): SVGElement | null {
  if (result.verdict !== "harmful" || frame.y.low >= 0 || frame.x.high <= 0) return null;
  const { x, y } = placer(frame), top = Number(y(0));
  return svg("g", { class: "loss" },
    svg("rect", { x: x(0), y: top, width: fixed(frame.right - Number(x(0))), height: fixed(frame.bottom - top) }),
    svg("text", { x: frame.right - 6, y: frame.bottom - 8, "text-anchor": "end" }, "\u25bc faster here, slower in all"));
}

/** The slopes on both sides of 0, each drawn on beyond it, so that the bend is seen. */
function kinkMark(result: Result, frame: Frame): SVGElement | null {
  const { kink, curve } = result;
  if (!kink?.shown) return null;
  const { x, y } = placer(frame), group = svg("g", { class: "kink" });
  const slower = Math.max(...curve.map((p) => p.speedup).filter((s) => s < 0)), faster = Math.min(...curve.map((p) => p.speedup).filter((s) => s > 0));
  for (const slope of [kink.slower, kink.faster]) {
    // Up to where it leaves the picture.
    const reach = (end: number) => {
      const bound = slope * end > 0 ? frame.y.high : frame.y.low;
      return Math.abs(slope * end) <= Math.abs(bound) ? end : bound / slope;
    };
    const from = reach(slower), to = reach(faster);
    group.append(svg("line", { x1: x(from), y1: y(slope * from), x2: x(to), y2: y(slope * to) }));
  }
  group.append(svg("path", { class: "diamond", d: `M${x(0)} ${Number(y(0)) - 6}l6 6l-6 6l-6 -6Z` }),
    svg("text", { x: Number(x(0)) + 10, y: Number(y(0)) + 20 }, "kink"));
  return group;
}

/** The curve that the target had before, as far as the picture goes. */
function earlier(frame: Frame, options: CurveOptions): SVGElement | null {
  const shown = [ORIGIN, ...(options.before ?? [])].filter(({ speedup }) => speedup >= frame.x.low && speedup <= frame.x.high);
  if (shown.length < 2) return null;
  const { x, y } = placer(frame), last = shown.sort((a, b) => a.speedup - b.speedup)[shown.length - 1];
  return svg("g", { class: "before" }, svg("polyline", { points: shown.map((p) => `${x(p.speedup)},${y(p.effect)}`).join(" ") }),
    svg("text", { x: Number(x(last.speedup)) - 4, y: Number(y(last.effect)) - 8, "text-anchor": "end" }, "before"));
}

function marks(result: Result, frame: Frame, options: CurveOptions): SVGElement {
  const { x, y } = placer(frame), group = svg("g", { class: result.verdict.replace(/ /g, "-") });
  const points = [...result.curve, ORIGIN].sort((a, b) => a.speedup - b.speedup);
  const upper = points.map((p) => `${x(p.speedup)},${y(p.high ?? 1)}`);
  const lower = points.map((p) => `${x(p.speedup)},${y(p.low ?? -1)}`).reverse();
  group.append(svg("polygon", { class: "band", points: [...upper, ...lower].join(" ") }));
  if (options.singles) group.append(singles(result, frame));
  group.append(svg("polyline", { class: "curve", points: points.map((p) => `${x(p.speedup)},${y(p.effect)}`).join(" ") }));
  if (!options.small) for (const p of result.curve) group.append(svg("circle", { class: "dot", cx: x(p.speedup), cy: y(p.effect), r: 3 }));
  const at = result.curve[options.cursor];
  if (at) {
    group.append(svg("line", { class: "cursor", x1: x(at.speedup), x2: x(at.speedup), y1: frame.top, y2: frame.bottom }),
      svg("circle", { class: "ring", cx: x(at.speedup), cy: y(at.effect), r: 6 }));
  }
  return group;
}

/** What was achieved, by how much faster the target really became: a diamond between both intervals. */
function achieved(frame: Frame, options: CurveOptions): SVGElement | null {
  const all = placed(options);
  if (all.length === 0) return null;
  const { x, y } = placer(frame), group = svg("g", { class: "achieved" });
  const cross = (from: [string, string], to: [string, string]) => svg("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1] });
  for (const { line, gain } of [...all].reverse()) {
    const at = x(line!.effect), high = y(gain.effect);
    if (gain.low !== null && gain.high !== null) group.append(cross([at, y(gain.low)], [at, y(gain.high)]));
    if (line!.low !== null && line!.high !== null) group.append(cross([x(line!.low), high], [x(line!.high), high]));
    group.append(svg("path", { class: "diamond", d: `M${at} ${Number(high) - 6}l6 6l-6 6l-6 -6Z` }));
  }
  const { line, gain } = all[0], right = line!.effect > frame.x.high * 0.6;
  group.append(svg("text", { x: Number(x(line!.effect)) + (right ? -12 : 12), y: Number(y(gain.effect)) + 18, "text-anchor": right ? "end" : "start" }, "achieved"));
  return group;
}

/** So many pixels beside its speedup the i-th window is drawn, so that they do not hide each other. */
const beside = (i: number) => ((i * 7) % 11) - 5;

/** Each window by itself. */
function singles(result: Result, frame: Frame): SVGElement {
  const { x, y } = placer(frame), group = svg("g", { class: "singles" });
  for (let i = 0; 2 * i + 1 < result.singles.length; i++)
    group.append(svg("circle", { cx: fixed(Number(x(result.singles[2 * i])) + beside(i)), cy: y(result.singles[2 * i + 1]), r: 2 }));
  return group;
}

/** How far single windows are from the curve, below it and at the same speedups. */
export function drawResiduals(result: Result, options: CurveOptions): SVGSVGElement {
  const { x, left, right } = frameOf(result, options), height = 112, top = 10, bottom = height - 10;
  const y = scaleToBothSides(Math.max(...result.residuals.map((residual) => Math.abs(residual ?? 0))));
  const frame: Frame = { x, y, left, right, top, bottom }, at = placer(frame), points = svg("g", { class: "singles residuals" });
  result.residuals.forEach((residual, i) => {
    if (residual !== null) points.append(svg("circle", { cx: fixed(Number(at.x(result.singles[2 * i])) + beside(i)), cy: at.y(residual), r: 2 }));
  });
  const lines = [y.low, 0, y.high].flatMap((tick) => [
    svg("line", { class: tick === 0 ? "zero" : "grid", x1: left, x2: right, y1: at.y(tick), y2: at.y(tick) }),
    svg("text", { x: left - 8, y: Number(at.y(tick)) + 4, "text-anchor": "end" }, axisText(tick))]);
  return svg("svg", { class: "large", viewBox: `0 0 ${options.width} ${height}`, width: options.width, height, role: "img",
    "aria-label": `Residuals: ${count(points.childElementCount, "single window")} less the curve, all within ${axisText(y.high)} of it` }, ...lines, points);
}

export function drawCurve(result: Result, options: CurveOptions): SVGSVGElement {
  const frame = frameOf(result, options);
  return svg("svg", { class: "large", viewBox: `0 0 ${options.width} ${options.height}`, width: options.width, height: options.height, "aria-hidden": "true" },
    axes(result, frame, options), ...(options.small ? [] : [loss(result, frame), promise(result, frame), earlier(frame, options)]), marks(result, frame, options),
    ...(options.small ? [] : [kinkMark(result, frame), achieved(frame, options)]));
}

/** Which point of the curve is nearest to that many pixels from the left. */
export function nearestPoint(result: Result, options: CurveOptions, pixels: number): number {
  const { x } = placer(frameOf(result, options));
  let best = -1;
  result.curve.forEach((point, i) => {
    if (best < 0 || Math.abs(Number(x(point.speedup)) - pixels) < Math.abs(Number(x(result.curve[best].speedup)) - pixels)) best = i;
  });
  return best;
}

export const promiseWords = (result: Result): string =>
  result.share ? `Dashed: what its share of the samples, ${share(result.share)}, would promise.` : "";
