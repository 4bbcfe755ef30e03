import { plainText } from "../plain-text.ts";

/** Returns a text in ASCII; undefined when it would lose letters. */
export function inAscii(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const plain = plainText(text);
  return count(plain) > count(text) ? undefined : plain;
}

const count = (text: string): number => text.split("?").length;
