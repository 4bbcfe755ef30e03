import { MediaError } from "../media-error.ts";
import { type Chunk, type ChunkHeads, eachChunk } from "../view/chunks.ts";
import type { FileWindow } from "../view/file-window.ts";
import { joinPieces, latin1, type Piece } from "../view/piece.ts";
import { cueChunks } from "./cue-chunks.ts";
import type { Marker } from "./marker.ts";

/** A chunk. `end` is the byte after its last, with padding where the file has it. */
type WavChunk = Chunk & {
  /** Bytes of its content. */
  sizeBytes: number;
  /** What its head says of them. */
  written: number;
};

/** What a copy needs of a WAV file. */
type Wave = {
  chunks: WavChunk[];
  sampleRateHz: number;
  /** The beginning of the chunk with sizes of 64 bits. */
  ds64: Uint8Array | undefined;
  /** Where what is not a chunk begins, or the end of the file. */
  restAt: number;
};

const START_BYTES = 12;
const HEAD_BYTES = 8;
/** Ordinary files have some twenty. */
const MAX_CHUNKS = 1000;
/** A size that is in `ds64`, or that was never written. */
const NO_SIZE = 0xffff_ffff;
/** The beginning of `ds64`: its head, the size of the file's one RIFF chunk, and the size of `data`. */
const DS64_BYTES = 24;
const DS64_FILE_AT = 8;
const DS64_DATA_AT = 16;

/**
 * Returns the parts of a copy of a WAV file with markers as cue points: its chunks in their order, byte for byte except for sizes
 * and without older cue points, then ours, then what the file has behind its chunks. Nothing is decoded.
 *
 * @throws MediaError `unsupported` for what is not RIFF, RF64 or BW64, and when the copy would be too large for its form;
 *   `corrupt` for a file without sound, or one that was made to cause load.
 * @see Microsoft and IBM, "Multimedia Programming Interface and Data Specifications 1.0", chapter 3; EBU Tech 3306.
 */
export async function markedWav(file: FileWindow, markers: readonly Marker[]): Promise<Piece[]> {
  const form = await formOf(file);
  const { chunks, sampleRateHz, ds64, restAt } = await readWave(file);
  const data = chunks.find(({ id }) => id === "data");
  if (!data || sampleRateHz === 0) throw new MediaError("corrupt", "no chunk with sound");
  const isLong = form !== "RIFF";
  if (isLong && !ds64) throw new MediaError("corrupt", "no sizes of 64 bits");

  const ours = cueChunks(markers, sampleRateHz);
  const sizeBytes = chunks.reduce((sum, chunk) => sum + HEAD_BYTES + even(chunk.sizeBytes), 4) + ours.length;
  if (!isLong && sizeBytes >= NO_SIZE) throw new MediaError("unsupported", "too large for RIFF");
  const sizes = isLong && ds64 ? withSizes(ds64, sizeBytes, data) : undefined;
  return joinPieces([
    Buffer.concat([bytesOf(form), u32(isLong ? NO_SIZE : sizeBytes), bytesOf("WAVE")]),
    ...chunks.flatMap((chunk) => copyOf(chunk, sizes)),
    ours,
    { start: restAt, end: file.sizeBytes },
  ]);
}

async function formOf(file: FileWindow): Promise<string> {
  const start = await file.read(0, START_BYTES);
  const form = latin1(start, 0, 4);
  if (["RIFF", "RF64", "BW64"].includes(form) && latin1(start, 8, 4) === "WAVE") return form;
  throw new MediaError("unsupported", "not a WAV file");
}

/** Reads the heads of all chunks except older cue points, and what some of them say. */
async function readWave(file: FileWindow): Promise<Wave> {
  const wave: Wave = { chunks: [], sampleRateHz: 0, ds64: undefined, restAt: START_BYTES };
  let count = 0;
  for await (const chunk of eachChunk(file, headsOf(wave))) {
    const there = withinFile(chunk, file.sizeBytes);
    if (!there) break;
    count += 1;
    if (count > MAX_CHUNKS) throw new MediaError("corrupt", "too many chunks");
    take(wave, there, await file.read(there.start, Math.min(DS64_BYTES, there.end - there.start)));
  }
  return wave;
}

