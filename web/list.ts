// The ranked list. Only the rows that can be seen are made, however many there are, and one that stays in view is not made
// anew; those that go are filled for those that come. Nothing here asks the browser for sizes while it draws: they are noted when they change.

import { lastVerified, type Report, type Result, type Verified } from "./data";
import { clamp, h } from "./dom";
import { chooseRows, type Row } from "./choose";
import { axisText } from "./picture/curve";
import { headingRow, isResultRow, resultRow } from "./row";
import { scalesOf, type Scales } from "./picture/scale";
import { markZero } from "./picture/small";
import { saveList } from "./save";
import type { Changed, Store } from "./state";
import { count, thousands } from "./words";

const SPARE = 4; // rows beyond the edges
const PRINTED = 100; // rows on paper
const REST_MS = 150;

/** How many there are of each verdict. */
function verdicts(results: Result[]): string {
  const words: [string, string][] = [["improves", "improve"], ["harmful", "harmful"], ["no effect", "without effect"], ["not enough data", "without enough data"]];
  return words.map(([verdict, word]): [number, string] => [results.filter((result) => result.verdict === verdict).length, word])
    .filter(([number]) => number > 0).map(([number, word]) => `${thousands(number)} ${number === 1 && word === "improve" ? "improves" : word}`).join(", ");
}

export class List {
  readonly element: HTMLElement;
  fitting: Result[] = [];
  private rows: Row[] = [];
  private drawn = new Map<number, HTMLElement>(); // by their place in the list; what else is in the document is not wanted
  private spare: HTMLElement[] = []; // rows that went, to be filled anew
  private closed = new Set<string>();
  private verified = new Map<string, Verified>(); // of the progress point, by target
  private body = h("div", { class: "rows", role: "presentation", click: (event: Event) => this.click(event) });
  private box: HTMLElement;
  private told = h("p", { class: "told", role: "status" });
  private scales: Scales = scalesOf([]);
  private axis = h("span", { class: "axis", "aria-hidden": "true" });
  private settling = 0;
  private active = 0; // the row that the keys are at
  private printing = false;
  private drawnTop = 0; // what the box was scrolled by when it was drawn
  private top = 0; // what it is scrolled by; its height, and a row's
  private height = 0;
  private rowHeight = 44;

  constructor(private store: Store, private report: Report, private opened: () => void) {
    this.box = h("div", { class: "list", role: "listbox", tabindex: 0, id: "list", "aria-label": "Targets, ranked",
      scroll: () => this.scrolled(), keydown: (event: KeyboardEvent) => this.key(event) }, this.body);
    this.element = h("div", { class: "list-frame" },
      h("div", { class: "head row", "aria-hidden": "true" }, h("span", { class: "bracket" }), h("span", { class: "rank" }, "#"),
        h("span", { class: "name" }, "Target"), h("span", { class: "cell-spark" }, "Curve"),
        h("span", { class: "cell-impact" }, h("span", {}, "Impact"), this.axis), h("span", { class: "cell-share" }, "Samples"),
        h("span", { class: "verdict" }, "Verdict")),
      this.box, h("div", { class: "under" }, this.told, h("button", { type: "button", id: "save-csv", click: () => saveList(this.fitting) }, "Save CSV")));
    new ResizeObserver(() => this.measure()).observe(this.box);
    window.addEventListener("beforeprint", () => this.print(true));
    window.addEventListener("afterprint", () => this.print(false));
  }

  /** The rows anew, after something was chosen. */
  update(changed?: Changed): void {
    const { progress, state } = this.store;
    if (!progress) return;
    const isRenewed = (changed?.has("report") || changed?.has("compared")) ?? false;
    const isOtherList = !changed || (["point", "sort", "group", "search", "verdict", "kind", "sure"] as const).some((key) => changed.has(key));
    if (isOtherList || isRenewed) {
      if (!changed || changed.has("point") || isRenewed) {
        this.scales = scalesOf(progress.results);
        markZero(this.body, this.scales.effect, this.scales.impact);
        this.verified = lastVerified(this.report, progress);
      }
      const { rows, fitting } = chooseRows(progress.results, state, this.report, this.closed);
      this.replace(rows);
      this.fitting = fitting;
      this.told.textContent = fitting.length === progress.results.length
        ? `${count(fitting.length, "target")}: ${verdicts(fitting)}. Impact is the ${progress.metric === "latency" ? "latency" : "time"} that would be saved if the target took no time at all.`
        : `${thousands(fitting.length)} of ${count(progress.results.length, "target")} shown.`;
      this.axis.replaceChildren(h("span", {}, axisText(this.scales.impact.low)), h("span", {}, axisText(this.scales.impact.high)));
      if (isOtherList) this.scrollTo(0);
    }
    const chosen = this.rows.findIndex((row) => row.result?.id === state.target);
    if (chosen >= 0) this.active = chosen;
    this.active = clamp(this.active, 0, Math.max(0, this.rows.length - 1));
    if (!changed || changed.has("target") || isOtherList) this.reveal();
    this.draw();
  }

  focus(): void {
    this.box.focus();
  }

  private replace(rows: Row[]): void {
    this.rows = rows;
    this.drawn.clear();
  }

  /** The box has another size; rows may have another height in it. */
  private measure(): void {
    const rowHeight = parseFloat(getComputedStyle(this.box).getPropertyValue("--row")) || 44;
    const wasHidden = this.height === 0;
    this.height = this.box.clientHeight;
    this.top = this.box.scrollTop;
    if (rowHeight !== this.rowHeight) this.drawn.clear();
    this.rowHeight = rowHeight;
    if (wasHidden) this.reveal();
    this.draw();
  }

