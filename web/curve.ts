// The large curve: what the program saves, by how much faster the target is made.

import type { Point, Result } from "./data";
import { clamp, svg } from "./dom";
import { scaleAround, scaleOf, ticks, type Scale } from "./scale";
import { share, visible } from "./words";

export interface CurveOptions {
  width: number;
  height: number;
  singles: boolean;
  cursor: number; // which point of the curve is read; -1: none
  small: boolean; // without words at the axes
}

interface Frame {
  x: Scale;
  y: Scale;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const ORIGIN: Point = { speedup: 0, effect: 0, low: 0, high: 0, windows: 0 };

function frameOf(result: Result, options: CurveOptions): Frame {
  const { curve } = result;
  const first = Math.min(0, curve[0]?.speedup ?? 0), last = Math.max(0.1, curve[curve.length - 1]?.speedup ?? 1);
  const effects = curve.map((point) => point.effect);
  const most = Math.max(0.02, ...effects.map(Math.abs));
  // A point of which nothing is known must not flatten all that is: bands end at three times the largest effect.
  const bands = curve.flatMap((point) => [point.low, point.high]).map((bound) => (bound === null ? null : clamp(bound, -3 * most, 3 * most)));
  const y = scaleAround([...effects, ...bands]);
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

/** Each window by itself, beside its speedup so that they do not hide each other. */
function singles(result: Result, frame: Frame): SVGElement {
  const { x, y } = placer(frame), group = svg("g", { class: "singles" });
  for (let i = 0; i + 1 < result.singles.length; i += 2) {
    const beside = (((i / 2) * 7) % 11) - 5;
    group.append(svg("circle", { cx: fixed(Number(x(result.singles[i])) + beside), cy: y(result.singles[i + 1]), r: 2 }));
  }
  return group;
}

export function drawCurve(result: Result, options: CurveOptions): SVGSVGElement {
  const frame = frameOf(result, options);
  return svg("svg", { class: "large", viewBox: `0 0 ${options.width} ${options.height}`, width: options.width, height: options.height, "aria-hidden": "true" },
    axes(result, frame, options), options.small ? null : promise(result, frame), marks(result, frame, options));
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
