/** Somebody a link is for. */
export type Recipient = {
  /** What they are called; of somebody without a name, the address. */
  name: string;
  /** Empty: not known. */
  email: string;
};

const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

/** True for what looks like one address. The server decides. */
export const isAddress = (text: string): boolean => ADDRESS.test(text.trim());

/** Reads a name, an address, or both: `Ada Lind <ada@example.com>`. */
export function readRecipient(written: string): Recipient {
  const text = written.trim();
  const [, name = "", email = ""] = /^(.*?)\s*<([^<>]+)>$/.exec(text) ?? [];
  if (isAddress(email)) return { name: name.replace(/^"(.*)"$/, "$1").trim() || email, email: email.trim() };
  return { name: text, email: isAddress(text) ? text : "" };
}

/** Reads one or more recipients from lines, or from a list of addresses as programs of mail copy it. */
export const readRecipients = (text: string): Recipient[] =>
  text
    .split(/[\n,;]+/)
    .filter((each) => each.trim() !== "")
    .map(readRecipient);
