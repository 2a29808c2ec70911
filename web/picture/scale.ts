// From numbers to places.

import type { Result } from "../data";
import { clamp } from "../dom";

export interface Scale {
  low: number;
  high: number;
  at(value: number): number; // 0 at low, 1 at high; what is beyond stays at the edge
}

export function scaleOf(low: number, high: number): Scale {
  return { low, high, at: (value) => (clamp(value, low, high) - low) / (high - low) };
}

/** Round steps, about `most` of them. */
export function ticks(scale: Scale, most: number): number[] {
  const rough = (scale.high - scale.low) / most, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((s) => s >= rough * 0.999)!;
  const result: number[] = [];
  for (let i = Math.ceil(scale.low / step - 1e-9); i * step <= scale.high + 1e-9; i++) result.push(i * step);
  return result;
}

/** Up or down to a step that a person would choose, so that the edge of a picture is a round number. */
function roomy(value: number): number {
  const size = Math.abs(value);
  const step = size > 0.5 ? 0.25 : size > 0.2 ? 0.1 : size > 0.05 ? 0.05 : 0.02;
  return (Math.sign(value) * Math.ceil(size / step - 1e-9)) * step;
}

/** As far to either side of 0, and a round number. */
export function scaleToBothSides(most: number): Scale {
  const edge = Math.min(1, roomy(Math.max(0.02, most)));
  return scaleOf(-edge, edge);
}

/** The smallest and the largest of numbers, and of 0. */
class Range {
  private low = 0;
  private high = 0;

  add(value: number | null): void {
    if (value === null) return;
    if (value < this.low) this.low = value;
    if (value > this.high) this.high = value;
  }

  /** Of round numbers, within -1 and 1. */
  scale(): Scale {
    const low = Math.max(-1, roomy(this.low)), high = Math.min(1, roomy(this.high));
    return scaleOf(low, high - low < 0.1 ? low + 0.1 : high);
  }
}

/** Holds 0 and all those numbers, within -1 and 1. */
export function scaleAround(values: (number | null)[]): Scale {
  const range = new Range();
  for (const value of values) range.add(value);
  return range.scale();
}

const answered = (result: Result) => result.verdict !== "not enough data";

export interface Scales {
  impact: Scale;
  effect: Scale;
}

/** One scale for all impacts of a list, and one for all its curves: rows can be compared. What is not known yet
 * would stretch them over all that is. */
export function scalesOf(results: Result[]): Scales {
  const isKnown = results.some(answered), impact = new Range(), effect = new Range();
  for (const result of results) {
    if (isKnown && !answered(result)) continue;
    impact.add(result.impact);
    impact.add(result.low);
    impact.add(result.high);
    for (const saved of result.effects) effect.add(saved);
  }
  return { impact: impact.scale(), effect: effect.scale() };
}
