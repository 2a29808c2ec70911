// The pictures in a row of the list: the curve in small, and the impact with its interval.

import type { Result } from "./data";
import { clamp, svg } from "./dom";
import type { Scale } from "./scale";

const WIDTH = 88, HEIGHT = 28;

/** The curve with its band, from 0 (or the slowest) to the fastest that was tried. */
export function sparkline(result: Result, scale: Scale): SVGElement {
  const picture = svg("svg", { class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, "aria-hidden": "true" });
  const { curve } = result;
  if (curve.length === 0) return picture;
  const first = Math.min(0, curve[0].speedup), last = Math.max(curve[curve.length - 1].speedup, 0.01);
  const x = (speedup: number) => (2 + ((speedup - first) / (last - first)) * (WIDTH - 4)).toFixed(1);
  const y = (effect: number) => (HEIGHT - 2 - scale.at(effect) * (HEIGHT - 4)).toFixed(1);
  const origin = { speedup: 0, effect: 0, low: 0, high: 0 };
  const points = [...curve, origin].sort((a, b) => a.speedup - b.speedup);
  const upper = points.map((p) => `${x(p.speedup)},${y(p.high ?? 1)}`);
  const lower = points.map((p) => `${x(p.speedup)},${y(p.low ?? -1)}`).reverse();
  picture.append(
    svg("line", { class: "zero", x1: 0, x2: WIDTH, y1: y(0), y2: y(0) }),
    svg("polygon", { class: "band", points: [...upper, ...lower].join(" ") }),
    svg("polyline", { class: "curve", points: points.map((p) => `${x(p.speedup)},${y(p.effect)}`).join(" ") }));
  return picture;
}

const at = (share: number) => (100 * clamp(share, 0, 1)).toFixed(2) + "%";

/** The impact as a bar from 0, and its interval over it. */
export function impactBar(result: Result, scale: Scale): SVGElement {
  const picture = svg("svg", { class: "impact-bar", width: "100%", height: 20, "aria-hidden": "true" });
  const zero = scale.at(0);
  picture.append(svg("line", { class: "zero", x1: at(zero), x2: at(zero), y1: 0, y2: 20 }));
  if (result.impact === null) return picture;
  const end = scale.at(result.impact);
  picture.append(svg("rect", { class: "bar", x: at(Math.min(zero, end)), width: at(Math.abs(end - zero)), y: 6, height: 8 }));
  if (result.low !== null && result.high !== null) {
    const low = at(scale.at(result.low)), high = at(scale.at(result.high));
    picture.append(
      svg("line", { class: "whisker", x1: low, x2: high, y1: 10, y2: 10 }),
      svg("line", { class: "whisker", x1: low, x2: low, y1: 6, y2: 14 }),
      svg("line", { class: "whisker", x1: high, x2: high, y1: 6, y2: 14 }));
  }
  return picture;
}

export function shareBar(share: number | null): SVGElement {
  return svg("svg", { class: "share-bar", width: "100%", height: 6, "aria-hidden": "true" },
    svg("rect", { class: "track", width: "100%", height: 6, rx: 1 }),
    svg("rect", { class: "share", width: at(share ?? 0), height: 6, rx: 1 }));
}
