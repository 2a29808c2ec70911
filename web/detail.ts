// All about the chosen target: the finding, its curve, the same for other progress points, and its source.

import { verifiedOf, type Report, type Result } from "./data";
import { clamp, h, refill, sentenceOf } from "./dom";
import { VERIFIED_MOST, drawCurve, drawResiduals, nearestPoint, promiseWords, type CurveOptions } from "./picture/curve";
import { callersOf } from "./code/callers";
import { whatChanged } from "./compared";
import { Explainer } from "./explain";
import { isServed } from "./live";
import { verdictMark } from "./row";
import { saveCurve } from "./save";
import { sourceOf } from "./code/source";
import { unitsTable } from "./units";
import { verifiedList } from "./verified";
import { chiefPoint, count, duration, finding, interval, kinkWords, percent, plain, pointSentence, pointWords, share, thousands, visible, waitsForWords, whatOf } from "./words";
import type { Store } from "./state";

const SMALL = { width: 260, height: 130, singles: false, cursor: -1, small: true };

function fact(name: string, value: string): HTMLElement {
  return h("div", {}, h("dt", {}, name), h("dd", {}, value));
}

function kindName(kind: string): string {
  return kind === "callsite" ? "call site" : kind === "together" ? "at once" : kind;
}

export class Detail {
  readonly element = h("section", { class: "detail", id: "detail", tabindex: -1, "aria-label": "The chosen target" });
  private chart = h("div", { class: "chart", role: "slider", tabindex: 0 });
  private readout = h("p", { class: "readout" });
  private below = h("div", { class: "beneath" });
  private explainer = isServed ? new Explainer() : null;
  private cursor = -1;
  private shown = ""; // the target whose curve is drawn
  private speedup = 0; // at the cursor
  private width = 0;

  constructor(private store: Store, private report: Report, private chosen: (result: Result) => void) {
    this.chart.addEventListener("keydown", (event) => this.key(event));
    this.chart.addEventListener("pointermove", (event) => this.point(event));
    this.chart.addEventListener("pointerdown", (event) => this.point(event));
    new ResizeObserver(() => {
      if (this.chart.clientWidth === this.width) return;
      this.width = this.chart.clientWidth;
      this.draw();
    }).observe(this.chart);
  }

  update(): void {
    const result = this.store.chosen;
    if (!result) {
      this.element.replaceChildren();
      return;
    }
    const chief = chiefPoint(result.curve), isSame = this.shown === result.id;
    const kept = isSame ? result.curve.findIndex((point) => point.speedup === this.speedup) : -1;
    this.cursor = kept >= 0 ? kept : chief ? result.curve.indexOf(chief) : -1;
    this.shown = result.id;
    const singles = h("input", { type: "checkbox", id: "singles", change: () => this.store.set({ singles: singles.checked }) });
    singles.checked = this.store.state.singles;
    const residuals = h("input", { type: "checkbox", id: "residuals", change: () => this.store.set({ residuals: residuals.checked }) });
    residuals.checked = this.store.state.residuals;
    const hasSingles = result.singles.length > 0, verified = verifiedOf(this.report, result);
    this.below.hidden = !(hasSingles && residuals.checked);
    refill(this.element,
      h("button", { class: "back", type: "button", click: () => this.store.set({ open: false }) }, "\u2190 All targets"),
      h("h2", {}, ...sentenceOf(finding(result))),
      h("p", { class: "full" }, `${kindName(result.kind)} `, h("bdi", {}, visible(result.location)),
        ...(result.function ? [" in ", h("bdi", {}, visible(result.function))] : [])),
      whatChanged(this.store),
      result.waits_for && h("p", { class: "waits-for" }, waitsForWords(result.waits_for)),
      result.verdict === "harmful" && h("p", { class: "harm" }, "Making it faster makes the program slower: the mark of contention. Threads meet sooner at a lock or a cache line; less sharing there helps, more speed does not."),
      result.curve.length > 0 && h("figure", {}, this.chart, this.below, this.readout,
        h("figcaption", {}, `Band: the 95\u202f% interval. ${promiseWords(result)}`, verified.some((one) => one.line) && " Diamond: what was achieved, with its intervals.", this.store.comparedOf(result)?.before && " Thin: as it was before.", !this.below.hidden && " Below: single windows less the curve."),
        result.kink && h("p", { class: result.kink.shown ? "kink-words" : "kink-words quiet" }, kinkWords(result.kink))),
      unitsTable(result),
      verified.length > 0 && h("div", { class: "came-true" }, h("h3", {}, "Did it come true?"), verifiedList(verified.slice(0, VERIFIED_MOST))),
      result.curve.length > 0 && h("div", { class: "tools" },
        hasSingles && h("label", {}, singles, " Single windows"),
        hasSingles && h("label", {}, residuals, " Residuals"),
        h("button", { type: "button", id: "save-svg", click: () => saveCurve(result, verified, "svg") }, "Save SVG"),
        h("button", { type: "button", id: "save-png", click: () => saveCurve(result, verified, "png") }, "Save PNG")),
      this.explainer && h("div", { class: "tools" }, h("button", { type: "button", id: "explain-line", click: () => this.explainer?.open(result) }, "Explain this line\u2026")),
      h("dl", { class: "facts" },
        fact("Impact", result.impact === null ? "not known yet" : `${percent(result.impact)} (${interval(result.low, result.high)})`),
        fact("Samples", `${share(result.share)} (${thousands(result.samples)})`),
        fact("Verdict", result.verdict),
        fact("How sure", this.surer(result))),
      sourceOf(this.report, this.store.progress, result, this.chosen),
      callersOf(this.store.progress, result, this.chosen),
      this.others(result));
    this.draw();
  }

