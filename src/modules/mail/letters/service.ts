export { type AnsweredTrack, answeredLetter } from "./answered.ts";
export { letterHtml } from "./html.tsx";
export { type Letter, letterText } from "./letter.ts";
export {
  addressLetter,
  addressTakenLetter,
  addressToldLetter,
  briefLetter,
  digestLetter,
  earlyLetter,
  invitationLetter,
  linkLetter,
  reminderLetter,
  submittedLetter,
  supplyLetter,
  testLetter,
  type Words,
} from "./letters.ts";
