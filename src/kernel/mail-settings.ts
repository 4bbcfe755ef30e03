import { list, SettingError, wholeNumber } from "./setting-values.ts";
import type { MailSettings } from "./settings.ts";

type Name = "SMTP_URL" | "MAIL_FROM" | "MAIL_PER_DAY" | "PUBLIC_URL" | "NETWORK_ALLOW";
type Read = (name: Name) => string | undefined;

const TLS_PORT = 465;
const SUBMISSION_PORT = 587;

/**
 * Reads the relay that takes the mails. How many is checked even where there is no relay: a typing error should not wait for it.
 *
 * @throws SettingError for values that are wrong, or wrong together. It never repeats the address, which holds a password.
 */
export function mail(read: Read): MailSettings | undefined {
  const perDay = wholeNumber("MAIL_PER_DAY", read("MAIL_PER_DAY") ?? "200", 1, 100_000);
  const text = read("SMTP_URL");
  if (text === undefined) return undefined;
  const relay = relayAt(text, list(read("NETWORK_ALLOW")));
  const from = read("MAIL_FROM");
  if (from === undefined)
    throw new SettingError("SMTP_URL needs MAIL_FROM, such as: Night Label <music@label.example>");
  if (read("PUBLIC_URL") === undefined)
    throw new SettingError(
      "SMTP_URL needs PUBLIC_URL: mails hold links, which must work outside of this machine",
    );
  return { ...relay, from: senderOf(from), perDay };
}

function relayAt(text: string, allowed: readonly string[]): Omit<MailSettings, "from" | "perDay"> {
  const url = URL.parse(text);
  const isTls = url?.protocol === "smtps:";
  if (
    !url ||
    (!isTls && url.protocol !== "smtp:") ||
    url.hostname === "" ||
    url.search ||
    url.hash ||
    !/^\/?$/.test(url.pathname)
  )
    throw new SettingError(
      "SMTP_URL must be an address such as smtps://user:password@smtp.example.com:465, or smtp://… for port 587",
    );
  const port = Number(url.port) || (isTls ? TLS_PORT : SUBMISSION_PORT);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return {
    host,
    port,
    isTls,
    // Where nobody can read along, as on this machine, the operator may say so.
    needsTls: !allowed.includes(host) && !allowed.includes(`${url.hostname}:${port}`),
    user: decoded(url.username),
    password: decoded(url.password),
  };
}

function decoded(part: string): string | undefined {
  try {
    return part === "" ? undefined : decodeURIComponent(part);
  } catch {
    throw new SettingError("SMTP_URL has a % in its user name or password that must be written as %25");
  }
}

/** Reads `Night Label <music@label.example>`, or the address alone. */
function senderOf(text: string): MailSettings["from"] {
  const [, name = "", address = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text) ?? [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters would begin another header
  if (!/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(address) || /[\x00-\x1f\x7f]/.test(name))
    throw new SettingError("MAIL_FROM must be an address such as: Night Label <music@label.example>");
  return { name: name.replace(/^"(.*)"$/, "$1") || null, address };
}
