// What is used of highlight.js (version 9), by the names of its files.

declare module "highlight.js/lib/highlight" {
  const hljs: {
    registerLanguage(name: string, definition: (hljs: unknown) => unknown): void;
    getLanguage(name: string): unknown;
    highlight(language: string, code: string, ignoreIllegals: boolean): { value: string };
  };
  export default hljs;
}

declare module "highlight.js/lib/languages/*" {
  const definition: (hljs: unknown) => unknown;
  export default definition;
}
