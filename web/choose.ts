// Which rows the list shows, in which order: search, filters, sorting, and functions or files rolled up.

import type { Report, Result } from "./data";
import type { State } from "./state";
import { placeOf } from "./words";

export interface Heading {
  name: string;
  share: number | null; // of the samples
  members: Result[];
}

export type Row = { result: Result; heading?: undefined } | { heading: Heading; result?: undefined };

function fits(result: Result, state: State, words: string[]): boolean {
  if (state.verdict && result.verdict !== state.verdict) return false;
  if (state.kind && result.kind !== state.kind) return false;
  if (state.sure && result.to_5_points !== 0) return false;
  if (words.length === 0) return true;
  const text = `${result.location} ${result.function ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function byNumber(of: (result: Result) => number | null): (a: Result, b: Result) => number {
  return (a, b) => (of(b) ?? -Infinity) - (of(a) ?? -Infinity) || a.rank - b.rank;
}

const ORDERS: Record<State["sort"], (a: Result, b: Result) => number> = {
  rank: (a, b) => a.rank - b.rank,
  impact: byNumber((result) => result.impact),
  share: byNumber((result) => result.share),
  name: (a, b) => (a.location < b.location ? -1 : a.location > b.location ? 1 : a.rank - b.rank),
};

function groupName(result: Result, group: State["group"]): string {
  if (group === "file") return placeOf(result)?.path ?? "no file known";
  return result.kind === "function" ? result.location : result.function ?? "no function known";
}

/** The rows, and how many results fit. A heading stands where the first of its members would. */
export function chooseRows(results: Result[], state: State, report: Report, closed: Set<string>): { rows: Row[]; fitting: Result[] } {
  const words = state.search.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = results.filter((result) => fits(result, state, words)).sort(ORDERS[state.sort]);
  if (state.group === "none") return { rows: fitting.map((result) => ({ result })), fitting };
  const sums = new Map((state.group === "file" ? report.files : report.functions).map((sum) => [sum.name, sum.share]));
  const headings = new Map<string, Heading>();
  for (const result of fitting) {
    const name = groupName(result, state.group);
    let heading = headings.get(name);
    if (!heading) headings.set(name, (heading = { name, share: sums.get(name) ?? null, members: [] }));
    heading.members.push(result);
  }
  const rows: Row[] = [];
  for (const heading of headings.values()) {
    rows.push({ heading });
    if (!closed.has(heading.name)) rows.push(...heading.members.map((result) => ({ result })));
  }
  return { rows, fitting };
}
