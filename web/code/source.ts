// The source around the target, with the impact and the share of the samples beside each line.

import type { Progress, Report, Result, Source } from "../data";
import { colourLines } from "./colour";
import { h } from "../dom";
import { verdictMark } from "../row";
import { figure, finding, percent, placeOf, plain, shortName, visible } from "../words";

/** What is to be said of a file that may not be what was profiled: by its content, or else by its time of change. */
function changeOf(report: Report, source: Source): string | null {
  if (source.changed !== null)
    return source.changed ? `This file is no longer what it was when the program was ${source.changed}. The lines may not be those that were profiled.` : null;
  return report.runs.some((run) => run.time > 0 && source.modified > run.time)
    ? "This file was changed after the run began. The lines may not be those that were profiled." : null;
}

function resultsByLine(progress: Progress, path: string): Map<number, Result> {
  const byLine = new Map<number, Result>();
  for (const result of progress.results) {
    const place = placeOf(result);
    if (place?.path === path && (result.kind === "line" || !byLine.has(place.line))) byLine.set(place.line, result);
  }
  return byLine;
}

function row(number: number, code: HTMLElement, share: number | null, result: Result | undefined, isTarget: boolean, chosen: (result: Result) => void): HTMLElement {
  const impact = result && result.impact !== null ? verdictMark(result) + percent(result.impact) : "";
  const line = h("tr", { class: `${isTarget ? "target " : ""}${result ? "tried " + result.verdict.replace(/ /g, "-") : ""}`, "data-line": number },
    h("td", { class: "number" }, result && !isTarget
      ? h("button", { type: "button", title: plain(finding(result)), "aria-label": `Line ${number}: ${plain(finding(result))}`, click: () => chosen(result) }, String(number))
      : String(number)),
    h("td", { class: "of-samples" }, share !== null && share >= 0.0005 ? figure(share) : ""),
    h("td", { class: "of-impact" }, impact),
    code);
  return line;
}

function table(source: Source, byLine: Map<number, Result>, line: number, chosen: (result: Result) => void): HTMLElement {
  const shares = new Map(source.shares), body = h("tbody");
  for (const part of source.parts) {
    if (line < part.from || line >= part.from + part.lines.length) continue;
    colourLines(source.path, part.lines).forEach((tokens, i) => {
      const number = part.from + i, result = byLine.get(number);
      const code = h("code", {}, ...tokens.map((token) => (token.look ? h("span", { class: "code-" + token.look }, visible(token.text)) : visible(token.text))));
      body.append(row(number, h("td", { class: "code" }, code), result?.share ?? shares.get(number) ?? null, result, number === line, chosen));
    });
  }
  return h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Line"), h("th", { scope: "col" }, "Samples"), h("th", { scope: "col" }, "Impact"), h("th", { scope: "col" }, "Code"))), body);
}

/** null where there is nothing to show. */
export function sourceOf(report: Report, progress: Progress, result: Result, chosen: (result: Result) => void): HTMLElement | null {
  const place = placeOf(result);
  if (!place) return null;
  const title = h("h3", {}, "Source of ", h("bdi", {}, shortName("line", place.path)));
  const source = report.sources.find((one) => one.path === place.path);
  if (!source?.parts.some((part) => place.line >= part.from && place.line < part.from + part.lines.length))
    return h("div", { class: "source" }, title, h("p", { class: "quiet" }, "The page does not hold this source: it was not there to be read when the page was made, or it is not among the best targets."));
  const box = h("div", { class: "code-box", tabindex: 0, role: "region", "aria-label": `Source around line ${place.line}` },
    table(source, resultsByLine(progress, place.path), place.line, chosen));
  requestAnimationFrame(() => {
    const target = box.querySelector<HTMLElement>("tr.target");
    if (target) box.scrollTop = target.offsetTop - box.clientHeight / 2 + target.offsetHeight;
  });
  const change = changeOf(report, source);
  return h("div", { class: "source" }, title, change && h("p", { class: "harm" }, change), box);
}
