// The ranked list. Only the rows that can be seen are made, however many there are.

import type { Report, Result } from "./data";
import { clamp, h } from "./dom";
import { chooseRows, type Row } from "./choose";
import { axisText } from "./curve";
import { scalesOf } from "./scale";
import { impactBar, shareBar, sparkline } from "./small";
import { saveList } from "./save";
import { idOf, type State, type Store } from "./state";
import { count, finding, folderOf, interval, percent, plain, share as shareWords, shortName, visible } from "./words";

const SPARE = 6; // rows beyond the edges
const PRINTED = 100; // rows on paper

function verdictClass(result: Result): string {
  return result.verdict.replace(/ /g, "-");
}

/** What a screen reader says of a row: the finding, then the place. */
function spoken(result: Result): string {
  const share = result.share === null ? "" : ` ${shareWords(result.share)} of the samples.`;
  const impact = result.impact === null ? "" : ` Impact ${percent(result.impact)}, ${interval(result.low, result.high)}.`;
  return `${result.rank}. ${result.verdict}: ${plain(finding(result))}${impact}${share}`;
}

/** What is seen of a row: who cannot see it hears the sentence instead. */
function hidden(...cells: HTMLElement[]): HTMLElement[] {
  for (const cell of cells) cell.setAttribute("aria-hidden", "true");
  return cells;
}

/** How many there are of each verdict. */
function verdicts(results: Result[]): string {
  const words: [string, string][] = [["improves", "improve"], ["harmful", "harmful"], ["no effect", "without effect"], ["not enough data", "without enough data"]];
  return words.map(([verdict, word]): [number, string] => [results.filter((result) => result.verdict === verdict).length, word])
    .filter(([number]) => number > 0).map(([number, word]) => `${number.toLocaleString("en")} ${word}`).join(", ");
}

export class List {
  readonly element: HTMLElement;
  fitting: Result[] = [];
  private rows: Row[] = [];
  private closed = new Set<string>();
  private body = h("div", { class: "rows", role: "presentation" });
  private box: HTMLElement;
  private told = h("p", { class: "told", role: "status" });
  private scales: ReturnType<typeof scalesOf> = scalesOf([]);
  private axis = h("span", { class: "axis", "aria-hidden": "true" });
  private active = 0; // the row that the keys are at
  private printing = false;

  constructor(private store: Store, private report: Report, private opened: () => void) {
    this.box = h("div", { class: "list", role: "listbox", tabindex: 0, id: "list", "aria-label": "Targets, ranked",
      scroll: () => this.draw(), keydown: (event: KeyboardEvent) => this.key(event) }, this.body);
    this.element = h("div", { class: "list-frame" },
      h("div", { class: "head row", "aria-hidden": "true" }, h("span", { class: "bracket" }), h("span", { class: "rank" }, "#"),
        h("span", { class: "name" }, "Target"), h("span", { class: "cell-spark" }, "Curve"),
        h("span", { class: "cell-impact" }, h("span", {}, "Impact"), this.axis), h("span", { class: "cell-share" }, "Samples"),
        h("span", { class: "verdict" }, "Verdict")),
      this.box, h("div", { class: "under" }, this.told, h("button", { type: "button", id: "save-csv", click: () => saveList(this.fitting) }, "Save CSV")));
    new ResizeObserver(() => this.draw()).observe(this.box);
    window.addEventListener("beforeprint", () => this.print(true));
    window.addEventListener("afterprint", () => this.print(false));
  }

  /** The rows anew, after something was chosen. */
  update(changed?: Set<keyof State>): void {
    const { progress, state } = this.store;
    if (!progress) return;
    const isOtherList = !changed || ["point", "sort", "group", "search", "verdict", "kind", "sure"].some((key) => changed.has(key as keyof State));
    if (isOtherList) {
      if (!changed || changed.has("point")) this.scales = scalesOf(progress.results);
      const { rows, fitting } = chooseRows(progress.results, state, this.report, this.closed);
      this.rows = rows;
      this.fitting = fitting;
      this.told.textContent = fitting.length === progress.results.length
        ? `${count(fitting.length, "target")}: ${verdicts(fitting)}. Impact is the ${progress.metric === "latency" ? "latency" : "time"} that would be saved if the target took no time at all.`
        : `${fitting.length.toLocaleString("en")} of ${count(progress.results.length, "target")} shown.`;
      this.axis.replaceChildren(h("span", {}, axisText(this.scales.impact.low)), h("span", {}, axisText(this.scales.impact.high)));
    }
    const chosen = this.rows.findIndex((row) => row.result && idOf(row.result) === state.target);
    if (chosen >= 0) this.active = chosen;
    this.active = clamp(this.active, 0, Math.max(0, this.rows.length - 1));
    if (isOtherList) this.box.scrollTop = 0;
    this.draw();
    if (!changed || changed.has("target") || isOtherList) this.reveal();
  }

  focus(): void {
    this.box.focus();
  }

  private get rowHeight(): number {
    return parseFloat(getComputedStyle(this.box).getPropertyValue("--row")) || 44;
  }

  private print(on: boolean): void {
    this.printing = on;
    this.draw();
  }

