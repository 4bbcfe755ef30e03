import { MediaError } from "../media-error.ts";
import { type Chunk, eachChunk } from "../view/chunks.ts";
import type { FileWindow } from "../view/file-window.ts";
import { latin1 } from "../view/piece.ts";
import { withoutTags } from "../view/tags.ts";
import { ascii, even, joined, u32be, viewOf } from "./bytes.ts";
import type { Fields } from "./fields.ts";
import { id3Frames, id3Tag } from "./id3.ts";
import { keptFrames } from "./id3-kept.ts";
import { piecesBytes } from "./piece-bytes.ts";
import { inAscii } from "./plain.ts";
import type { Piece } from "./retagged.ts";
import type { TagWriter } from "./writer.ts";

const START_BYTES = 12;
const HEAD_BYTES = 8;
const MAX_SIZE = 0xffff_ffff;
/** Ordinary files have fewer than ten. */
const MAX_CHUNKS = 1000;
/** The chunks about the sound: they stay. */
const ABOUT_SOUND: ReadonlySet<string> = new Set([
  "FVER",
  "COMM",
  "SSND",
  "MARK",
  "INST",
  "MIDI",
  "CHAN",
  "AESD",
  "SAXL",
  "PEAK",
  "wave",
  "basc",
  "trns",
]);
const TAGS: ReadonlySet<string> = new Set(["ID3 ", "id3 "]);

/** A chunk. `end` is the byte after its content, without padding. */
type AiffFile = { form: "AIFF" | "AIFC"; chunks: Chunk[]; restStart: number };

/**
 * Writes the tags of an AIFF or AIFF-C file as chunks behind all others: name, author and copyright in ASCII, and a whole ID3 tag.
 *
 * @see Apple, "Audio Interchange File Format: AIFF" 1.3, and "AIFF-C" draft of 1991.
 */
export const retagAiff: TagWriter = async (file, fields, { keepsOther = false }) => {
  const { form, chunks, restStart } = await readAiff(file);
  const texts = textChunks(fields);
  const { frames, notWritten } = id3Frames(fields);
  const old = keepsOther ? chunks.find(({ id }) => TAGS.has(id)) : undefined;
  const keptTag = old ? await keptFrames(file, { start: old.start + HEAD_BYTES, end: old.end }, frames) : [];
  const tag = frames.length + keptTag.length > 0 ? id3Tag(frames, keptTag) : [];
  const stays = ({ id }: Chunk) =>
    ABOUT_SOUND.has(id) || (keepsOther && !TAGS.has(id) && !texts.some((text) => text.id === id));
  const pieces = [
    ...chunks.filter(stays).flatMap(({ id, start, end }) => chunk(id, [{ start: start + HEAD_BYTES, end }])),
    ...texts.flatMap(({ id, text }) => chunk(id, [ascii(text)])),
    ...(tag.length > 0 ? chunk("ID3 ", tag) : []),
  ];
  const bytes = 4 + piecesBytes(pieces);
  if (bytes > MAX_SIZE) throw new MediaError("unsupported", "too large for AIFF");
  const rest = keepsOther
    ? [{ start: restStart, end: Math.max(restStart, (await withoutTags(file)).end) }]
    : [];
  return { pieces: [joined(ascii("FORM"), u32be(bytes), ascii(form)), ...pieces, ...rest], notWritten };
};

function textChunks({ title, artists, cLine }: Fields): { id: string; text: string }[] {
  const texts = [
    { id: "NAME", text: inAscii(title) },
    { id: "AUTH", text: inAscii(artists?.join(", ")) },
    { id: "(c) ", text: inAscii(cLine) },
  ];
  return texts.flatMap(({ id, text }) => (text ? [{ id, text }] : []));
}

function chunk(id: string, content: readonly Piece[]): Piece[] {
  const bytes = piecesBytes(content);
  const padding = even(bytes) === bytes ? [] : [new Uint8Array(1)];
  return [joined(ascii(id), u32be(bytes)), ...content, ...padding];
}

/** Finds the chunks of an AIFF file. @throws MediaError `unsupported`; `corrupt` when it is not built as the format wants. */
export async function readAiff(file: FileWindow): Promise<AiffFile> {
  const start = await file.read(0, START_BYTES);
  const form = latin1(start, 8, 4);
  if (latin1(start, 0, 4) !== "FORM" || (form !== "AIFF" && form !== "AIFC"))
    throw new MediaError("unsupported", "not an AIFF file");
  const { chunks, restStart } = await listChunks(file);
  const count = (wanted: string) => chunks.filter(({ id }) => id === wanted).length;
  if (count("COMM") !== 1 || count("SSND") !== 1)
    throw new MediaError("corrupt", "not one format and one sound");
  return { form, chunks, restStart };
}

async function listChunks(file: FileWindow): Promise<Omit<AiffFile, "form">> {
  const chunks: Chunk[] = [];
  let restStart = START_BYTES;
  for await (const { id, start, bytes } of eachChunk(file, HEADS)) {
    const end = start + HEAD_BYTES + bytes;
    if (!/^[\x20-\x7e]{4}$/.test(id) || end > file.sizeBytes) {
      if (chunks.some((chunk) => chunk.id === "SSND") && id !== "SSND") break;
      throw new MediaError("corrupt", "a part is missing");
    }
    if (chunks.length === MAX_CHUNKS) throw new MediaError("corrupt", "too many chunks");
    chunks.push({ id, start, end });
    restStart = Math.min(file.sizeBytes, start + HEAD_BYTES + even(bytes));
  }
  return { chunks, restStart };
}

const HEADS = {
  startBytes: START_BYTES,
  headBytes: HEAD_BYTES,
  read: (head: Uint8Array, start: number) => {
    const bytes = viewOf(head).getUint32(4);
    return { id: latin1(head, 0, 4), start, bytes, end: start + HEAD_BYTES + even(bytes) };
  },
};
