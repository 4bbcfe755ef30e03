import { ascii, even, joined, u32le } from "./bytes.ts";
import type { Fields } from "./fields.ts";
import { inAscii } from "./plain.ts";

const ENTRIES: readonly (readonly [id: string, value: (fields: Fields) => string | undefined])[] = [
  ["INAM", ({ title }) => title],
  ["IART", ({ artists }) => artists?.join(", ")],
  ["IPRD", ({ album }) => album],
  ["ITRK", ({ place }) => place && String(place.number)],
  ["ICRD", ({ date }) => date],
  ["IGNR", ({ genres }) => genres?.join(", ")],
  ["ICOP", ({ cLine }) => cLine],
  ["IMUS", ({ composers }) => composers?.join(", ")],
];

/** One entry of a list of kind `INFO`: its head and its content. */
export type InfoEntry = { id: string; text: Uint8Array };

/**
 * Returns the entries of the list `INFO`, which readers take for ASCII. What would lose letters there is left out: the whole is
 * in the tag of the chunk `id3 `.
 */
export function infoEntries(fields: Fields): InfoEntry[] {
  return ENTRIES.flatMap(([id, value]) => {
    const text = inAscii(value(fields));
    return text ? [{ id, text: ascii(`${text}\0`) }] : [];
  });
}

/** Returns the content of the chunk. Entries begin at even places. */
export function infoList(entries: readonly InfoEntry[]): Uint8Array {
  const parts = entries.flatMap(({ id, text }) => [
    ascii(id),
    u32le(text.length),
    text,
    new Uint8Array(even(text.length) - text.length),
  ]);
  return joined(ascii("INFO"), ...parts);
}

/** Reads the entries of a list, as many as are whole. @param content Behind the four letters of the list. */
export function readInfo(content: Uint8Array): InfoEntry[] {
  const bytes = Buffer.from(content);
  const entries: InfoEntry[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    const id = bytes.toString("latin1", at, at + 4);
    if (end > bytes.length || !/^[A-Z0-9 ]{4}$/.test(id)) break;
    entries.push({ id, text: bytes.subarray(at + 8, end) });
    at = even(end);
  }
  return entries;
}
