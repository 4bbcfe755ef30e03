export { isAddress, readAddress, readMessage, readWords } from "./addresses.ts";
export {
  openSending,
  previewByHand,
  type Sending,
  sendByHand,
} from "./by-hand.ts";
export { composeForLibrary, composeForServer, composeLetter, loadLook, type MailLook } from "./compose.ts";
export { cancelMail, sendAgain } from "./decide.ts";
export { cancelMoved, deleteMailsOf, doubtMails, forgetMailsTo } from "./ends.ts";
export { listMails } from "./list.ts";
export { requireMail } from "./on.ts";
export { countRecent, lastAbout, type NewMail, resealMails, writeMail } from "./outbox.ts";
export { pruneMails } from "./prune.ts";
export { checkRelay, nameOf, tryMail } from "./sending/check.ts";
export { countWaiting, isWaiting } from "./sending/queue.ts";
export { MAIL_STATE, readMailState } from "./states.ts";
export { isStopped, listMarks, markAddress } from "./stops.ts";
export { transferMails } from "./transfer.ts";
export { cancelAsking, cancelWaiting, countOfShare, listMailedBefore, moveWaiting } from "./waiting.ts";
