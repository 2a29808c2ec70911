// What was tried when, as a strip for each run; what is left out and why.

import type { Piece, Report, Run } from "./data";
import { h, refill, svg } from "./dom";
import type { Store } from "./state";
import { count, duration, loadOf, percent, shortName, thousands, visible } from "./words";

const RUNS_SHOWN = 12, LEFT_OUT_SHOWN = 10;
const STRIP = 22, TRACK = 18; // pixels high: what was tried, and what was stolen
const LEAST_FULL = 0.25; // so much stolen fills the track, or as much as there was at most

function at(value: number, whole: number): string {
  return ((100 * value) / whole).toFixed(3) + "%";
}

/** Where a piece lies in its run: in real time where all of the run's are known to. */
function placesOf(pieces: Piece[]): { start: number; length: number }[] {
  const known = pieces.every((piece) => piece.began !== null);
  return pieces.map((piece) => (known ? { start: piece.began!, length: piece.lasted! } : piece));
}

function titleOf(piece: Piece): string {
  const stolen = piece.stolen ? `, ${percent(piece.stolen)} stolen` : "";
  return `${visible(piece.location)}: ${count(piece.windows, "window")}, ${duration(piece.length)}${stolen}`;
}

/** What of the run was stolen, slice by slice. */
function track(run: Run, whole: number): SVGElement | null {
  const { slices } = run;
  if (!slices || !slices.shares.some((share) => share)) return null;
  const full = Math.max(LEAST_FULL, ...slices.shares.map((share) => share ?? 0));
  const picture = svg("svg", { class: "track-of-stolen", width: "100%", height: TRACK, "aria-hidden": "true" }, svg("rect", { class: "track", width: "100%", height: TRACK }));
  slices.shares.forEach((share, i) => {
    if (!share) return;
    const height = Math.max(1, (TRACK * share) / full);
    picture.append(svg("rect", { class: "stolen", x: at(i * slices.length, whole), width: at(slices.length, whole), y: TRACK - height, height },
      svg("title", {}, `${percent(share)} stolen, ${duration(i * slices.length)} after the start`)));
  });
  return picture;
}

/** The most that was stolen in a slice, in words; "" where windows do not tell. */
function stolenWords(run: Run): string {
  if (!run.slices) return "";
  const shares = run.slices.shares.map((share) => share ?? 0), most = Math.max(0, ...shares);
  return most === 0 ? " Nothing was stolen from its windows." : ` Stolen from its windows: at most ${percent(most)} of ${duration(run.slices.length)}, ${duration(shares.indexOf(most) * run.slices.length)} after the start.`;
}

function when(run: Run): string {
  return run.time > 0 ? new Date(run.time / 1e6).toLocaleString() : "at an unknown time";
}

function aboutRun(run: Run, number: number): string {
  const about = [`Run ${number}, ${when(run)}: ${run.runtime > 0 ? duration(run.runtime) : "its end was not seen"}`, `${count(run.windows, "window")} in ${duration(run.tried)}`];
  if (run.discarded > 0) about.push(`${thousands(run.discarded)} thrown away`);
  if (run.sampler) about.push(`sampled by ${run.sampler}`);
  about.push(`targets are ${run.granularity === "callsite" ? "call sites" : run.granularity + "s"}`, ...loadOf(run));
  return about.join(", ") + "." + stolenWords(run);
}

/** Made once for a report: when another target is chosen, only its pieces look different. */
export class Runs {
  readonly element = h("section", { class: "runs", "aria-label": "The runs" });
  private pieces: { piece: Piece; element: SVGElement }[] = [];
  private told: { run: number; element: HTMLElement }[] = [];

  constructor(private store: Store, private report: Report) {
    this.renew();
  }

  /** Other numbers stand in the report. */
  renew(): void {
    const { runs, tried } = this.report;
    this.pieces = [];
    this.told = [];
    const length = Math.max(1, ...runs.map((run) => Math.max(run.runtime, run.tried)));
    const rows = runs.slice(0, RUNS_SHOWN).map((run, i) => {
      const told = h("span");
      this.told.push({ run: i, element: told });
      return h("div", { class: "run" }, h("p", {}, aboutRun(run, i + 1) + " ", told), this.strip(run, tried.filter((piece) => piece.run === i), length),
        track(run, length), h("p", { class: "ends" }, h("span", {}, "0 s"), h("span", {}, duration(length))));
    });
    refill(this.element, h("h2", {}, "What was tried when"),
      h("p", { class: "quiet" }, "One after the other, each target in a block of windows; the chosen one is marked. Below, where any was, the share of time that the host of a virtual machine took."), ...rows,
      runs.length > RUNS_SHOWN && h("p", { class: "quiet" }, `And ${count(runs.length - RUNS_SHOWN, "more run")}.`));
    this.update();
  }

  private strip(run: Run, pieces: Piece[], length: number): SVGElement {
    const picture = svg("svg", { class: "strip", width: "100%", height: STRIP, "aria-hidden": "true" },
      svg("rect", { class: "track", width: at(Math.max(run.runtime, run.tried), length), height: STRIP }));
    placesOf(pieces).forEach((place, i) => {
      const element = svg("rect", { class: `piece ${i % 2 ? "odd" : "even"}`, x: at(place.start, length), width: at(place.length, length), height: STRIP });
      this.pieces.push({ piece: pieces[i], element });
      picture.append(element);
    });
    const pieceAt = (event: Event) => this.pieces.find(({ element }) => element === event.target);
    picture.addEventListener("click", (event) => {
      const chosen = pieceAt(event);
      if (chosen) this.store.set({ target: chosen.piece.id });
    });
    picture.addEventListener("pointerover", (event) => { // there may be hundreds, of which few are ever pointed at
      const pointed = pieceAt(event);
      if (pointed && !pointed.element.hasChildNodes()) pointed.element.append(svg("title", {}, titleOf(pointed.piece)));
    });
    return picture;
  }

  update(): void {
    const { target } = this.store.state;
    for (const { piece, element } of this.pieces) element.classList.toggle("chosen", piece.id === target);
    for (const { run, element } of this.told) {
      const own = this.pieces.filter(({ piece }) => piece.run === run && piece.id === target).length;
      element.textContent = `The chosen target was tried ${own === 1 ? "once" : own + " times"}.`;
    }
  }
}

export function leftOut(report: Report): HTMLElement | null {
  const { hidden } = report;
  if (hidden.length === 0) return null;
  const item = ({ location, why }: { location: string; why: string }) => h("li", {}, h("bdi", { class: "short" }, shortName("line", location)), ` ${visible(why)}`);
  const list = h("ul", {}, ...hidden.slice(0, LEFT_OUT_SHOWN).map(item));
  const section = h("section", { class: "left-out", "aria-label": "What was left out" }, h("h2", {}, "What was left out, and why"), list);
  if (hidden.length > LEFT_OUT_SHOWN) {
    const more = h("button", { type: "button", click: () => { list.append(...hidden.slice(LEFT_OUT_SHOWN).map(item)); more.remove(); } }, `Show all ${thousands(hidden.length)}`);
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
