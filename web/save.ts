// Files to keep: the curve as SVG or PNG, the list as CSV.

import type { Result, Verified } from "./data";
import { drawCurve } from "./picture/curve";
import { svg } from "./dom";
import { finding, plain, shortName } from "./words";

const WIDTH = 960, HEIGHT = 540, TITLE = 44;
const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "fill-opacity", "stroke-opacity", "opacity", "font-family", "font-size", "font-weight", "font-variant-numeric"];

function download(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob), link = document.createElement("a");
  link.href = address;
  link.download = name.replace(/[^\w.-]+/g, "_").slice(-80);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** A picture that looks the same without this page's style. */
function standalone(result: Result, verified: Verified[]): SVGSVGElement {
  const picture = drawCurve(result, { width: WIDTH, height: HEIGHT, singles: false, cursor: -1, small: false, verified });
  picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  picture.setAttribute("viewBox", `0 ${-TITLE} ${WIDTH} ${HEIGHT + TITLE}`);
  picture.setAttribute("height", String(HEIGHT + TITLE));
  picture.removeAttribute("aria-hidden");
  const paper = svg("rect", { class: "paper", x: 0, y: -TITLE, width: WIDTH, height: HEIGHT + TITLE });
  picture.prepend(paper, svg("text", { class: "heading", x: 4, y: -TITLE + 28 }, plain(finding(result))));
  document.body.append(picture);
  for (const element of [picture, ...picture.querySelectorAll<SVGElement>("*")]) {
    const style = getComputedStyle(element);
    for (const look of LOOKS) element.setAttribute(look, style.getPropertyValue(look));
  }
  for (const element of picture.querySelectorAll("[class]")) element.removeAttribute("class");
  picture.remove();
  return picture;
}

export function saveCurve(result: Result, verified: Verified[], format: "svg" | "png"): void {
  const name = `coz-${shortName(result.kind, result.location)}`;
  const picture = new Blob([new XMLSerializer().serializeToString(standalone(result, verified))], { type: "image/svg+xml" });
  if (format === "svg") return download(name + ".svg", picture);
  const address = URL.createObjectURL(picture), image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = 2 * WIDTH;
    canvas.height = 2 * (HEIGHT + TITLE);
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(address);
    canvas.toBlob((blob) => blob && download(name + ".png", blob), "image/png");
  };
  image.src = address;
}

// A spreadsheet takes what begins so for a formula.
function cell(value: string | number | null): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  return `"${(/^[=+\-@\t\r]/.test(value) ? "'" : "") + value.replace(/"/g, '""')}"`;
}

/** One line for each target, as the list shows them. */
export function saveList(results: Result[]): void {
  const head = "rank,kind,location,function,point,metric,samples,share,verdict,impact,impact_low,impact_high";
  const lines = results.map((r) => [r.rank, r.kind, r.location, r.function, r.point, r.metric, r.samples, r.share, r.verdict, r.impact, r.low, r.high].map(cell).join(","));
  download("coz-targets.csv", new Blob([[head, ...lines, ""].join("\n")], { type: "text/csv" }));
}
