// What `coz verify` found: whether what was promised came true.

import type { Report, Result, Verified } from "./data";
import { h, sentenceOf } from "./dom";
import type { Store } from "./state";
import { verifiedSentence, verifiedWhen, visible } from "./words";

const SHOWN = 20;

/** A sentence for each; `chosen` leads to its target, where there is one. */
export function verifiedList(all: Verified[], chosen?: (one: Verified) => (() => void) | null): HTMLElement {
  return h("ul", { class: "verified" }, ...all.map((one) => {
    const go = chosen?.(one);
    return h("li", { class: `outcome-${one.outcome}` }, ...sentenceOf(verifiedSentence(one)), " ", h("span", { class: "quiet" }, verifiedWhen(one), "."),
      chosen && h("p", { class: "quiet commands" }, h("bdi", {}, visible(one.before)), " \u2192 ", h("bdi", {}, visible(one.after))),
      go && h("button", { type: "button", click: go }, "Show the target"));
  }));
}

/** Everything that was verified, the latest first. */
export function whatWasVerified(report: Report, store: Store): HTMLElement | null {
  if (report.verified.length === 0) return null;
  const all = [...report.verified].reverse().slice(0, SHOWN);
  const goTo = (one: Verified) => {
    const point = store.points.findIndex(({ name, metric }) => name === one.point && metric === one.metric);
    const target: Result | undefined = store.points[point]?.find(`${one.kind} ${one.location}`);
    return target ? () => store.set({ point, target: target.id, open: true }) : null;
  };
  return h("section", { class: "verifications", "aria-label": "What was verified" }, h("h2", {}, "What was verified"),
    h("p", { class: "quiet" }, "Both builds ran natively in turn. What was gained is measured, not predicted; in brackets are 95\u202f% intervals."),
    verifiedList(all, goTo));
}
