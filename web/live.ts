// A page that `coz plot` serves. What is new about its profile comes as events and is shown in its place; more
// profiles are brought to the server; and a run that goes on is told what to try.

import { parseReport, type Report } from "./data";
import { h } from "./dom";
import type { Store } from "./state";
import { count, shortName, visible } from "./words";

interface Status {
  live: boolean;
  windows: number;
  steered: boolean; // wishes reach the run
  number: number; // of this page's profile
  profiles: { number: number; name: string }[];
}

const SPEEDUPS: [string, string][] = [["", "Speedups\u2026"], ["250 500 750 1000", "25 to 100 %, as usual"], ["50 100 150 200 250", "5 to 25 %"],
  ["100 200 300 400 500", "10 to 50 %"], ["500 600 700 800 900 1000", "50 to 100 %"], ["-500 -250 250 500", "50 % slower to 50 % faster"]];
const PROFILE_BYTES = 256 * 2 ** 20; // more is not taken by src/serve/
const SCROLLED = ".list, .detail, .code-box";
const NOTE_MS = 8000, FOCUS_KEY = "coz-focus";

const served = document.querySelector<HTMLMetaElement>("meta[name=coz-served]");

/** Whether the page may be of a run that goes on. */
export const isServed = served !== null;

/** Which child of which child it is, from the nearest element that has an id. */
function pathOf(element: Element): { from: string; steps: number[] } {
  const steps: number[] = [];
  let at = element;
  for (; !at.id && at.parentElement; at = at.parentElement) steps.unshift([...at.parentElement.children].indexOf(at));
  return { from: at.id, steps };
}

function elementAt({ from, steps }: { from: string; steps: number[] }): Element | null {
  let at: Element | null = from ? document.getElementById(from) : document.documentElement;
  for (const step of steps) at = at?.children[step] ?? null;
  return at;
}

/** Does what makes elements anew; the focus and all that is scrolled stay where they were. */
function keepingPlace(change: () => void): void {
  const focused = document.activeElement, path = focused && focused !== document.body ? pathOf(focused) : null;
  const scrolled = [...document.querySelectorAll(SCROLLED)].map((box) => ({ path: pathOf(box), top: box.scrollTop, left: box.scrollLeft }));
  const page = [window.scrollX, window.scrollY];
  change();
  const again = path ? (focused!.isConnected ? focused : elementAt(path)) : null;
  if (again instanceof HTMLElement && again.tagName === focused!.tagName && again !== document.activeElement) again.focus({ preventScroll: true });
  for (const { path: where, top, left } of scrolled) elementAt(where)?.scrollTo({ top, left, behavior: "instant" });
  window.scrollTo({ left: page[0], top: page[1], behavior: "instant" });
}

/** What comes while a button is pressed or text is marked waits until it is not. */
class Patience {
  private pressed = false;
  private waiting: (() => void) | null = null;

  constructor() {
    document.addEventListener("pointerdown", () => { this.pressed = true; }, true);
    for (const name of ["pointerup", "pointercancel"])
      document.addEventListener(name, () => setTimeout(() => { this.pressed = false; this.go(); }), true);
    document.addEventListener("selectionchange", () => this.go());
  }

  /** The last of several is enough. */
  put(change: () => void): void {
    this.waiting = change;
    this.go();
  }

  private go(): void {
    const marked = document.getSelection();
    if (this.pressed || (marked && !marked.isCollapsed)) return;
    const change = this.waiting;
    this.waiting = null;
    change?.();
  }
}

/** The page anew, where it cannot be changed in place: what is chosen stands in the address. */
export function reloadPage(): void {
  if (document.activeElement?.id) sessionStorage.setItem(FOCUS_KEY, document.activeElement.id);
  location.reload();
}

class Bar {
  readonly element = h("div", { class: "live" });
  private said = h("span", { class: "live-said" });
  private besideLabel = h("label", { hidden: true }, "compared with ");
  private note = h("span", { class: "live-note", role: "status" });
  private profiles = h("nav", { class: "profiles", "aria-label": "Profiles", hidden: true });
  private steering = h("span", { class: "steering", hidden: true });
  private first = h("button", { type: "button", id: "look-now", click: () => this.lookNow() }, "Look at this target now");
  private speedups = h("select", { id: "speedups", "aria-label": "Speedups to try", change: () => this.chooseSpeedups() },
    ...SPEEDUPS.map(([value, text]) => h("option", { value }, text)));
  private beside = h("select", { id: "beside", "aria-label": "An older profile to compare with", change: () => this.store.set({ with: Number(this.beside.value) }) });
  private stopping = this.stopDialog();
  private picker = h("input", { type: "file", multiple: true, hidden: true, id: "profile-file", "aria-label": "Profiles to add", change: () => this.bring(this.picker.files) });
  private was: Status | null = null;
  private timer = 0;

  constructor(private store: Store) {
    this.steering.append(this.first, this.speedups, h("button", { type: "button", id: "stop-run", click: () => this.stopping.showModal() }, "Stop the run\u2026"));
    this.element.append(this.said, this.steering, h("button", { type: "button", id: "add-profile", click: () => this.picker.click() }, "Add a profile\u2026"), this.picker, this.profiles, this.besideLabel, this.note, this.stopping);
    this.besideLabel.append(this.beside);
    this.listenToDrops();
    store.subscribe((changed) => { if (changed.has("with")) this.beside.value = String(store.state.with); });
  }

