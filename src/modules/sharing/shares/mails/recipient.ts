import { isAddress, readAddress } from "../../../mail/outbox/service.ts";

const NAMED = /<([^<>]+)>\s*$/;

/** The name in `Bo Berg <bo@example.com>`; an address alone is none. */
export function nameOf(recipient: string | null): string {
  const name = (recipient ?? "").replace(/<[^<>]*@[^<>]*>/g, "").trim();
  return name.includes("@") ? "" : name;
}

/** Returns the address that a recipient was written with, as in `Bo Berg <bo@example.com>` or alone; null: there is none. */
export function addressIn(recipient: string): string | null {
  const written = (NAMED.exec(recipient)?.[1] ?? recipient).trim();
  return isAddress(written) ? readAddress("recipient", written) : null;
}

type Sent = { recipient?: string | null | undefined; recipientEmail?: string | null | undefined };
type Before = { recipient: string | null; recipientEmail: string | null };

/**
 * Returns what the recipient of a link is called and where mails to them go, as far as what was sent changes it. Without a name the
 * address is the name; a link for anyone has neither. An address that was read from the name goes with it.
 *
 * @throws DomainError `validation_failed` for what is no single address.
 */
export function readRecipient({ recipient, recipientEmail }: Sent, before?: Before): Partial<Before> {
  if (recipient === null || (recipient === undefined && recipientEmail === undefined))
    return recipient === null ? { recipient, recipientEmail: null } : {};
  const email = recipientEmail == null ? recipientEmail : readAddress("recipientEmail", recipientEmail);
  const name = recipient ?? before?.recipient ?? email ?? null;
  if (name === null) return {};
  if (email !== undefined) return { recipient: name, recipientEmail: email };
  const wasRead = before?.recipient != null && addressIn(before.recipient) === before.recipientEmail;
  const read = addressIn(name);
  return read !== null || wasRead || !before
    ? { recipient: name, recipientEmail: read }
    : { recipient: name };
}
