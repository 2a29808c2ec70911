// One row of the list. While all rows are scrolled past, many are filled in each frame: so a row is a copy of a model, which
// is filled again for another target when its own has gone out of sight.

import { changeMark } from "./compared";
import type { ComparedTarget, Result, Verified } from "./data";
import { h } from "./dom";
import { impactModel, setImpact, setShare, setSpark, shareModel, sparkModel } from "./picture/small";
import type { Heading } from "./choose";
import type { Scales } from "./picture/scale";
import { count, finding, folderOf, interval, percent, plain, share as shareWords, shortName, verifiedSentence, visible } from "./words";

export const verdictClass = (result: Result): string => result.verdict.replace(/ /g, "-");

export const verdictMark = (result: Result): string => (result.verdict === "harmful" ? "\u25bc " : "");

/** What a screen reader says of a row, instead of its parts: the finding, then the place. */
function spoken(result: Result): string {
  const share = result.share === null ? "" : ` ${shareWords(result.share)} of the samples.`;
  const impact = result.impact === null ? "" : ` Impact ${percent(result.impact)}, ${interval(result.low, result.high)}.`;
  return `${result.rank}. ${result.verdict}: ${plain(finding(result))}${impact}${share}`;
}

/** What stands beside lines, and is none, says so. */
const sortOf = (kind: string): string => (kind === "wait" ? "waiting" : kind === "region" ? "region" : "");

/** Who cannot see a row hears its sentence, which stands in it unseen, and none of its parts. */
function unspoken(...parts: HTMLElement[]): HTMLElement[] {
  for (const part of parts) part.setAttribute("aria-hidden", "true");
  return parts;
}

/** Elements in the order of the style's columns; what differs from row to row is set later. */
function makeModel(): HTMLElement {
  return h("div", { role: "option" }, h("span", { class: "said" }, "-"), ...unspoken(
    h("span", { class: "bracket" }),
    h("span", { class: "rank" }, "-"),
    h("span", { class: "name" }, h("bdi", { class: "short" }, "-"), h("bdi", { class: "place" }, "-")),
    h("span", { class: "cell-spark" }, sparkModel()),
    h("span", { class: "cell-impact" }, impactModel(), h("span", { class: "numbers" }, h("b", { class: "impact" }, "-"), " ", h("span", { class: "interval" }, "-"))),
    h("span", { class: "cell-share" }, h("span", { class: "figure" }, "-"), shareModel()),
    h("span", { class: "verdict" }, "-")));
}

let model: HTMLElement | null = null;

/** Puts a text in place of a model's. */
function write(element: Node, text: string): void {
  const node = element.firstChild as Text;
  if (node.data !== text) node.data = text;
}

function mark(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** What stands in a row beside its target. */
export interface RowLook {
  scales: Scales;
  bracket: string; // where it stands among those that cannot be told apart: "start", "middle", "end", or ""
  verified: Verified | null; // the last time
  compared: ComparedTarget | undefined; // with an older profile
}

const cameTrue = (verified: Verified): boolean => verified.outcome !== "nothing" && verified.outcome !== "lost";

/** A row for the target; `old` is one that is not needed any more, to be filled anew. */
export function resultRow(result: Result, look: RowLook, old: HTMLElement | null): HTMLElement {
  model ??= makeModel();
  const row = old ?? (model.cloneNode(true) as HTMLElement), { scales, bracket, verified, compared } = look;
  const [said, side, rank, name, spark, impact, share, verdict] = row.children;
  const looks = `row ${verdictClass(result)}`, changed = changeMark(compared);
  if (row.className !== looks) row.className = looks;
  row.title = visible(result.location);
  write(said, spoken(result) + (bracket ? " It cannot be told apart from its neighbours." : "") + (verified ? " " + plain(verifiedSentence(verified)) : "") + (changed ? ` Impact ${changed}.` : ""));
  mark(side, "class", bracket ? "bracket " + bracket : "bracket");
  mark(side, "title", bracket ? "These cannot be told apart." : "");
  write(rank, String(result.rank));
  write(name.firstChild!, shortName(result.kind, result.location));
  write(name.lastChild!, [changed, sortOf(result.kind), result.function ? visible(result.function) : folderOf(result.kind, result.location)].filter(Boolean).join(" \u00b7 "));
  setSpark(spark.firstChild as SVGElement, result, scales.effect);
  setImpact(impact.firstChild as HTMLElement, result, scales.impact);
  const numbers = impact.lastChild!;
  write(numbers.firstChild!, result.impact === null ? "\u2013" : percent(result.impact));
  write(numbers.lastChild!, result.impact === null ? "" : interval(result.low, result.high));
  write(share.firstChild!, result.share === null ? "\u2013" : shareWords(result.share));
  setShare(share.lastChild as HTMLElement, result.share);
  write(verdict, verdictMark(result) + result.verdict + (verified ? (cameTrue(verified) ? " \u2713" : " \u2717") : ""));
  return row;
}

/** Whether resultRow() may fill it anew. */
export const isResultRow = (row: HTMLElement): boolean => row.classList.contains("row") && !row.classList.contains("heading");

/** Of targets that are rolled up by file (kind "line") or by function. */
export function headingRow(heading: Heading, kind: string, open: boolean): HTMLElement {
  const { name, share, members } = heading;
  const harmful = members.filter((member) => member.verdict === "harmful").length;
  const number = count(members.length, "target") + (harmful > 0 ? `, \u25bc ${harmful} harmful` : "");
  const bar = shareModel();
  setShare(bar, share);
  const spoken = `${shortName(kind, name)}: ${number}${share === null ? "" : `, ${shareWords(share)} of the samples`}; ${open ? "open" : "closed"}`;
  return h("div", { class: "row heading", role: "option", title: visible(name) }, h("span", { class: "said" }, spoken), ...unspoken(
    h("span", { class: "turn" }, open ? "\u25be" : "\u25b8"),
    h("span", { class: "name" }, h("bdi", { class: "short" }, shortName(kind, name)), h("span", { class: "place" }, number)),
    h("span", { class: "cell-share" }, h("span", { class: "figure" }, share === null ? "\u2013" : shareWords(share)), bar)));
}
