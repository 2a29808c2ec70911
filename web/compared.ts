// An older profile beside this one: what changed, as `coz compare` has it. A file holds that; a page that is served asks
// its server for it.

import type { Compared, ComparedRate, ComparedTarget, Report } from "./data";
import { h, refill, sentenceOf } from "./dom";
import type { Store } from "./state";
import { changeSentence, changedBy, count, duration, interval, percent, points, rateSentence, shortName, visible } from "./words";

const SHOWN = 20;

const side = (name: string, of: Compared["before"]): HTMLElement =>
  h("div", {}, h("dt", {}, name), h("dd", {}, h("bdi", {}, visible(of.profile)), `: ${count(of.runs, "run")}, ${duration(of.runtime)}, ${count(of.windows, "window")}`));

function rates(all: ComparedRate[]): HTMLElement {
  return h("ul", { class: "rates" }, ...all.map((rate) => h("li", { class: rate.verdict === "changed" ? "is-changed" : "" }, ...sentenceOf(rateSentence(rate)))));
}

/** A row for each target that both have, those that changed first. */
function table(targets: ComparedTarget[], go: (target: ComparedTarget) => (() => void) | null): HTMLElement {
  const row = (target: ComparedTarget): HTMLElement => {
    const { before, after } = target, now = after!.location, name = shortName(target.kind, now);
    const chosen = go(target);
    return h("tr", { class: target.verdict === "changed" ? "is-changed" : "" },
      h("th", { scope: "row" }, chosen ? h("button", { type: "button", title: visible(now), click: chosen }, h("bdi", {}, name)) : h("bdi", {}, name),
        before!.location !== now && h("span", { class: "quiet" }, " was ", h("bdi", {}, shortName(target.kind, before!.location))),
        target.matched === "order" && h("span", { class: "quiet" }, " by its place among its function's lines")),
      h("td", {}, percent(before!.impact)), h("td", {}, percent(after!.impact)),
      h("td", {}, changedBy(target)), h("td", {}, interval(target.low, target.high)), h("td", {}, target.verdict ?? ""));
  };
  const head = ["before", "after", "change", "interval", "verdict"].map((text) => h("th", { scope: "col" }, text));
  return h("div", { class: "table-box", tabindex: 0, role: "group", "aria-label": "Impacts before and after" }, h("table", {},
    h("caption", {}, "Impact, and by how many points it changed"), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "target"), ...head)), h("tbody", {}, ...targets.map(row))));
}

/** What only one of both has. */
function onlyOne(targets: ComparedTarget[], when: "before" | "after"): HTMLElement | null {
  const known = targets.flatMap((target) => target.matched === "none" && target[when]?.impact != null ? [{ kind: target.kind, ...target[when]! }] : []);
  if (known.length === 0) return null;
  return h("p", { class: "quiet" }, `Tried ${when} only: `, ...known.slice(0, SHOWN).flatMap((one, i) => [i > 0 ? ", " : "",
    h("bdi", {}, shortName(one.kind, one.location)), ` (${percent(one.impact)})`]), known.length > SHOWN ? `, and ${known.length - SHOWN} more.` : ".");
}

export class Comparison {
  readonly element = h("section", { class: "compared", id: "compared", "aria-label": "Before and after", hidden: true });
  private all = false;

  constructor(private store: Store, report: Report, isServed: boolean) {
    if (!isServed) store.compared = report.compared;
    store.subscribe((changed) => {
      if (isServed && (changed.has("with") || changed.has("report"))) this.ask();
      if (changed.has("point") || changed.has("compared")) this.fill();
    });
    if (isServed) this.ask();
    this.fill();
  }

  /** What came too late, for another one has been chosen meanwhile, is dropped. */
  private async ask(): Promise<void> {
    const number = this.store.state.with;
    if (!number) return this.store.compare(null);
    try {
      const answer = await fetch(`against/${number}`), compared = answer.ok ? await answer.json() : null;
      if (number === this.store.state.with) this.store.compare(compared);
    } catch {
      // The bar says that the server is gone.
    }
  }

  private fill(): void {
    const { compared, progress } = this.store;
    this.element.hidden = !compared;
    if (!compared) return refill(this.element);
    const ours = progress ? compared.targets.filter(({ point, metric }) => point === progress.name && metric === progress.metric) : [];
    const both = ours.filter((target) => target.before && target.after), shown = this.all ? both : both.slice(0, SHOWN);
    const go = (target: ComparedTarget) => {
      const result = progress?.find(`${target.kind} ${target.after!.location}`);
      return result ? () => this.store.set({ target: result.id, open: true }) : null;
    };
    refill(this.element, h("h2", {}, "Before and after"),
      h("dl", { class: "sides" }, side("Before", compared.before), side("After", compared.after)),
      compared.notes.length > 0 && h("ul", { class: "notes" }, ...compared.notes.map((note) => h("li", {}, visible(note)))),
      rates(compared.rates),
      both.length > 0 ? table(shown, go) : progress ? h("p", { class: "quiet" }, "No target was tried in both.") : null,
      both.length > shown.length && h("button", { type: "button", id: "all-compared", click: () => { this.all = true; this.fill(); } }, `Show all ${count(both.length, "target")}`),
      onlyOne(ours, "after"), onlyOne(ours, "before"));
  }
}

/** What is said of the chosen target; null: nothing is beside it. */
export function whatChanged(store: Store): HTMLElement | null {
  const target = store.chosen ? store.comparedOf(store.chosen) : undefined;
  if (!store.compared || !store.chosen) return null;
  if (!target?.before) return h("p", { class: "changed" }, "It was not tried before.");
  return h("p", { class: "changed" }, ...sentenceOf(changeSentence(target)));
}

/** Of a row in the list: only what is sure. */
export const changeMark = (target: ComparedTarget | undefined): string =>
  target?.verdict === "changed" && target.change !== null ? `${points(target.change)} since before` : "";
