import type { MailState } from "../../../modules/mail/outbox/shapes.ts";
import { day } from "../ui/dates.ts";

const CLOCK = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
/** Sooner, it is on its way. */
const SOON_MS = 60_000;

/** Returns what became of a mail. It never says that one was delivered: only a visit of the link proves that. */
export function mailWords(mail: Omit<MailState, "id">, now = Date.now()): string {
  const { state, answer, at } = mail;
  if (state === "waiting") return waitingWords(mail, now);
  if (state === "ending") return "Waiting";
  if (state === "sent") return `Handed over ${timeWords(at, now)}`;
  if (state === "unsure") return "May have arrived; send again?";
  if (state === "cancelled") return answer ?? "Not sent";
  return `Refused: ${refusalWords(mail)}`;
}

/** A mail that waits for its link, or for another try, says until when. */
function waitingWords({ at, answer }: Omit<MailState, "id">, now: number): string {
  if (Date.parse(at) <= now + SOON_MS) return "Waiting";
  return `Waiting: ${answer === null ? "goes out" : "tried again"} ${timeWords(at, now)}`;
}

/** The relay's words, with its number once. */
function refusalWords({ code, answer }: Omit<MailState, "id">): string {
  const words = answer ?? "the relay did not say why";
  return code === null || words.startsWith(String(code)) ? words : `${code} ${words}`;
}

/** `at 14:02` today, `on 3 Mar 2027 at 14:02` on another day. */
function timeWords(at: string, now: number): string {
  const clock = `at ${CLOCK.format(Date.parse(at))}`;
  return day(at) === day(new Date(now).toISOString()) ? clock : `on ${day(at)} ${clock}`;
}

/** `1 person`, `4 people`. */
export const peopleWords = (count: number): string => (count === 1 ? "1 person" : `${count} people`);

/** Names the button that sends. */
export const sendTo = (count: number): string => `Send to ${peopleWords(count)}`;
