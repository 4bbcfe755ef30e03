import { ascii, joined } from "./bytes.ts";
import type { Fields } from "./fields.ts";
import { inAscii } from "./plain.ts";

/** Length of the chunk without its coding history. */
const FIXED_BYTES = 602;
const DESCRIPTION_BYTES = 256;
const ORIGINATOR_AT = 256;
const REFERENCE_AT = 288;
const NAME_BYTES = 32;
const VERSION_AT = 346;
const VERSION = 2;
const LOUDNESS_AT = 412;
/** 180 bytes that no version uses. */
const RESERVED_AT = 422;
/** What a value says that is not known. */
const UNKNOWN = 0x7fff;
/** A longer coding history was made to cause load. */
export const MAX_BEXT_BYTES = 64 * 1024;

/** Where the values of the loudness are, in their order: hundredths in 16 bits. */
const LOUDNESS = [
  "integratedLufs",
  "rangeLu",
  "truePeakDbtp",
  "momentaryMaxLufs",
  "shortTermMaxLufs",
] as const;

/**
 * Returns the chunk `bext` for a copy: who and what in ASCII, and the measured loudness. What the original's chunk says of its
 * place on a timeline, its date and the making of its sound stays.
 *
 * @param old The content of the original's chunk.
 * @param keepsOther True: the original's description and names stay where `fields` say nothing of the kind.
 * @see EBU Tech 3285, version 2, section 2.3.
 */
export function bextChunk(fields: Fields, old: Uint8Array | undefined, keepsOther: boolean): Uint8Array {
  const before = Buffer.alloc(FIXED_BYTES);
  before.set((old ?? before).subarray(0, FIXED_BYTES));
  const chunk = Buffer.from(before);
  if (!keepsOther) chunk.fill(0, 0, REFERENCE_AT + NAME_BYTES);
  put(chunk, descriptionOf(fields), 0, DESCRIPTION_BYTES);
  put(chunk, inAscii(fields.label ?? fields.artists?.[0]) ?? "", ORIGINATOR_AT, NAME_BYTES);
  put(chunk, fields.isrc ?? "", REFERENCE_AT, NAME_BYTES);
  // The identifier of 64 bytes came with version 1, the loudness with version 2: before that, their bytes were reserved.
  const oldVersion = before.readUInt16LE(VERSION_AT);
  if (oldVersion === 0) chunk.fill(0, VERSION_AT + 2, LOUDNESS_AT);
  chunk.writeUInt16LE(VERSION, VERSION_AT);
  putLoudness(chunk, fields, oldVersion);
  chunk.fill(0, RESERVED_AT);
  return joined(chunk, historyOf(old));
}

/** Writes a text and clears what was behind it. An empty one changes nothing. */
function put(chunk: Buffer, text: string, at: number, bytes: number): void {
  if (text === "") return;
  chunk.fill(0, at, at + bytes);
  chunk.set(ascii(text).subarray(0, bytes), at);
}

/** Returns `Artist - Title (Kind)`, as much of it as ASCII has letters for. */
function descriptionOf({ artists = [], title, kind }: Fields): string {
  const names = artists.map(inAscii).filter((name) => name !== undefined);
  const name = [names.join(", "), inAscii(title)].filter(Boolean).join(" - ");
  const plainKind = inAscii(kind);
  return plainKind === undefined || name === "" ? name : `${name} (${plainKind})`;
}

function putLoudness(chunk: Buffer, { loudness }: Fields, oldVersion: number): void {
  for (const [index, name] of LOUDNESS.entries()) {
    const at = LOUDNESS_AT + 2 * index;
    const value = loudness?.[name];
    if (value !== undefined && value !== null) chunk.writeInt16LE(hundredths(value), at);
    // The sound is the same, so what a chunk of version 2 says of it stays true.
    else if (oldVersion < VERSION) chunk.writeInt16LE(UNKNOWN, at);
  }
}

/** -Infinity, the loudness of silence, is the lowest value that fits. */
const hundredths = (value: number): number =>
  Number.isNaN(value) ? UNKNOWN : Math.round(Math.min(327.66, Math.max(-327.68, value)) * 100);

/** What was done with the sound: lines in ASCII that others wrote. */
function historyOf(old: Uint8Array | undefined): Uint8Array {
  const history = old?.subarray(FIXED_BYTES) ?? new Uint8Array(0);
  const end = history.indexOf(0);
  return end < 0 ? history : history.subarray(0, end);
}
