// Syntax colours. What highlight.js returns is markup; it is read here, not given to the browser, so that nothing in a
// source can become an element of the page.

/*! Contains highlight.js, whose licence is this:
Copyright (c) 2006, Ivan Sagalaev. All rights reserved.
Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met:
* Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.
* Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the documentation and/or other materials provided with the distribution.
* Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products derived from this software without specific prior written permission.
THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE. */
import hljs from "highlight.js/lib/highlight";
import cpp from "highlight.js/lib/languages/cpp";
import rust from "highlight.js/lib/languages/rust";
import go from "highlight.js/lib/languages/go";
import fortran from "highlight.js/lib/languages/fortran";
import d from "highlight.js/lib/languages/d";
import swift from "highlight.js/lib/languages/swift";
import ada from "highlight.js/lib/languages/ada";
import javascript from "highlight.js/lib/languages/javascript";

const languages = { cpp, rust, go, fortran, d, swift, ada, javascript };

const ENDINGS: Record<string, keyof typeof languages> = {
  c: "cpp", h: "cpp", cc: "cpp", cpp: "cpp", cxx: "cpp", hh: "cpp", hpp: "cpp", hxx: "cpp", inl: "cpp", ipp: "cpp", tcc: "cpp", cu: "cpp", cuh: "cpp",
  m: "cpp", mm: "cpp", y: "cpp", l: "cpp", rs: "rust", go: "go", f: "fortran", f90: "fortran", f95: "fortran", f03: "fortran", f08: "fortran", for: "fortran",
  d: "d", di: "d", swift: "swift", adb: "ada", ads: "ada", js: "javascript", ts: "javascript",
};

export interface Token {
  text: string;
  look: string; // a class; "": plain
}

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#x27;": "'", "&#39;": "'" };

/** The lines' tokens. */
export function colourLines(path: string, lines: string[]): Token[][] {
  const language = ENDINGS[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
  if (!language) return lines.map((text) => [{ text, look: "" }]);
  if (!hljs.getLanguage(language)) hljs.registerLanguage(language, languages[language]);
  const { value } = hljs.highlight(language, lines.join("\n"), true);
  const result: Token[][] = [[]], open: string[] = [];
  for (const [piece] of value.matchAll(/<span class="[^"]*">|<\/span>|&[#\w]+;|\n|[^<&\n]+|[<&]/g)) {
    if (piece.startsWith("<span")) open.push(piece.slice(13, -2).replace("hljs-", ""));
    else if (piece === "</span>") open.pop();
    else if (piece === "\n") result.push([]);
    else result[result.length - 1].push({ text: ENTITIES[piece] ?? piece, look: open[open.length - 1] ?? "" });
  }
  return result;
}
