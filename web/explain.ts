// "Explain this line", on a page that is served: the server tells what it would send and where; when a person says yes to
// that, the answer comes in pieces. Whatever it holds is shown as text.

import type { Result } from "./data";
import { h } from "./dom";
import { shortName, visible } from "./words";

interface Piece {
  text?: string;
  done?: boolean;
  error?: string;
}

/** Each line of JSON of an answer, as it comes. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Piece> {
  const reader = body.getReader(), decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const lines = rest.split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line) yield JSON.parse(line);
    if (done) return;
  }
}

export class Explainer {
  private title = h("h2", { id: "explain-title" });
  private notice = h("p", { class: "explain-notice", role: "status" });
  private text = h("div", { class: "explanation", tabindex: 0, role: "region", "aria-label": "The explanation" });
  private send = h("button", { type: "button", id: "explain-send", hidden: true, click: () => this.answer() }, "Send it");
  private dialog = h("dialog", { id: "explain", "aria-labelledby": "explain-title" }, this.title, this.notice, this.text,
    h("p", { class: "choices" }, this.send, h("button", { type: "button", id: "explain-close", click: () => this.dialog.close() }, "Close")));
  private number = 0; // of the question that was told
  private asking: AbortController | null = null;

  constructor() {
    this.dialog.addEventListener("close", () => this.asking?.abort());
    document.body.append(this.dialog);
  }

  /** Tells what would be sent; nothing is. */
  open(result: Result): void {
    this.title.textContent = `Explain ${shortName(result.kind, result.location)}`;
    this.notice.textContent = "";
    this.text.textContent = "";
    this.send.hidden = true;
    this.dialog.showModal();
    this.try(async (signal) => {
      const answer = await fetch("explain", { method: "POST", body: result.location, signal });
      if (!answer.ok) {
        this.notice.textContent = visible(await answer.text());
        return;
      }
      const { number, notice } = await answer.json();
      this.number = number;
      this.notice.textContent = visible(notice);
      this.send.hidden = false;
      this.send.focus();
    });
  }

  private answer(): void {
    this.send.hidden = true;
    this.text.focus();
    this.try(async (signal) => {
      const answer = await fetch(`explain?yes=${this.number}`, { method: "POST", signal });
      if (!answer.ok || !answer.body) {
        this.notice.textContent = visible(await answer.text());
        return;
      }
      this.notice.textContent = "Asked; the answer comes as it is written.";
      let end: Piece = { error: "The server has ended in the middle of it." };
      for await (const piece of piecesOf(answer.body)) {
        if (piece.text) this.text.append(piece.text);
        else end = piece;
      }
      this.notice.textContent = end.error ? visible(end.error) : "A model wrote this; it may be wrong. The numbers are the profile's.";
    });
  }

  private async try(what: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    try {
      await what(asking.signal);
    } catch {
      if (!asking.signal.aborted) this.notice.textContent = "The server does not answer.";
    }
  }
}
