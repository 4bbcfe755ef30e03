import { MediaError } from "../media-error.ts";
import type { FileWindow } from "../view/file-window.ts";
import { bextChunk, MAX_BEXT_BYTES } from "./bext.ts";
import { ascii, even, joined, u32le, u64le, viewOf } from "./bytes.ts";
import type { Fields } from "./fields.ts";
import { type Frame, id3Frames, id3Tag } from "./id3.ts";
import { keptFrames } from "./id3-kept.ts";
import { infoEntries, infoList, readInfo } from "./info-list.ts";
import { piecesBytes } from "./piece-bytes.ts";
import type { NotWritten, Piece } from "./retagged.ts";
import { CHUNK_HEAD_BYTES, NO_SIZE, readWav, type WavChunk, type WavFile } from "./wav-chunks.ts";
import type { TagWriter } from "./writer.ts";
import { isrcXml, projectXml } from "./xml.ts";

/** The chunks about the sound: they stay. `mext` and `dbmd` are about coded sound, `chna` about objects in it. */
const ABOUT_SOUND: ReadonlySet<string> = new Set([
  "fmt ",
  "fact",
  "data",
  "cue ",
  "smpl",
  "inst",
  "acid",
  "PEAK",
  "levl",
  "mext",
  "chna",
  "dbmd",
  "slnt",
  "wavl",
]);
/** The chunks that are written anew. */
const TAGS: ReadonlySet<string> = new Set(["bext", "id3 ", "ID3 "]);
/** Length of the chunk with sizes of 64 bits. */
const DS64_BYTES = CHUNK_HEAD_BYTES + 28;
/** A longer list was made to cause load. */
const MAX_INFO_BYTES = 1024 * 1024;

/**
 * Writes the tags of a WAV file as chunks: `bext` in front of the sound, `LIST INFO`, `iXML`, `axml` and `id3 ` behind everything
 * else. What is about the sound stays, in its order. A file that grows to 4 GiB gets sizes of 64 bits.
 *
 * @see Microsoft and IBM, "Multimedia Programming Interface and Data Specifications 1.0", chapter 3; EBU Tech 3285, 3306, 3352.
 */
export const retagWav: TagWriter = async (file, fields, { keepsOther = false }) => {
  const wav = await readWav(file);
  const { frames, notWritten } = id3Frames(fields);
  const hasObjects = wav.chunks.some(({ id }) => id === "chna");
  const bext = await bextOf(file, wav, fields, keepsOther);
  const written = { axml: !hasObjects && fields.isrc !== undefined, ixml: projectXml(fields) };
  const stays = (chunk: WavChunk) => staysIn(chunk, { keepsOther, hasObjects, axml: written.axml });
  const kept = wav.chunks.filter(stays);
  // A description of the session that is there already stays as it is.
  const ixml = kept.some(({ id }) => id === "iXML") ? undefined : written.ixml;
  const info = await infoOf(file, wav, fields, keepsOther);
  const id3 = await id3Of(file, wav, frames, keepsOther);
  const chunks = (isLong: boolean) => [
    ...(bext ? chunk("bext", [bext]) : []),
    ...kept.flatMap(({ id, start, end }) => chunk(id, [{ start: start + CHUNK_HEAD_BYTES, end }], isLong)),
    ...(info ? chunk("LIST", [info]) : []),
    ...(ixml ? chunk("iXML", [ixml]) : []),
    ...(written.axml && fields.isrc ? chunk("axml", [isrcXml(fields.isrc)]) : []),
    ...(id3.length > 0 ? chunk("id3 ", id3) : []),
  ];
  const missing = notWritten.filter(({ field }) => !isInOtherChunks(field, { bext, ixml }));
  const objects: NotWritten[] = hasObjects && fields.isrc ? [{ field: "isrc", reason: "object_audio" }] : [];
  return {
    pieces: [...(await withStart(file, wav, chunks)), ...(keepsOther ? [wav.rest] : [])],
    notWritten: [...missing, ...objects],
  };
};

type Stays = { keepsOther: boolean; hasObjects: boolean; axml: boolean };

function staysIn({ id, list }: WavChunk, { keepsOther, hasObjects, axml }: Stays): boolean {
  if (id === "LIST") return list !== "INFO" && (list === "adtl" || keepsOther);
  if (id === "axml") return hasObjects || (keepsOther && !axml);
  if (id === "iXML" || ABOUT_SOUND.has(id)) return true;
  return keepsOther && !TAGS.has(id);
}