  status(status: Status): void {
    this.said.textContent = status.live ? `live, ${count(status.windows, "window")}` : this.was?.live ? `the run has ended, ${count(status.windows, "window")}` : "";
    this.element.classList.toggle("is-live", status.live);
    if (this.was?.live && !status.live) this.tell("The run has ended.");
    this.steering.hidden = !status.steered;
    this.profiles.hidden = this.besideLabel.hidden = status.profiles.length < 2;
    if (JSON.stringify(status.profiles) !== JSON.stringify(this.was?.profiles)) {
      this.profiles.replaceChildren(...status.profiles.map(({ number, name }) =>
        h("a", { href: `../${number}/`, "aria-current": number === status.number ? "page" : null }, h("bdi", {}, visible(name)))));
      this.offer(status);
    }
    this.was = { ...status, live: status.live };
  }

  /** The other profiles, to be compared with. */
  private offer({ profiles, number }: Status): void {
    const others = profiles.filter((profile) => profile.number !== number);
    this.beside.replaceChildren(h("option", { value: "0" }, "nothing"), ...others.map((other) => h("option", { value: other.number }, visible(other.name))));
    this.beside.value = String(this.store.state.with);
  }

  /** Whether the server answers. */
  connected(is: boolean): void {
    this.element.classList.toggle("is-lost", !is);
    if (!is) this.said.textContent = "not connected to coz plot: what is shown is what came last";
    else if (this.was) this.status(this.was);
  }

  private tell(text: string): void {
    this.note.textContent = text;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => { this.note.textContent = ""; }, NOTE_MS);
  }

  private async wish(words: string, done: string): Promise<void> {
    try {
      const answer = await fetch("../wishes", { method: "POST", body: words });
      this.tell(answer.ok ? done : await answer.text());
    } catch {
      this.tell("The server does not answer.");
    }
  }

  private lookNow(): void {
    const target = this.store.chosen;
    if (target) this.wish(`first ${target.kind} ${target.location}`, `${shortName(target.kind, target.location)} is tried next.`);
  }

  private chooseSpeedups(): void {
    const [value, text] = SPEEDUPS[this.speedups.selectedIndex];
    this.speedups.value = "";
    if (value) this.wish(`speedups ${value}`, `From the next block of windows on: ${text}.`);
  }

  private stopDialog(): HTMLDialogElement {
    const dialog: HTMLDialogElement = h("dialog", { id: "stop", "aria-labelledby": "stop-title" }, h("h2", { id: "stop-title" }, "Stop the run?"),
      h("p", {}, "The program is ended. The profile, and this page, stay."),
      h("p", { class: "choices" }, h("button", { type: "button", id: "stop-now", click: () => { dialog.close(); this.wish("stop", "The program is being ended."); } }, "Stop it"),
        h("button", { type: "button", click: () => dialog.close() }, "Let it run")));
    return dialog;
  }

  private listenToDrops(): void {
    const isFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    document.addEventListener("dragover", (event) => {
      if (!isFiles(event)) return;
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", (event) => event.relatedTarget || document.body.classList.remove("dropping"));
    document.addEventListener("drop", (event) => {
      if (!isFiles(event)) return;
      event.preventDefault();
      document.body.classList.remove("dropping");
      this.bring(event.dataTransfer!.files);
    });
  }

  private async bring(files: FileList | null): Promise<void> {
    let brought = 0;
    for (const file of [...(files ?? [])]) {
      if (file.size > PROFILE_BYTES) {
        this.tell(`${visible(file.name)} is larger than 256 MB.`);
        continue;
      }
      try {
        const answer = await fetch(`../profiles?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
        if (answer.ok) brought = (await answer.json()).number;
        else this.tell(visible(await answer.text()));
      } catch {
        this.tell(`${visible(file.name)} could not be sent: the server does not answer.`);
      }
    }
    this.picker.value = "";
    if (brought > 0) location.assign(`../${brought}/`);
  }
}

/**
 * Listens to the server, when there is one: hands on each report that comes, with the place of everything kept. What
 * it returns belongs into the head of the page; null for a file.
 */
export function connect(take: (fresh: Report) => void, store: Store): HTMLElement | null {
  if (!served) return null;
  const bar = new Bar(store), patience = new Patience();
  const events = new EventSource(`events?since=${served.content}`);
  events.addEventListener("report", (event) => patience.put(() => {
    const fresh = parseReport(event.data);
    keepingPlace(() => take(fresh));
  }));
  events.addEventListener("status", (event) => bar.status(JSON.parse(event.data)));
  events.addEventListener("open", () => bar.connected(true));
  events.addEventListener("error", () => bar.connected(false));
  return bar.element;
}

/** After reloadPage(): the focus is where it was. */
export function restoreFocus(): void {
  if (!served) return; // asking the storage takes as long as drawing a list
  const id = sessionStorage.getItem(FOCUS_KEY);
  sessionStorage.removeItem(FOCUS_KEY);
  if (id) document.getElementById(id)?.focus({ preventScroll: true });
}
