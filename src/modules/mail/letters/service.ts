export { letterHtml } from "./html.tsx";
export { type Letter, letterText } from "./letter.ts";
export { submittedLetter, type Words } from "./letters.ts";
