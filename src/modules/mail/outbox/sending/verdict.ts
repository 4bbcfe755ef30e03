import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kernel/time.ts";

/** What an attempt came to, as nodemailer says it. */
export type SmtpError = {
  /** Such as `EAUTH` or `ETLS`. */
  code?: string;
  /** Of the system or of TLS, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  originalCode?: string;
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

/** How far an attempt came: no further than the door, inside, or to the last bytes of the mail. */
export type Reached = "door" | "inside" | "end";

/** Commands whose refusal is about this one mail. */
const OF_THE_MAIL = new Set(["RCPT TO", "DATA"]);

/** RFC 4954, 6: may answer any command. */
const isOfTheSignIn = (responseCode: number | undefined) =>
  responseCode !== undefined && [432, 454, 530, 534, 535, 538].includes(responseCode);

/** Judges an attempt. */
export function judge({ code = "", command = "", responseCode }: SmtpError, reached: Reached): Verdict {
  if (responseCode === undefined) {
    if (reached === "end") return { is: "perhaps" };
    if (reached === "door") return { is: "pause" };
    // A connection that breaks at one mail may do so at each try, and must not hold up the others.
    return { is: code === "EENVELOPE" ? "refused" : "later" };
  }
  if (responseCode === 421 || !OF_THE_MAIL.has(command) || isOfTheSignIn(responseCode))
    return { is: "pause" };
  return { is: responseCode >= 500 ? "refused" : "later" };
}

/** Returns in words for the operator why the relay takes no mails. It never holds the password. */
export function wordsOf(error: SmtpError): string {
  const { responseCode, response, message } = error;
  const told = response === undefined ? undefined : oneLine(response);
  if (error.code === "EAUTH") {
    const found = isOfTheSignIn(responseCode)
      ? "it refuses the user name or the password"
      : "it offers no sign-in here";
    return told === undefined ? found : `${found}: ${told}`;
  }
  return (
    wordsOfConnecting(error) ??
    (responseCode === undefined
      ? `it does not answer: ${oneLine(message)}`
      : `it answers ${told ?? responseCode}`)
  );
}

function wordsOfConnecting({
  code,
  originalCode = "",
  responseCode,
  message,
}: SmtpError): string | undefined {
  if (originalCode.endsWith("WRONG_VERSION_NUMBER"))
    return "it does not speak TLS from the start on this port: SMTP_URL begins with smtp:// there";
  // Names of the system's errors have no underscore, unlike those about TLS and certificates.
  if (code === "ETLS" || originalCode.includes("_"))
    return `the connection cannot be encrypted: ${oneLine(message)}`;
  if (code === "EDNS") return "its name has no address";
  if (message === NO_GREETING)
    return "it says nothing: if this port speaks TLS from the start, SMTP_URL begins with smtps:// there";
  return code === "ECONNECTION" && responseCode === undefined ? "it closes the connection" : undefined;
}

/** nodemailer's words, which have no code of their own. */
const NO_GREETING = "Greeting never received";

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
