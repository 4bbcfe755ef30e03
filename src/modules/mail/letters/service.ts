export { letterHtml } from "./html.tsx";
export { type Letter, letterText } from "./letter.ts";
export type { Words } from "./letters.ts";
