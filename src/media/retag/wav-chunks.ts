import { MediaError } from "../media-error.ts";
import { type Chunk, eachChunk } from "../view/chunks.ts";
import type { FileWindow } from "../view/file-window.ts";
import { latin1 } from "../view/piece.ts";
import { withoutTags } from "../view/tags.ts";
import { even, viewOf } from "./bytes.ts";

/** A chunk of a WAV file. `end` is the byte after its content, without padding. */
export type WavChunk = Chunk & {
  /** The four letters of a list. */
  list: string | undefined;
};

export type WavFile = {
  /** `RF64` and `BW64` have sizes of 64 bits in a chunk of their own. */
  form: "RIFF" | "RF64" | "BW64";
  /** In their order, without `ds64` and without what fills space. */
  chunks: WavChunk[];
  data: WavChunk;
  /** Sample frames as `ds64` counts them; undefined in RIFF. */
  frames: number | undefined;
  /** What is behind the last chunk and is not a tag of another format. */
  rest: { start: number; end: number };
};

export const CHUNK_HEAD_BYTES = 8;
const START_BYTES = 12;
/** Ordinary files have some twenty. */
const MAX_CHUNKS = 1000;
/** A size that is in `ds64`, or that was never written. */
export const NO_SIZE = 0xffff_ffff;
const DS64_BYTES = 28;
const SPACE: ReadonlySet<string> = new Set(["ds64", "JUNK", "junk", "PAD ", "FLLR", "filr"]);

/**
 * Finds the chunks of a WAV file. A sound without a size, as recorders leave it that were cut off, goes on to the end of the file.
 *
 * @throws MediaError `corrupt` when it is not built as the format wants: a part is missing or there twice, or there are far too
 *   many chunks; `unsupported` when it is not a WAV file, or has other chunks with sizes of 64 bits.
 */
export async function readWav(file: FileWindow): Promise<WavFile> {
  const start = await file.read(0, START_BYTES);
  const form = latin1(start, 0, 4);
  if (form !== "RIFF" && form !== "RF64" && form !== "BW64") throw new MediaError("unsupported", "not a WAV");
  const long = form === "RIFF" ? undefined : await readLong(file);
  const { chunks, end } = await listChunks(file, long?.dataBytes);
  const [data, second] = chunks.filter(({ id }) => id === "data");
  const formats = chunks.filter(({ id }) => id === "fmt ").length;
  if (!data || second || formats !== 1) throw new MediaError("corrupt", "not one format and one sound");
  if (data.end <= data.start + CHUNK_HEAD_BYTES) throw new MediaError("corrupt", "no sound");
  const restStart = Math.min(end, file.sizeBytes);
  const rest = { start: restStart, end: Math.max(restStart, (await withoutTags(file)).end) };
  return { form, chunks: chunks.filter(({ id }) => !SPACE.has(id)), data, frames: long?.frames, rest };
}

type Long = { dataBytes: number; frames: number };

/** @see EBU Tech 3306, section 3.3: `ds64` comes first. */
async function readLong(file: FileWindow): Promise<Long> {
  const chunk = await file.read(START_BYTES, CHUNK_HEAD_BYTES + DS64_BYTES);
  if (chunk.length < CHUNK_HEAD_BYTES + DS64_BYTES || latin1(chunk, 0, 4) !== "ds64")
    throw new MediaError("corrupt", "no sizes of 64 bits");
  const view = viewOf(chunk);
  return {
    dataBytes: Number(view.getBigUint64(CHUNK_HEAD_BYTES + 8, true)),
    frames: Number(view.getBigUint64(CHUNK_HEAD_BYTES + 16, true)),
  };
}

async function listChunks(
  file: FileWindow,
  longBytes: number | undefined,
): Promise<{ chunks: WavChunk[]; end: number }> {
  const chunks: WavChunk[] = [];
  const heads = { startBytes: START_BYTES, headBytes: CHUNK_HEAD_BYTES, read: headReader(longBytes) };
  let end = START_BYTES;
  for await (const found of eachChunk(file, heads)) {
    // What is behind the sound and is not a chunk belongs to nobody, and stays where it is.
    const isThere =
      /^[\x20-\x7e]{4}$/.test(found.id) && found.start + CHUNK_HEAD_BYTES + found.bytes <= file.sizeBytes;
    const hasSound = chunks.some(({ id }) => id === "data");
    if (!isThere && found.id !== "data" && hasSound) break;
    if (!isThere && found.bytes !== Number.POSITIVE_INFINITY)
      throw new MediaError("corrupt", "a part is missing");
    if (chunks.length === MAX_CHUNKS) throw new MediaError("corrupt", "too many chunks");
    chunks.push(await withList(file, found));
    end = found.end;
  }
  return { chunks, end };
}

const headReader = (longBytes: number | undefined) => (head: Uint8Array, start: number) => {
  const id = latin1(head, 0, 4);
  const written = viewOf(head).getUint32(4, true);
  const bytes = id === "data" ? soundBytes(written, longBytes) : written;
  return { id, start, bytes, end: start + CHUNK_HEAD_BYTES + even(bytes) };
};

function soundBytes(written: number, longBytes: number | undefined): number {
  if (longBytes && written === NO_SIZE) return longBytes;
  return written === 0 || written === NO_SIZE ? Number.POSITIVE_INFINITY : written;
}

async function withList(
  file: FileWindow,
  { id, start, bytes }: { id: string; start: number; bytes: number },
): Promise<WavChunk> {
  const list = id === "LIST" ? latin1(await file.read(start + CHUNK_HEAD_BYTES, 4), 0, 4) : undefined;
  return { id, start, end: Math.min(file.sizeBytes, start + CHUNK_HEAD_BYTES + bytes), list };
}
