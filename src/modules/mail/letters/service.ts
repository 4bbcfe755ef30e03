export { letterHtml } from "./html.tsx";
export { type Letter, letterText } from "./letter.ts";
export { briefLetter, submittedLetter, type Words } from "./letters.ts";
