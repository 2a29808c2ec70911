// What single units of a latency took: the median and the slowest, at each speedup of the chosen target.

import type { Quantile, Result } from "./data";
import { h } from "./dom";
import { briefly, figure, interval, percent, thousands } from "./words";

const NAMES: Record<string, string> = { "0.5": "half take at most", "0.9": "90\u202f% at most", "0.99": "99\u202f% at most" };

function cell(of: Quantile): HTMLElement {
  if (of.time === null) return h("td", {}, "\u2013");
  const saved = of.effect === null ? "" : `, saves ${figure(of.effect)} (${interval(of.low, of.high)})`;
  return h("td", {}, `${briefly(of.time)}${saved}`);
}

/** Nothing where units have no ids. */
export function unitsTable(result: Result): HTMLElement | false {
  const all = result.units ?? [];
  if (all.length === 0 || all.every((at) => at.quantiles.every((of) => of.time === null))) return false;
  return h("div", { class: "units" }, h("h3", {}, "What units take"),
    h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "faster"), ...all[0].quantiles.map((of) => h("th", { scope: "col" }, NAMES[String(of.quantile)] ?? percent(of.quantile))), h("th", { scope: "col" }, "units"))),
      h("tbody", {}, ...all.map((at) => h("tr", {}, h("th", { scope: "row" }, percent(at.speedup)), ...at.quantiles.map(cell), h("td", {}, thousands(at.units)))))));
}
