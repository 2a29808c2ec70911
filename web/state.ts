// What a person has chosen. It stands in the address behind the #, so that a link or a reload shows the same.

import type { Compared, ComparedTarget, Progress, Report, Result } from "./data";

export type Sort = "rank" | "impact" | "share" | "name";
export type Group = "none" | "function" | "file";

export interface State {
  point: number; // which progress point
  target: string; // "kind location" of the chosen target
  sort: Sort;
  group: Group;
  search: string;
  verdict: string; // "": all
  kind: string;
  sure: boolean; // only what is known to 5 points
  singles: boolean; // single windows in the curve
  residuals: boolean; // and how far they are from it
  with: number; // of a page that is served: the older profile beside it; 0: none
  open: boolean; // narrow screens: the target is shown instead of the list
}

/** What has changed since the listener was told last: of the state, all of the report, or what is beside it. */
export type Changed = Set<keyof State | "report" | "compared">;

const SORTS: Sort[] = ["rank", "impact", "share", "name"];
const GROUPS: Group[] = ["none", "function", "file"];

function start(): State {
  return { point: 0, target: "", sort: "rank", group: "none", search: "", verdict: "", kind: "", sure: false, singles: false, residuals: false, with: 0, open: false };
}

function oneOf<T extends string>(value: string | null, values: T[]): T {
  return values.includes(value as T) ? (value as T) : values[0];
}

export class Store {
  state: State = start();
  compared: Compared | null = null; // with an older profile, where one was chosen
  private comparedTargets: Map<string, ComparedTarget> | null = null;
  private listeners: ((changed: Changed) => void)[] = [];

  constructor(readonly report: Report, readonly points: Progress[]) {
    this.read();
    window.addEventListener("hashchange", () => {
      const before = this.state;
      this.read();
      this.tell(before);
    });
  }

  get progress(): Progress {
    return this.points[this.state.point];
  }

  /** The chosen target's answer for the chosen point. */
  get chosen(): Result | null {
    return this.progress?.find(this.state.target) ?? null;
  }

  subscribe(listener: (changed: Changed) => void): void {
    this.listeners.push(listener);
  }

  set(change: Partial<State>): void {
    const before = this.state;
    this.state = { ...before, ...change };
    // Whoever opens a target on a narrow screen goes back with the browser's own button.
    const method = change.open && !before.open ? "pushState" : "replaceState";
    history[method](null, "", "#" + this.write());
    this.tell(before);
  }

  /** Other numbers stand in the report, and in the points: what is chosen stays chosen. */
  renew(): void {
    if (!this.chosen && this.progress?.results.length) this.state.target = this.progress.results[0].id;
    for (const listener of this.listeners) listener(new Set(["report"]));
  }

  /** Another profile is beside this one, or none is. */
  compare(compared: Compared | null): void {
    if (compared === this.compared) return;
    this.compared = compared;
    this.comparedTargets = null;
    for (const listener of this.listeners) listener(new Set(["compared"]));
  }

  /** What changed of it. */
  comparedOf(result: Result): ComparedTarget | undefined {
    if (!this.compared) return undefined;
    const key = (kind: string, location: string, point: string, metric: string) => JSON.stringify([kind, location, point, metric]);
    this.comparedTargets ??= new Map(this.compared.targets.flatMap((one) => (one.after ? [[key(one.kind, one.after.location, one.point, one.metric), one]] : [])));
    return this.comparedTargets.get(key(result.kind, result.location, result.point, result.metric));
  }

  private tell(before: State): void {
    const changed: Changed = new Set((Object.keys(before) as (keyof State)[]).filter((key) => before[key] !== this.state[key]));
    if (changed.size > 0) for (const listener of this.listeners) listener(changed);
  }

  private read(): void {
    const from = new URLSearchParams(location.hash.slice(1));
    const name = from.get("point"), metric = from.get("metric");
    const point = this.points.findIndex((p) => p.name === name && (!metric || p.metric === metric));
    this.state = {
      ...start(),
      point: Math.max(0, point),
      target: from.get("target") ?? "",
      sort: oneOf(from.get("sort"), SORTS),
      group: oneOf(from.get("group"), GROUPS),
      search: from.get("search") ?? "",
      verdict: from.get("verdict") ?? "",
      kind: from.get("kind") ?? "",
      sure: from.has("sure"),
      singles: from.has("singles"),
      residuals: from.has("residuals"),
      with: Number(from.get("with")) || 0,
      open: from.has("open"),
    };
    if (!this.chosen && this.progress?.results.length) this.state.target = this.progress.results[0].id;
  }

  private write(): string {
    const { state } = this, to = new URLSearchParams();
    if (state.point > 0) {
      to.set("point", this.progress.name);
      to.set("metric", this.progress.metric);
    }
    if (state.target) to.set("target", state.target);
    for (const key of ["search", "verdict", "kind"] as const) if (state[key]) to.set(key, state[key]);
    if (state.sort !== "rank") to.set("sort", state.sort);
    if (state.group !== "none") to.set("group", state.group);
    for (const key of ["sure", "singles", "residuals", "open"] as const) if (state[key]) to.set(key, "1");
    if (state.with) to.set("with", String(state.with));
    return to.toString();
  }
}
