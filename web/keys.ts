// Keys that work anywhere on the page, and the list of all of them.

import { h } from "./dom";
import type { Store } from "./state";

const KEYS: [string, string][] = [
  ["\u2191 \u2193, j k", "the target above or below"],
  ["Page up, Page down, Home, End", "further in the list"],
  ["Enter", "go to the target; open or close a heading"],
  ["\u2190 \u2192", "in the curve: read the next point of it"],
  ["Escape", "back to the list"],
  ["/", "search"],
  ["p", "the next progress point"],
  ["v", "the next verdict to filter by"],
  ["s", "the next way to sort"],
  ["g", "roll up by function, by file, or not"],
  ["w", "single windows in the curve"],
  ["r", "residuals: how far they are from it"],
  ["?", "this list"],
];

const TURNS = {
  v: { key: "verdict", values: ["", "improves", "no effect", "harmful", "not enough data"] },
  s: { key: "sort", values: ["rank", "impact", "share", "name"] },
  g: { key: "group", values: ["none", "function", "file"] },
} as const;

export function helpDialog(): HTMLDialogElement {
  const dialog: HTMLDialogElement = h("dialog", { id: "help", "aria-labelledby": "help-title" }, h("h2", { id: "help-title" }, "Keys"),
    h("dl", {}, ...KEYS.map(([keys, what]) => h("div", {}, h("dt", {}, h("kbd", {}, keys)), h("dd", {}, what)))),
    h("button", { type: "button", click: () => dialog.close() }, "Close"));
  return dialog;
}

export function listenToKeys(store: Store, places: { search: HTMLElement; list: { focus(): void }; detail: HTMLElement; help: HTMLDialogElement }): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || target.matches("input[type=search], select")) return;
    const { state, points } = store;
    if (event.key === "/") {
      store.set({ open: false });
      places.search.focus();
    } else if (event.key === "?") places.help.showModal();
    else if (event.key === "Escape") {
      store.set({ open: false });
      places.list.focus();
    } else if (event.key === "p" && points.length > 0) store.set({ point: (state.point + 1) % points.length });
    else if (event.key === "w") store.set({ singles: !state.singles });
    else if (event.key === "r") store.set({ residuals: !state.residuals });
    else if (event.key in TURNS) {
      const { key, values } = TURNS[event.key as keyof typeof TURNS];
      const next = values[((values as readonly string[]).indexOf(state[key]) + 1) % values.length];
      store.set({ [key]: next });
    } else if ((event.key === "ArrowDown" || event.key === "j" || event.key === "ArrowUp" || event.key === "k") && target === document.body) places.list.focus();
    else return;
    event.preventDefault();
  });
}