  private surer(result: Result): string {
    if (result.verdict === "not enough data" && result.more) return `run about ${duration(result.more)} longer`;
    if (result.impact === null) return "run longer";
    if (result.to_5_points === null) return "longer runs hardly help";
    return result.to_5_points === 0 ? "known to 5 points" : `run about ${duration(result.to_5_points)} longer for 5 points`;
  }

  /** The same target for the other progress points, side by side. */
  private others(result: Result): HTMLElement | null {
    const cards = this.store.points.flatMap((progress, index) => {
      const other = progress === this.store.progress ? undefined : progress.find(result.id);
      if (!other || other.curve.length === 0) return [];
      return [h("button", { type: "button", class: "card", click: () => this.store.set({ point: index }) },
        h("span", { class: "card-title" }, `${progress.metric === "latency" ? "Latency" : "Throughput"}: ${visible(progress.name)}`),
        drawCurve(other, SMALL), h("span", { class: "card-text" }, verdictMark(other) + plain(finding(other))))];
    });
    return cards.length === 0 ? null : h("div", { class: "others" }, h("h3", {}, "For the other progress points"), h("div", { class: "cards" }, ...cards));
  }

  private options(): CurveOptions {
    const width = Math.max(280, this.width || 560);
    const { chosen, state } = this.store;
    return { width, height: clamp(Math.round(width * 0.5), 220, 420), singles: state.singles, cursor: this.cursor, small: false,
      verified: chosen ? verifiedOf(this.report, chosen) : [], before: chosen ? this.store.comparedOf(chosen)?.before?.curve : undefined };
  }

  private draw(): void {
    const result = this.store.chosen;
    if (!result || result.curve.length === 0) return;
    const options = this.options();
    this.chart.replaceChildren(drawCurve(result, options));
    if (!this.below.hidden) this.below.replaceChildren(drawResiduals(result, options));
    const at = result.curve[this.cursor] ?? result.curve[0];
    this.speedup = at.speedup;
    const words = pointSentence(result, at);
    this.readout.replaceChildren(...sentenceOf(pointWords(at)), ` ${count(at.windows, "window")}.`);
    const attributes: Record<string, string> = {
      "aria-label": `Curve of ${visible(result.location)}: what is saved of ${whatOf({ name: result.point, metric: result.metric })}, by how much faster it is made`,
      "aria-valuemin": String(100 * result.curve[0].speedup),
      "aria-valuemax": String(100 * result.curve[result.curve.length - 1].speedup),
      "aria-valuenow": String(100 * at.speedup),
      "aria-valuetext": plain(words),
    };
    for (const name in attributes) this.chart.setAttribute(name, attributes[name]);
  }

  private move(to: number): void {
    const result = this.store.chosen;
    const cursor = result ? clamp(to, 0, result.curve.length - 1) : -1;
    if (cursor === this.cursor) return;
    this.cursor = cursor;
    this.draw();
  }

  private key(event: KeyboardEvent): void {
    const last = (this.store.chosen?.curve.length ?? 0) - 1;
    const to: Record<string, number> = { ArrowRight: this.cursor + 1, ArrowUp: this.cursor + 1, ArrowLeft: this.cursor - 1, ArrowDown: this.cursor - 1, Home: 0, End: last };
    if (!(event.key in to) || event.ctrlKey || event.metaKey || event.altKey) return;
    this.move(to[event.key]);
    event.preventDefault();
    event.stopPropagation();
  }

  private point(event: PointerEvent): void {
    const result = this.store.chosen;
    if (result) this.move(nearestPoint(result, this.options(), event.clientX - this.chart.getBoundingClientRect().left));
  }
}
