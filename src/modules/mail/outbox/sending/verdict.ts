import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kernel/time.ts";

/** What an attempt came to, as nodemailer says it. */
export type SmtpError = {
  /** Such as `EAUTH` or `ETLS`. */
  code?: string;
  /** The command that was refused or cut off, such as `RCPT TO`. */
  command?: string;
  /** Of the relay's answer, such as 550. */
  responseCode?: number;
  response?: string;
  message: string;
};

/** What becomes of a mail after an attempt that did not end with 250. */
export type Verdict =
  /** The address or the mail is refused for good. */
  | { is: "refused" }
  /** The mail goes out again later. */
  | { is: "later" }
  /** The relay itself is wrong, or asks for a pause: every mail waits, and none is blamed. */
  | { is: "pause" }
  /** The connection broke when the relay may have had all of it. */
  | { is: "perhaps" };

/** Commands whose refusal is about this one mail. */
const OF_THE_MAIL = new Set(["RCPT TO", "DATA"]);

const OF_THE_RELAY = new Set(["EDNS", "ETLS", "EAUTH", "ENOAUTH", "ECONFIG"]);
/** nodemailer's name for connecting and encrypting. */
const CONNECTING = "CONN";

/** Judges an attempt. `wasEnding`: all bytes had been handed over. */
export function judge({ code = "", command = "", responseCode }: SmtpError, wasEnding: boolean): Verdict {
  if (responseCode === undefined) {
    if (wasEnding) return { is: "perhaps" };
    // A connection that breaks at one mail may do so at each try, and must not hold up the others.
    return { is: command === CONNECTING || OF_THE_RELAY.has(code) ? "pause" : "later" };
  }
  if (responseCode === 421 || !OF_THE_MAIL.has(command)) return { is: "pause" };
  return { is: responseCode >= 500 ? "refused" : "later" };
}

/** Returns in words for the operator why the relay takes no mails. It never holds the password. */
export function wordsOf({ code = "", responseCode, response, message }: SmtpError): string {
  const said = response === undefined ? "" : `: ${oneLine(response)}`;
  if (code === "EAUTH" || code === "ENOAUTH") return `it refuses the user name or the password${said}`;
  if (code === "ETLS") return `the connection cannot be encrypted: ${oneLine(message)}`;
  if (code === "EDNS") return "its name has no address";
  if (responseCode !== undefined) return `it answers ${oneLine(response ?? String(responseCode))}`;
  return `it does not answer: ${oneLine(message)}`;
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** RFC 5321, 4.5.4.1 asks for four to five days. */
const WAITS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  DAY_MS,
  DAY_MS,
];
const SPREAD = 0.2;

/**
 * Returns how long a mail waits after its nth refusal for now, or undefined when it is given up.
 *
 * @param random From 0 up to but not including 1.
 */
export function waitMs(tries: number, random: number): number | undefined {
  const wait = WAITS_MS[tries - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 - SPREAD + 2 * SPREAD * random));
}
