// What was tried when, as a strip for each run; what is left out and why.

import type { Piece, Report, Run } from "./data";
import { h, refill, svg } from "./dom";
import { idOf, type Store } from "./state";
import { count, duration, percent, shortName, visible } from "./words";

const RUNS_SHOWN = 12, LEFT_OUT_SHOWN = 10;

function at(value: number, whole: number): string {
  return ((100 * value) / whole).toFixed(3) + "%";
}

function strip(run: Run, pieces: Piece[], length: number, store: Store): SVGElement {
  const picture = svg("svg", { class: "strip", width: "100%", height: 22, "aria-hidden": "true" },
    svg("rect", { class: "track", width: at(Math.max(run.runtime, run.tried), length), height: 22 }));
  pieces.forEach((piece, i) => {
    const chosen = idOf(piece) === store.state.target;
    picture.append(svg("rect", { class: `piece ${chosen ? "chosen" : i % 2 ? "odd" : "even"}`, x: at(piece.start, length), width: at(piece.length, length), height: 22,
      click: () => store.set({ target: idOf(piece) }) },
      svg("title", {}, `${visible(piece.location)}: ${count(piece.windows, "window")}, ${duration(piece.length)}`)));
  });
  return picture;
}

function when(run: Run): string {
  return run.time > 0 ? new Date(run.time / 1e6).toLocaleString() : "at an unknown time";
}

export class Runs {
  readonly element = h("section", { class: "runs", "aria-label": "The runs" });

  constructor(private store: Store, private report: Report) {}

  update(): void {
    const { runs, tried } = this.report;
    const length = Math.max(1, ...runs.map((run) => Math.max(run.runtime, run.tried)));
    const rows = runs.slice(0, RUNS_SHOWN).map((run, i) => {
      const pieces = tried.filter((piece) => piece.run === i), own = pieces.filter((piece) => idOf(piece) === this.store.state.target).length;
      return h("div", { class: "run" },
        h("p", {}, `Run ${i + 1}, ${when(run)}: ${run.runtime > 0 ? duration(run.runtime) : "its end was not seen"}, ${count(run.windows, "window")} in ${duration(run.tried)}` +
          `${run.sampler ? `, sampled by ${run.sampler}` : ""}, targets are ${run.granularity === "callsite" ? "call sites" : run.granularity + "s"}. ` +
          `The chosen target was tried ${own === 1 ? "once" : own + " times"}.`),
        strip(run, pieces, length, this.store));
    });
    refill(this.element, h("h2", {}, "What was tried when"),
      h("p", { class: "quiet" }, "One after the other, each target in a block of windows; the chosen one is marked."), ...rows,
      runs.length > RUNS_SHOWN && h("p", { class: "quiet" }, `And ${count(runs.length - RUNS_SHOWN, "more run")}.`));
  }
}

export function leftOut(report: Report): HTMLElement | null {
  const { hidden } = report;
  if (hidden.length === 0) return null;
  const items = hidden.map(({ location, why }) => h("li", {}, h("bdi", { class: "short" }, shortName("line", location)), ` ${visible(why)}`));
  const list = h("ul", {}, ...items.slice(0, LEFT_OUT_SHOWN));
  const section = h("section", { class: "left-out", "aria-label": "What was left out" }, h("h2", {}, "What was left out, and why"), list);
  if (items.length > LEFT_OUT_SHOWN) {
    const more = h("button", { type: "button", click: () => { list.replaceChildren(...items); more.remove(); } }, `Show all ${items.length.toLocaleString("en")}`);
    section.append(more);
  }
  return section;
}

/** Where the samples fell, by function and by file: hot, whether or not it is worth it. */
export function whereSamplesFell(report: Report): HTMLElement | null {
  if (report.functions.length + report.files.length === 0) return null;
  const column = (title: string, sums: { name: string; share: number }[]) => sums.length === 0 ? null : h("div", {}, h("h3", {}, title),
    h("ol", {}, ...sums.slice(0, 10).map((sum) => h("li", {}, h("span", { class: "figure" }, percent(sum.share)), " ", h("bdi", {}, shortName("line", sum.name))))));
  return h("section", { class: "sums", "aria-label": "Where the samples fell" }, h("h2", {}, "Where the samples fell"),
    h("p", { class: "quiet" }, "That is where time is spent, not where it can be saved."),
    h("div", { class: "columns" }, column("By function", report.functions), column("By file", report.files)));
}
