// The page: what stands where, and who is told when a person has chosen something.

import { Comparison } from "./compared";
import { Controls } from "./controls";
import { progressOf, readReport, shapeOf, type Report } from "./data";
import { Detail } from "./detail";
import { h, refill, sentenceOf } from "./dom";
import { helpDialog, listenToKeys } from "./keys";
import { List } from "./list";
import { connect, isServed, reloadPage, restoreFocus } from "./live";
import { Runs, leftOut, whereSamplesFell } from "./run";
import { Store } from "./state";
import { whatWasVerified } from "./verified";
import { answer, certainty, count, duration, loadOf, machineOf, percent, plain, shortName } from "./words";

function facts(report: Report): string {
  const program = report.runs.find((run) => run.program)?.program;
  return [program ? shortName("line", program) : null,
    report.runtime > 0 ? `${report.runs.length > 1 ? `${report.runs.length} runs, ` : ""}${duration(report.runtime)}` : isServed ? null : "its run did not end",
    count(report.windows, "window"), report.samples > 0 ? count(report.samples, "sample") : null,
    report.control_spread === null ? null : `control: with nothing changed, one window strays by up to ${percent(Math.expm1(report.control_spread))}`]
    .filter(Boolean).join(" \u00b7 ");
}

/** The machine, if it was one: of its load, what the last run says. */
function machine(report: Report): string {
  const names = new Set(report.runs.map(machineOf).filter((name): name is string => name !== null));
  if (names.size === 0) return "";
  if (names.size > 1) return `${names.size} machines: ${[...names].join("; ")}`;
  const last = report.runs[report.runs.length - 1];
  return [[...names][0], ...loadOf(last)].join(" \u00b7 ") + (report.runs.length > 1 ? " (the last of them)" : "");
}

function begin(): void {
  const report = readReport(), points = progressOf(report), store = new Store(report, points);
  const title = h("h1", { id: "answer" }), sure = h("p", { class: "sure" });
  const help = helpDialog();
  const ofRuns = h("bdi"), ofMachine = h("bdi");
  const machineLine = h("p", { class: "facts-line machine" }, ofMachine);
  const header = h("header", {}, title, sure, h("p", { class: "facts-line" }, ofRuns), machineLine);
  const tellFacts = () => {
    ofRuns.textContent = facts(report);
    ofMachine.textContent = machine(report);
    machineLine.hidden = ofMachine.textContent === "";
  };
  tellFacts();
  const take = (fresh: Report) => {
    if (shapeOf(fresh) !== shapeOf(report)) return reloadPage();
    Object.assign(report, fresh);
    points.splice(0, points.length, ...progressOf(report));
    store.renew();
  };
  const live = connect(take, store);
  if (live) header.append(live);
  const after = h("div", { class: "after" });
  const footer = h("footer", {}, `coz ${report.version}. `, h("button", { type: "button", id: "keys", click: () => help.showModal() }, "Keys  ?"));
  if (points.length === 0) {
    title.textContent = "There is no answer yet.";
    sure.textContent = report.windows === 0 ? "The profile holds no experiments: let the program run longer." : "No progress point was reached: put COZ_PROGRESS where a unit of work ends.";
    const fillAlone = () => refill(after, whatWasVerified(report, store), leftOut(report), whereSamplesFell(report));
    fillAlone();
    store.subscribe(() => {
      tellFacts();
      fillAlone();
    });
    document.body.append(header, h("main", {}, after), footer, help);
    return;
  }
  const detail = new Detail(store, report, (result) => store.set({ target: result.id }));
  const list = new List(store, report, () => detail.element.focus());
  const controls = new Controls(store, report, list);
  const runs = new Runs(store, report), comparison = new Comparison(store, report, isServed);
  const main = h("main", {}, h("div", { class: "both" }, h("section", { class: "targets", "aria-label": "Targets" }, controls.element, list.element), detail.element), after);
  document.body.append(header, main, footer, help);
  const fillAfter = () => refill(after, comparison.element, whatWasVerified(report, store), whereSamplesFell(report), leftOut(report), runs.element);
  fillAfter();

  const tell = () => {
    title.replaceChildren(...sentenceOf(answer(store.progress)));
    const best = store.progress.results[0];
    sure.textContent = best ? certainty(best) : "";
    document.title = "coz: " + plain(answer(store.progress));
    document.body.classList.toggle("open", store.state.open);
  };
  store.subscribe((changed) => {
    tell();
    controls.update();
    list.update(changed);
    if (changed.has("report")) {
      tellFacts();
      runs.renew();
      fillAfter();
    } else if (changed.has("target")) runs.update();
    if ((["report", "compared", "point", "target", "singles", "residuals"] as const).some((key) => changed.has(key))) detail.update();
    if (changed.has("open") && !store.state.open) list.focus();
  });
  tell();
  list.update();
  detail.update();
  restoreFocus();
  listenToKeys(store, { search: controls.search, list, detail: detail.element, help });
}

begin();
