// What was tried when, as a strip for each run; what is left out and why.

import type { Piece, Report, Run } from "./data";
import { h, refill, svg } from "./dom";
import type { Store } from "./state";
import { count, duration, loadOf, moment, percent, shortName, thousands, visible } from "./words";

const RUNS_SHOWN = 12, LEFT_OUT_SHOWN = 10;
const STRIP = 22, TRACK = 18; // pixels high: what was tried, and what was stolen
const LEAST_FULL = 0.25; // so much stolen fills the track, or as much as there was at most

function at(value: number, whole: number): string {
  return ((100 * value) / whole).toFixed(3) + "%";
}

/** Where a piece lies in its run: in real time where all of the run's are known to. */
function placesOf(pieces: Piece[]): Place[] {
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
  return run.time > 0 ? moment(run.time) : "at an unknown time";
}

function aboutRun(run: Run, number: number): string {
  const about = [`Run ${number}, ${when(run)}: ${run.runtime > 0 ? duration(run.runtime) : "its end was not seen"}`, `${count(run.windows, "window")} in ${duration(run.tried)}`];
  if (run.discarded > 0) about.push(`${thousands(run.discarded)} thrown away`);
  if (run.sampler) about.push(`sampled by ${run.sampler}`);
  about.push(`targets are ${run.granularity === "callsite" ? "call sites" : run.granularity + "s"}`, ...loadOf(run));
  return about.join(", ") + "." + stolenWords(run);
}

interface Place {
  start: number;
  length: number;
}

interface Strip {
  pieces: Piece[];
  places: Place[];
  whole: number;
  chosen: SVGElement;
  told: HTMLElement;
}

const WIDE = 1e5; // of a strip, which is stretched to the page

/** All those pieces as one path: there may be hundreds. */
function pathOf(places: Place[], whole: number): string {
  const x = (value: number) => ((WIDE * value) / whole).toFixed(0);
  return places.map(({ start, length }) => `M${x(start)} 0H${x(start + length)}V${STRIP}H${x(start)}Z`).join("");
}

/** What the user was told of it, and when. */
function remarksOf(run: Run): HTMLElement | false {
  const when = (at: number) => (at === 0 ? "At the start" : run.runtime > 0 && at >= run.runtime ? "At the end" : `After ${duration(at)}`);
  return run.remarks.length > 0 && h("ul", { class: "remarks", "aria-label": "What coz said when it ran" },
    ...run.remarks.map(({ at, text, remedy }) => h("li", {}, h("span", { class: "quiet" }, `${when(at)}: `), visible(remedy ? `${text} ${remedy}` : text))));
}

/** Made once for a report: when another target is chosen, only its pieces look different. */
export class Runs {
  readonly element = h("section", { class: "runs", "aria-label": "The runs" });
  private strips: Strip[] = [];

  constructor(private store: Store, private report: Report) {
    this.renew();
  }

  /** Other numbers stand in the report. */
  renew(): void {
    const { runs, tried } = this.report;
    this.strips = [];
    const length = Math.max(1, ...runs.map((run) => Math.max(run.runtime, run.tried)));
    const rows = runs.slice(0, RUNS_SHOWN).map((run, i) => {
      const told = h("span");
      return h("div", { class: "run" }, h("p", {}, aboutRun(run, i + 1) + " ", told), this.strip(run, tried.filter((piece) => piece.run === i), length, told),
        track(run, length), h("p", { class: "ends" }, h("span", {}, "0 s"), h("span", {}, duration(length))), remarksOf(run));
    });
    refill(this.element, h("h2", {}, "What was tried when"),
      h("p", { class: "quiet" }, "One after the other, each target in a block of windows; the chosen one is marked. Below, where any was, the share of time that the host of a virtual machine took."), ...rows,
      runs.length > RUNS_SHOWN && h("p", { class: "quiet" }, `And ${count(runs.length - RUNS_SHOWN, "more run")}.`));
    this.update();
  }

  private strip(run: Run, pieces: Piece[], whole: number, told: HTMLElement): SVGElement {
    const places = placesOf(pieces), every = (odd: number) => pathOf(places.filter((_, i) => i % 2 === odd), whole);
    const chosen = svg("path", { class: "chosen" }), title = svg("title");
    const picture = svg("svg", { class: "strip", width: "100%", height: STRIP, viewBox: `0 0 ${WIDE} ${STRIP}`, preserveAspectRatio: "none", "aria-hidden": "true" }, title,
      svg("path", { class: "track", d: pathOf([{ start: 0, length: Math.max(run.runtime, run.tried) }], whole) }),
      svg("path", { class: "even", d: every(0) }), svg("path", { class: "odd", d: every(1) }), chosen);
    const pieceAt = (event: MouseEvent) => {
      const box = picture.getBoundingClientRect(), at = ((event.clientX - box.left) / box.width) * whole;
      return pieces[places.findIndex(({ start, length }) => at >= start && at < start + length)];
    };
    picture.addEventListener("click", (event) => {
      const piece = pieceAt(event);
      if (piece) this.store.set({ target: piece.id });
    });
    picture.addEventListener("pointermove", (event) => {
      const piece = pieceAt(event), text = piece ? titleOf(piece) : "";
      if (title.textContent !== text) title.textContent = text;
    });
    this.strips.push({ pieces, places, whole, chosen, told });
    return picture;
  }

  update(): void {
    const { target } = this.store.state;
    for (const { pieces, places, whole, chosen, told } of this.strips) {
      const own = places.filter((_, i) => pieces[i].id === target);
      chosen.setAttribute("d", pathOf(own, whole));
      told.textContent = `The chosen target was tried ${own.length === 1 ? "once" : own.length + " times"}.`;
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