  private print(on: boolean): void {
    this.printing = on;
    this.drawn.clear();
    this.measure();
  }

  private scrolled(): void {
    this.top = this.box.scrollTop;
    this.draw(true);
  }

  private scrollTo(top: number): void {
    if (top === this.top) return;
    this.top = top;
    this.stretch();
    this.box.scrollTop = top;
  }

  /** As high as all rows are together. */
  private stretch(): void {
    const height = `${(this.printing ? Math.min(this.rows.length, PRINTED) : this.rows.length) * this.rowHeight}px`;
    if (this.body.style.height !== height) this.body.style.height = height;
  }

  /** Takes away the rows that went out of sight, and makes those that came. */
  private draw(isScrolling = false): void {
    // Whoever flies past sees no more than the view.
    const spare = Math.abs(this.top - this.drawnTop) > this.height ? 0 : SPARE;
    this.drawnTop = this.top;
    let first = Math.max(0, Math.floor(this.top / this.rowHeight) - spare);
    let last = Math.min(this.rows.length, Math.ceil((this.top + this.height) / this.rowHeight) + spare);
    if (this.printing) [first, last] = [0, Math.min(this.rows.length, PRINTED)];
    this.stretch();
    for (const index of this.drawn.keys()) if (index < first || index >= last) this.drawn.delete(index);
    this.takeSpare();
    const added = document.createDocumentFragment();
    for (let i = first; i < last; i++) {
      if (this.drawn.has(i)) continue;
      const row = this.make(i);
      if (!row.isConnected) added.append(row);
    }
    this.body.append(added);
    for (const row of this.spare) row.remove();
    this.spare = [];
    clearTimeout(this.settling);
    if (isScrolling) this.settling = window.setTimeout(() => this.settle(), REST_MS);
    else this.settle();
    if (this.rows.length === 0 && this.body.childElementCount === 0)
      this.body.append(h("p", { class: "nothing", role: "option", "aria-disabled": "true" }, "Nothing fits this search and these filters."));
    this.mark();
  }

  /** Rows that are not wanted any more can be filled for others; headings cannot. */
  private takeSpare(): void {
    const wanted = new Set<Element>(this.drawn.values());
    this.spare = [];
    for (const child of [...this.body.children] as HTMLElement[]) {
      if (wanted.has(child)) continue;
      if (isResultRow(child)) this.spare.push(child);
      else child.remove();
    }
  }

  /** A row that is filled anew stays where it is in the document, for to move it costs as much as to make it. When the
   * list has come to rest, rows are brought into the order in which they are read. */
  private settle(): void {
    const ordered = [...this.drawn].sort(([a], [b]) => a - b).map(([, row]) => row);
    if (ordered.some((row, i) => this.body.children[i] !== row)) this.body.append(...ordered);
  }

  private make(index: number): HTMLElement {
    const { result, heading } = this.rows[index];
    const look = result && { scales: this.scales, bracket: this.bracket(result, index), verified: this.verified.get(result.id) ?? null, compared: this.store.comparedOf(result) };
    const row = result ? resultRow(result, look!, this.spare.shift() ?? null)
      : headingRow(heading!, this.store.state.group === "file" ? "line" : "function", !this.closed.has(heading!.name));
    row.id = "row-" + index;
    row.style.top = `${index * this.rowHeight}px`;
    row.setAttribute("aria-setsize", String(this.rows.length));
    row.setAttribute("aria-posinset", String(index + 1));
    this.drawn.set(index, row);
    return row;
  }

  /** Which row is chosen, and which the keys are at. */
  private mark(): void {
    for (const [index, row] of this.drawn) {
      const isSelected = this.rows[index].result?.id === this.store.state.target, selected = String(isSelected);
      if (row.getAttribute("aria-selected") !== selected) row.setAttribute("aria-selected", selected);
      row.classList.toggle("selected", isSelected);
      row.classList.toggle("active", index === this.active);
    }
    if (this.drawn.has(this.active)) this.box.setAttribute("aria-activedescendant", "row-" + this.active);
    else this.box.removeAttribute("aria-activedescendant");
  }

  /** Where a row stands among those that cannot be told apart: at the start, in the middle, at the end, or alone. */
  private bracket(result: Result, index: number): string {
    if (result.group === null || this.store.state.sort !== "rank" || this.store.state.group !== "none") return "";
    const before = this.rows[index - 1]?.result?.group === result.group, after = this.rows[index + 1]?.result?.group === result.group;
    return before && after ? "middle" : before ? "end" : after ? "start" : "";
  }

  private click(event: Event): void {
    const row = (event.target as Element).closest(".row");
    if (row) this.choose(Number(row.id.slice("row-".length)), true);
  }

  private choose(index: number, open: boolean): void {
    const row = this.rows[index];
    if (!row) return;
    this.active = index;
    if (row.result) {
      this.store.set({ target: row.result.id, ...(open ? { open: true } : {}) });
    } else if (open) {
      const { name } = row.heading;
      if (!this.closed.delete(name)) this.closed.add(name);
      this.replace(chooseRows(this.store.progress.results, this.store.state, this.report, this.closed).rows);
    }
    this.reveal();
    this.draw();
  }

  private reveal(): void {
    const top = this.active * this.rowHeight;
    if (this.height === 0) return;
    if (top < this.top) this.scrollTo(top);
    else if (top + this.rowHeight > this.top + this.height) this.scrollTo(top + this.rowHeight - this.height);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.height / this.rowHeight) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) this.choose(clamp(this.active + steps[event.key], 0, this.rows.length - 1), false);
    else if (event.key === "Enter") {
      this.choose(this.active, true);
      if (this.rows[this.active]?.result) this.opened();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