/** The fields for which an ID3 tag has no frame and WAV has another chunk. */
function isInOtherChunks(
  field: NotWritten["field"],
  { bext, ixml }: { bext: Uint8Array | undefined; ixml: Uint8Array | undefined },
): boolean {
  if (field === "loudness") return bext !== undefined;
  return (field === "project" || field === "note") && ixml !== undefined;
}

/**
 * Returns a chunk as pieces, padded to an even length.
 *
 * @param isLong True: the size of the sound is in `ds64`.
 */
function chunk(id: string, content: readonly Piece[], isLong = false): Piece[] {
  const bytes = piecesBytes(content);
  const size = isLong && id === "data" ? NO_SIZE : bytes;
  const padding = even(bytes) === bytes ? [] : [new Uint8Array(1)];
  return [joined(ascii(id), u32le(size)), ...content, ...padding];
}

async function bextOf(file: FileWindow, { chunks }: WavFile, fields: Fields, keepsOther: boolean) {
  const old = chunks.find(({ id }) => id === "bext");
  const content = old && (await contentOf(file, old, MAX_BEXT_BYTES)).slice();
  const says = fields.title ?? fields.artists ?? fields.label ?? fields.isrc ?? fields.loudness;
  return content || says ? bextChunk(fields, content, keepsOther) : undefined;
}

const contentOf = (file: FileWindow, { start, end }: WavChunk, mostBytes: number): Promise<Uint8Array> =>
  file.read(start + CHUNK_HEAD_BYTES, Math.min(mostBytes, end - start - CHUNK_HEAD_BYTES));

/** Returns the list `INFO`. Lists of which the original has several become one. */
async function infoOf(file: FileWindow, { chunks }: WavFile, fields: Fields, keepsOther: boolean) {
  const entries = infoEntries(fields);
  const there = new Set(entries.map(({ id }) => id));
  for (const old of keepsOther ? chunks.filter(({ list }) => list === "INFO") : []) {
    const content = (await contentOf(file, old, MAX_INFO_BYTES)).slice(4);
    for (const entry of readInfo(content)) {
      if (!there.has(entry.id)) entries.push(entry);
      there.add(entry.id);
    }
  }
  return entries.length > 0 ? infoList(entries) : undefined;
}

/** Returns the tag of the chunk `id3 `: readers of WAV files expect the name in small letters. */
async function id3Of(file: FileWindow, { chunks }: WavFile, frames: readonly Frame[], keepsOther: boolean) {
  const old = keepsOther ? chunks.find(({ id }) => id === "id3 " || id === "ID3 ") : undefined;
  const range = old && { start: old.start + CHUNK_HEAD_BYTES, end: old.end };
  const kept = range ? await keptFrames(file, range, frames) : [];
  return frames.length + kept.length > 0 ? id3Tag(frames, kept) : [];
}

/** Returns a whole WAV file. @param chunks Its chunks, with or without the size of the sound. */
async function withStart(
  file: FileWindow,
  wav: WavFile,
  chunks: (isLong: boolean) => Piece[],
): Promise<Piece[]> {
  const short = chunks(false);
  const bytes = 4 + piecesBytes(short);
  if (wav.form === "RIFF" && bytes < NO_SIZE)
    return [joined(ascii("RIFF"), u32le(bytes), ascii("WAVE")), ...short];
  const dataBytes = wav.data.end - wav.data.start - CHUNK_HEAD_BYTES;
  const frames = wav.frames ?? Math.floor(dataBytes / (await bytesOfFrame(file, wav)));
  const sizes = joined(u64le(bytes + DS64_BYTES), u64le(dataBytes), u64le(frames), u32le(0));
  const id = wav.form === "RIFF" ? "RF64" : wav.form;
  return [joined(ascii(id), u32le(NO_SIZE), ascii("WAVE")), ...chunk("ds64", [sizes]), ...chunks(true)];
}

/** Bytes of one sample of all channels. */
async function bytesOfFrame(file: FileWindow, { chunks }: WavFile): Promise<number> {
  const format = chunks.find(({ id }) => id === "fmt ");
  const content = format ? await contentOf(file, format, 16) : new Uint8Array(0);
  const bytes = content.length === 16 ? viewOf(content).getUint16(12, true) : 0;
  if (bytes === 0) throw new MediaError("corrupt", "no size of a sample");
  return bytes;
}