/** @param start The first bytes of the chunk, its head included. */
function take(wave: Wave, chunk: WavChunk, start: Uint8Array): void {
  const { id, end } = chunk;
  if (id === "fmt " && start.length >= 16) wave.sampleRateHz ||= viewOf(start).getUint32(12, true);
  if (id === "ds64" && start.length === DS64_BYTES) wave.ds64 ??= start.slice();
  if (!isCuePoints(id, start)) wave.chunks.push(chunk);
  wave.restAt = end;
}

/** @param wave What was read so far: `ds64` comes before the sound whose size it has. */
const headsOf = (wave: Pick<Wave, "ds64">): ChunkHeads<WavChunk> => ({
  startBytes: START_BYTES,
  headBytes: HEAD_BYTES,
  read: (head, start) => {
    const id = latin1(head, 0, 4);
    const written = viewOf(head).getUint32(4, true);
    const sizeBytes = id === "data" ? soundBytes(written, wave.ds64) : written;
    return { id, start, end: start + HEAD_BYTES + even(sizeBytes), sizeBytes, written };
  },
});

/** A recorder that was cut off has written no size: the sound goes on to the end of the file. */
function soundBytes(written: number, ds64: Uint8Array | undefined): number {
  const long = ds64 && written === NO_SIZE ? Number(viewOf(ds64).getBigUint64(DS64_DATA_AT, true)) : 0;
  if (long > 0) return long;
  return written === 0 || written === NO_SIZE ? Number.POSITIVE_INFINITY : written;
}

/** Returns a chunk as far as the file has it. Undefined: it is not a chunk, or one of which a part is missing. */
function withinFile(chunk: WavChunk, fileBytes: number): WavChunk | undefined {
  const sizeBytes = Math.min(chunk.sizeBytes, fileBytes - chunk.start - HEAD_BYTES);
  const isWhole = sizeBytes === chunk.sizeBytes;
  if (!/^[\x20-\x7e]{4}$/.test(chunk.id) || !(isWhole || chunk.id === "data")) return undefined;
  return { ...chunk, sizeBytes, end: Math.min(chunk.end, fileBytes) };
}

const isCuePoints = (id: string, start: Uint8Array): boolean =>
  id === "cue " || (id === "LIST" && latin1(start, HEAD_BYTES, 4) === "adtl");

/** Returns the beginning of `ds64` for a copy. */
function withSizes(ds64: Uint8Array, fileBytes: number, data: WavChunk): Uint8Array {
  const copy = Buffer.from(ds64);
  copy.writeBigUInt64LE(BigInt(fileBytes), DS64_FILE_AT);
  if (data.written !== data.sizeBytes) copy.writeBigUInt64LE(BigInt(data.sizeBytes), DS64_DATA_AT);
  return copy;
}

/**
 * Returns a chunk as it is, padded to an even length. The sound gets the size that it has.
 *
 * @param sizes The beginning of `ds64`, where the file has sizes of 64 bits.
 */
function copyOf({ id, start, end, sizeBytes, written }: WavChunk, sizes: Uint8Array | undefined): Piece[] {
  const padding = new Uint8Array(start + HEAD_BYTES + even(sizeBytes) - end);
  const after = padding.length > 0 ? [padding] : [];
  if (id === "ds64" && sizes) return [sizes, { start: start + DS64_BYTES, end }, ...after];
  const size = written !== sizeBytes && sizes ? NO_SIZE : sizeBytes;
  if (size === written) return [{ start, end }, ...after];
  return [Buffer.concat([bytesOf(id), u32(size)]), { start: start + HEAD_BYTES, end }, ...after];
}

const even = (bytes: number): number => bytes + (bytes & 1);
const bytesOf = (text: string): Uint8Array => Buffer.from(text, "latin1");
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);

function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
