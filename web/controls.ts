// Above the list: the progress point, search, sorting and filters.

import type { Report } from "./data";
import { h } from "./dom";
import type { List } from "./list";
import type { State, Store } from "./state";
import { visible } from "./words";

const BUTTONS_MOST = 4;

function options(values: [string, string][], chosen: string): HTMLOptionElement[] {
  return values.map(([value, text]) => {
    const option = h("option", { value }, text);
    option.selected = value === chosen;
    return option;
  });
}

export class Controls {
  readonly element: HTMLElement;
  readonly search: HTMLInputElement;
  private points = h("div", { class: "points", role: "group", "aria-label": "Progress point" });
  private selects: { key: "sort" | "group" | "verdict" | "kind"; element: HTMLSelectElement }[] = [];
  private sure: HTMLInputElement;

  constructor(private store: Store, report: Report, list: List) {
    this.search = h("input", { type: "search", id: "search", placeholder: "Search  /", "aria-label": "Search lines and functions", "aria-controls": "list",
      input: () => store.set({ search: this.search.value }),
      keydown: (event: KeyboardEvent) => {
        if (event.key === "Escape") store.set({ search: "" });
        if (event.key === "Escape" || event.key === "Enter" || event.key === "ArrowDown") {
          list.focus();
          event.preventDefault();
        }
        event.stopPropagation();
      } });
    this.sure = h("input", { type: "checkbox", id: "sure", change: () => store.set({ sure: this.sure.checked }) });
    const kinds = [...new Set(report.results.map((result) => result.kind))];
    this.element = h("div", { class: "controls" }, this.points, this.search,
      this.select("verdict", "Verdict", [["", "All verdicts"], ["improves", "Improves"], ["no effect", "No effect"], ["harmful", "Harmful"], ["not enough data", "Not enough data"]]),
      kinds.length > 1 && this.select("kind", "Kind", [["", "All kinds"], ...kinds.map((kind): [string, string] => [kind, kind === "callsite" ? "Call sites" : kind === "together" ? "Several at once" : kind[0].toUpperCase() + kind.slice(1) + "s"])]),
      this.select("sort", "Sort", [["rank", "By rank"], ["impact", "By impact"], ["share", "By samples"], ["name", "By name"]]),
      this.select("group", "Roll up", [["none", "Not rolled up"], ["function", "By function"], ["file", "By file"]]),
      h("label", { class: "check" }, this.sure, " Known to 5 points"));
    this.update();
  }

  private select(key: "sort" | "group" | "verdict" | "kind", label: string, values: [string, string][]): HTMLElement {
    const element = h("select", { id: key, "aria-label": label, change: () => this.store.set({ [key]: element.value } as Partial<State>) }, ...options(values, this.store.state[key]));
    this.selects.push({ key, element });
    return element;
  }

  update(): void {
    const { state, points } = this.store;
    if (this.search.value !== state.search) this.search.value = state.search;
    for (const { key, element } of this.selects) element.value = state[key];
    this.sure.checked = state.sure;
    const name = (i: number) => (points[i].metric === "latency" ? "Latency of " : "") + visible(points[i].name);
    this.points.hidden = points.length < 2;
    if (points.length <= BUTTONS_MOST) {
      if (this.points.childElementCount === 0) this.points.append(...points.map((_, i) => h("button", { type: "button", click: () => this.store.set({ point: i }) }, name(i))));
      [...this.points.children].forEach((button, i) => button.setAttribute("aria-pressed", String(i === state.point)));
      return;
    }
    let select = this.points.querySelector("select");
    if (!select) {
      select = h("select", { id: "point", "aria-label": "Progress point" }, ...options(points.map((_, i): [string, string] => [String(i), name(i)]), ""));
      select.addEventListener("change", () => this.store.set({ point: Number(select!.value) }));
      this.points.append(select);
    }
    select.value = String(state.point);
  }
}
