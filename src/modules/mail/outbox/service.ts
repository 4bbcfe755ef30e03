export { readMessage } from "./addresses.ts";
export { type MailByHand, openSending, requireSender, type Sending, sendByHand } from "./by-hand.ts";
export { composeForLibrary, composeForServer } from "./compose.ts";
export { countRecent, type NewMail, resealMails, writeMail } from "./outbox.ts";
export { checkRelay } from "./sending/check.ts";
export { MAIL_STATE, readMailState } from "./states.ts";
export { isStopped } from "./stops.ts";
