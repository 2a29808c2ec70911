// The pictures in a row of the list: the curve in small, and the impact with its interval. Models are copied with the row,
// and their paths are set then; a path is put together once for each target, as long as the scale stays.

import type { Result } from "./data";
import { clamp, svg } from "./dom";
import type { Scale } from "./scale";

const WIDTH = 88, HEIGHT = 28;
const WIDE = 1000, THICK = 20; // of bars, which are stretched to their column

interface Paths {
  scale: Scale;
  paths: string[];
}

/** Keeps what `make` made of a result, for as long as it is asked for with the same scale. */
function kept(make: (result: Result, scale: Scale) => string[]): (result: Result, scale: Scale) => string[] {
  const all = new WeakMap<Result, Paths>();
  return (result, scale) => {
    const known = all.get(result);
    if (known?.scale === scale) return known.paths;
    const paths = make(result, scale);
    all.set(result, { scale, paths });
    return paths;
  };
}

function setPaths(picture: SVGElement, paths: string[]): void {
  let element = picture.firstElementChild;
  for (const path of paths) {
    if (path) element!.setAttribute("d", path);
    element = element!.nextElementSibling;
  }
}

/** The curve with its band, from 0 (or the slowest) to the fastest that was tried. */
const sparkPaths = kept((result, scale) => {
  const { curve } = result;
  if (curve.length === 0) return [];
  const first = Math.min(0, curve[0].speedup), last = Math.max(curve[curve.length - 1].speedup, 0.01);
  const x = (speedup: number) => (2 + ((speedup - first) / (last - first)) * (WIDTH - 4)).toFixed(1);
  const y = (effect: number) => (HEIGHT - 2 - scale.at(effect) * (HEIGHT - 4)).toFixed(1);
  const origin = { speedup: 0, effect: 0, low: 0, high: 0 };
  const points = [...curve, origin].sort((a, b) => a.speedup - b.speedup);
  const upper = points.map((p) => `${x(p.speedup)} ${y(p.high ?? 1)}`);
  const lower = points.map((p) => `${x(p.speedup)} ${y(p.low ?? -1)}`).reverse();
  return [`M0 ${y(0)}H${WIDTH}`, `M${[...upper, ...lower].join("L")}Z`, `M${points.map((p) => `${x(p.speedup)} ${y(p.effect)}`).join("L")}`];
});

export function sparkModel(): SVGElement {
  return svg("svg", { class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT },
    svg("path", { class: "zero" }), svg("path", { class: "band" }), svg("path", { class: "curve" }));
}

export function setSpark(picture: SVGElement, result: Result, scale: Scale): void {
  setPaths(picture, sparkPaths(result, scale));
}

/** The impact as a bar from 0, and its interval over it. */
const impactPaths = kept((result, scale) => {
  const at = (share: number) => (WIDE * clamp(share, 0, 1)).toFixed(1);
  const zero = at(scale.at(0)), paths = [`M${zero} 0V${THICK}`];
  if (result.impact === null) return paths;
  paths.push(`M${zero} 6H${at(scale.at(result.impact))}V14H${zero}Z`);
  if (result.low !== null && result.high !== null) {
    const low = at(scale.at(result.low)), high = at(scale.at(result.high));
    paths.push(`M${low} 6V14M${low} 10H${high}M${high} 6V14`);
  }
  return paths;
});

const stretched = { width: "100%", preserveAspectRatio: "none" };

export function impactModel(): SVGElement {
  return svg("svg", { class: "impact-bar", viewBox: `0 0 ${WIDE} ${THICK}`, height: THICK, ...stretched },
    svg("path", { class: "zero" }), svg("path", { class: "bar" }), svg("path", { class: "whisker" }));
}

export function setImpact(picture: SVGElement, result: Result, scale: Scale): void {
  setPaths(picture, impactPaths(result, scale));
}

export function shareModel(): SVGElement {
  return svg("svg", { class: "share-bar", viewBox: `0 0 ${WIDE} 6`, height: 6, ...stretched }, svg("path", { class: "share" }));
}

export function setShare(picture: SVGElement, share: number | null): void {
  if (share) picture.firstElementChild!.setAttribute("d", `M0 0H${(WIDE * clamp(share, 0, 1)).toFixed(1)}V6H0Z`);
}
