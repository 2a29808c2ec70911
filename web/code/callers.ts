// Who calls the chosen target: the most frequent stacks of its samples, with what was inlined.

import type { Progress, Result, Stack } from "../data";
import { h } from "../dom";
import { percent, plain, finding, shortName, visible } from "../words";

/** The result of the line that the frame is at, if that was tried. */
function resultAt(progress: Progress, place: string): Result | undefined {
  return progress.results.find((result) => result.kind === "line" && result.location === place);
}

function frameItem(progress: Progress, frame: Stack["frames"][number], isTarget: boolean, chosen: (result: Result) => void): HTMLElement {
  const name = frame.function ? h("bdi", {}, visible(frame.function)) : "a function without a name";
  const short = frame.place && h("bdi", { title: visible(frame.place) }, shortName("line", frame.place));
  const result = frame.place && !isTarget ? resultAt(progress, frame.place) : undefined;
  const place = result
    ? h("button", { type: "button", title: plain(finding(result)), "aria-label": plain(finding(result)), click: () => chosen(result) }, short)
    : short;
  return h("li", { class: isTarget ? "target" : "" }, name, place && " at ", place, frame.inlined && h("span", { class: "quiet" }, ", inlined"));
}

function stackItem(progress: Progress, stack: Stack, target: string, chosen: (result: Result) => void): HTMLElement {
  const at = stack.frames.findIndex((frame) => frame.place === target);
  return h("li", {}, h("p", { class: "of-samples" }, percent(stack.share), h("span", { class: "quiet" }, " of its samples")),
    h("ol", { class: "frames" }, ...stack.frames.map((frame, i) => frameItem(progress, frame, i === at, chosen))));
}

/** null where nothing is known, or nobody calls it. */
export function callersOf(progress: Progress, result: Result, chosen: (result: Result) => void): HTMLElement | null {
  const stacks = result.stacks ?? [], target = result.location.split(" <- ")[0];
  if (!stacks.some((stack) => stack.frames.length > 1)) return null;
  return h("div", { class: "callers" }, h("h3", {}, "Called by"),
    h("ul", { class: "stacks" }, ...stacks.map((stack) => stackItem(progress, stack, target, chosen))));
}
