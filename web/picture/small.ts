// The pictures in a row of the list: the curve in small, and bars for the impact with its interval and for the share of
// the samples. Models are copied with the row and filled then; a curve's paths are put together once for each target, as
// long as the scale stays. Bars are boxes, and lines that are the same in all rows are backgrounds of the list's style:
// both are laid out and painted in a part of the time that paths take.

import type { Result } from "../data";
import { clamp, h, svg } from "../dom";
import type { Scale } from "./scale";

const WIDTH = 88, HEIGHT = 28, MARGIN = 2;

interface Paths {
  scale: Scale;
  band: string;
  curve: string;
}

const kept = new WeakMap<Result, Paths>();

const heightOf = (scale: Scale, effect: number) => HEIGHT - MARGIN - scale.at(effect) * (HEIGHT - 2 * MARGIN);

/** The curve with its band, from 0 (or the slowest) to the fastest that was tried. */
function pathsOf(result: Result, scale: Scale): Paths {
  const known = kept.get(result);
  if (known?.scale === scale) return known;
  const { curve } = result, paths: Paths = { scale, band: "", curve: "" };
  if (curve.length > 0) {
    const first = Math.min(0, curve[0].speedup), last = Math.max(curve[curve.length - 1].speedup, 0.01);
    const x = (speedup: number) => (MARGIN + ((speedup - first) / (last - first)) * (WIDTH - 2 * MARGIN)).toFixed(1);
    const y = (effect: number) => heightOf(scale, effect).toFixed(1);
    const points = [...curve, { speedup: 0, effect: 0, low: 0, high: 0 }].sort((a, b) => a.speedup - b.speedup);
    const upper = points.map((p) => `${x(p.speedup)} ${y(p.high ?? 1)}`);
    const lower = points.map((p) => `${x(p.speedup)} ${y(p.low ?? -1)}`).reverse();
    paths.band = `M${[...upper, ...lower].join("L")}Z`;
    paths.curve = `M${points.map((p) => `${x(p.speedup)} ${y(p.effect)}`).join("L")}`;
  }
  kept.set(result, paths);
  return paths;
}

export function sparkModel(): SVGElement {
  return svg("svg", { class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT }, svg("path", { class: "band" }), svg("path", { class: "curve" }));
}

export function setSpark(picture: SVGElement, result: Result, scale: Scale): void {
  const { band, curve } = pathsOf(result, scale);
  picture.firstElementChild!.setAttribute("d", band);
  picture.lastElementChild!.setAttribute("d", curve);
}

/** Where 0 is in all curves and all bars of a list. */
export function markZero(list: HTMLElement, effect: Scale, impact: Scale): void {
  list.style.setProperty("--zero-of-curves", `${heightOf(effect, 0).toFixed(1)}px`);
  list.style.setProperty("--zero-of-bars", `${(100 * impact.at(0)).toFixed(2)}%`);
}

/** A box from one share of the width to another; hidden where there is none. */
function stretch(box: HTMLElement, from: number | null, to: number | null): void {
  const is = from !== null && to !== null;
  box.hidden = !is;
  if (!is) return;
  box.style.left = `${(100 * Math.min(from, to)).toFixed(2)}%`;
  box.style.width = `${(100 * Math.abs(to - from)).toFixed(2)}%`;
}

/** The impact as a bar from 0, and its interval over it. */
export function impactModel(): HTMLElement {
  return h("span", { class: "impact-bar" }, h("i", { class: "bar" }), h("i", { class: "whisker" }));
}

export function setImpact(picture: HTMLElement, { impact, low, high }: Result, scale: Scale): void {
  const isBounded = impact !== null && low !== null && high !== null;
  stretch(picture.firstElementChild as HTMLElement, impact === null ? null : scale.at(0), impact === null ? null : scale.at(impact));
  stretch(picture.lastElementChild as HTMLElement, isBounded ? scale.at(low) : null, isBounded ? scale.at(high) : null);
}

export function shareModel(): HTMLElement {
  return h("span", { class: "share-bar" }, h("i", { class: "share" }));
}

export function setShare(picture: HTMLElement, share: number | null): void {
  stretch(picture.firstElementChild as HTMLElement, share ? 0 : null, share ? clamp(share, 0, 1) : null);
}