  private draw(): void {
    const height = this.rowHeight, top = this.box.scrollTop;
    let first = Math.max(0, Math.floor(top / height) - SPARE);
    let last = Math.min(this.rows.length, Math.ceil((top + this.box.clientHeight) / height) + SPARE);
    if (this.printing) [first, last] = [0, Math.min(this.rows.length, PRINTED)];
    this.body.style.height = (this.printing ? last : this.rows.length) * height + "px";
    const made: Node[] = [];
    for (let i = first; i < last; i++) made.push(this.drawRow(this.rows[i], i, height));
    this.body.replaceChildren(...made);
    if (this.rows.length === 0) this.body.append(h("p", { class: "nothing", role: "option", "aria-disabled": "true" }, "Nothing fits this search and these filters."));
    if (this.rows.length > 0 && this.active >= first && this.active < last) this.box.setAttribute("aria-activedescendant", "row-" + this.active);
    else this.box.removeAttribute("aria-activedescendant");
  }

  private drawRow(row: Row, index: number, height: number): HTMLElement {
    const element = row.result ? this.resultRow(row.result, index) : this.headingRow(row, index);
    element.id = "row-" + index;
    element.style.transform = `translateY(${index * height}px)`;
    element.setAttribute("role", "option");
    element.setAttribute("aria-setsize", String(this.rows.length));
    element.setAttribute("aria-posinset", String(index + 1));
    element.classList.toggle("active", index === this.active);
    element.addEventListener("click", () => this.choose(index, true));
    return element;
  }

  /** Where a row stands among those that cannot be told apart: at the start, in the middle, at the end, or alone. */
  private bracket(result: Result, index: number): string {
    if (result.group === null || this.store.state.sort !== "rank" || this.store.state.group !== "none") return "";
    const before = this.rows[index - 1]?.result?.group === result.group, after = this.rows[index + 1]?.result?.group === result.group;
    return before && after ? "middle" : before ? "end" : after ? "start" : "";
  }

  private resultRow(result: Result, index: number): HTMLElement {
    const selected = idOf(result) === this.store.state.target, bracket = this.bracket(result, index);
    const place = result.function ? visible(result.function) : folderOf(result.kind, result.location);
    return h("div", { class: `row ${verdictClass(result)}${selected ? " selected" : ""}`, "aria-selected": String(selected), title: visible(result.location) },
      h("span", { class: "said" }, spoken(result) + (bracket ? " It cannot be told apart from its neighbours." : "")), ...hidden(
      h("span", { class: "bracket " + bracket, title: bracket ? "These cannot be told apart." : null }),
      h("span", { class: "rank" }, String(result.rank)),
      h("span", { class: "name" }, h("bdi", { class: "short" }, shortName(result.kind, result.location)), h("bdi", { class: "place" }, place)),
      h("span", { class: "cell-spark" }, sparkline(result, this.scales.effect)),
      h("span", { class: "cell-impact" }, impactBar(result, this.scales.impact),
        h("span", { class: "numbers" },
          h("b", { class: "impact" }, result.impact === null ? "\u2013" : percent(result.impact)), " ",
          h("span", { class: "interval" }, result.impact === null ? "" : interval(result.low, result.high)))),
      h("span", { class: "cell-share" }, h("span", { class: "figure" }, result.share === null ? "\u2013" : shareWords(result.share)), shareBar(result.share)),
      h("span", { class: "verdict" }, result.verdict === "harmful" ? "\u25bc harmful" : result.verdict)));
  }

  private headingRow(row: Row, _index: number): HTMLElement {
    const { name, share, members } = row.heading!;
    const open = !this.closed.has(name);
    const kind = this.store.state.group === "file" ? "line" : "function";
    const words = `${count(members.length, "target")}${share === null ? "" : `, ${shareWords(share)} of the samples`}`;
    return h("div", { class: "row heading", "aria-selected": "false", title: visible(name) },
      h("span", { class: "said" }, `${shortName(kind, name)}: ${words}; ${open ? "open" : "closed"}`), ...hidden(
      h("span", { class: "turn" }, open ? "\u25be" : "\u25b8"), h("span", { class: "name" }, h("bdi", { class: "short" }, shortName(kind, name)), h("span", { class: "place" }, count(members.length, "target"))),
      h("span", { class: "cell-share" }, h("span", { class: "figure" }, share === null ? "\u2013" : shareWords(share)), shareBar(share))));
  }

  private choose(index: number, open: boolean): void {
    const row = this.rows[index];
    if (!row) return;
    this.active = index;
    if (row.result) this.store.set({ target: idOf(row.result), ...(open ? { open: true } : {}) });
    else if (open) {
      const { name } = row.heading;
      if (!this.closed.delete(name)) this.closed.add(name);
      this.rows = chooseRows(this.store.progress.results, this.store.state, this.report, this.closed).rows;
    }
    this.draw();
    this.reveal();
  }

  private reveal(): void {
    const height = this.rowHeight, top = this.active * height;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top + height > this.box.scrollTop + this.box.clientHeight) this.box.scrollTop = top + height - this.box.clientHeight;
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.rowHeight) - 1);
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
