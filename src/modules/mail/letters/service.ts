export { letterHtml } from "./html.tsx";
export { type Letter, letterText } from "./letter.ts";
export {
  addressLetter,
  addressTakenLetter,
  addressToldLetter,
  briefLetter,
  digestLetter,
  invitationLetter,
  submittedLetter,
  testLetter,
  type Words,
} from "./letters.ts";
