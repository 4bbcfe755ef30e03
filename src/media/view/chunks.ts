import { MediaError } from "../media-error.ts";
import type { FileWindow } from "./file-window.ts";
import { latin1, type Range } from "./piece.ts";

/** A chunk. `end` is the byte after its last, including padding; it may be after the end of the file. */
export type Chunk = Range & { id: string };

/** How the chunks of a format begin. */
export type ChunkHeads<Found extends Chunk = Chunk> = {
  /** Length of the header before the first chunk. */
  startBytes: number;
  headBytes: number;
  /** Reads a chunk's head. An `end` of Infinity means the end of the file. */
  read: (head: Uint8Array, start: number) => Found;
};

/** How a format writes its chunks. */
type ChunkFormat = ChunkHeads & {
  /** Chunks that describe the sound: the first of each kind, at most 4 KB each. */
  wanted: readonly string[];
  /** Chunks that grow with the sound, of any size. */
  large?: readonly string[];
  sound: string;
  /** True when nothing after the sound matters. */
  endsWithSound: boolean;
};

const MAX_CHUNKS = 1_000_000;
const MAX_SMALL_BYTES = 4096;

const view = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);
const even = (bytes: number): number => bytes + (bytes & 1);

const RIFF: ChunkFormat = {
  startBytes: 12,
  headBytes: 8,
  read: (head, start) => {
    const sizeBytes = view(head).getUint32(4, true);
    const id = latin1(head, 0, 4);
    // A streaming recorder writes 0 or all ones. In RF64 the true size is in another chunk.
    const isOpen = id === "data" && (sizeBytes === 0 || sizeBytes === 0xffff_ffff);
    return { id, start, end: isOpen ? Number.POSITIVE_INFINITY : start + 8 + even(sizeBytes) };
  },
  wanted: ["ds64", "fmt ", "fact"],
  sound: "data",
  endsWithSound: true,
};

const AIFF: ChunkFormat = {
  startBytes: 12,
  headBytes: 8,
  read: (head, start) => ({
    id: latin1(head, 0, 4),
    start,
    end: start + 8 + even(view(head).getUint32(4)),
  }),
  wanted: ["FVER", "COMM", "CHAN", "wave"],
  sound: "SSND",
  endsWithSound: false,
};

const CAF: ChunkFormat = {
  startBytes: 8,
  headBytes: 12,
  read: (head, start) => {
    const sizeBytes = Number(view(head).getBigInt64(4));
    return {
      id: latin1(head, 0, 4),
      start,
      end: sizeBytes < 0 ? Number.POSITIVE_INFINITY : start + 12 + sizeBytes,
    };
  },
  wanted: ["desc", "chan"],
  large: ["kuki", "pakt"],
  sound: "data",
  endsWithSound: false,
};

/** Sizes include the head, chunks start at multiples of 8, and names are GUIDs that begin with the RIFF name. */
const W64: ChunkFormat = {
  startBytes: 40,
  headBytes: 24,
  read: (head, start) => {
    const sizeBytes = Number(view(head).getBigUint64(16, true));
    return { id: latin1(head, 0, 4), start, end: start + Math.max(24, Math.ceil(sizeBytes / 8) * 8) };
  },
  wanted: ["fmt ", "fact"],
  sound: "data",
  endsWithSound: true,
};

/** File Properties, Stream Properties and the objects that mark encrypted sound; then the Data Object. */
const ASF: ChunkFormat = {
  startBytes: 30,
  headBytes: 24,
  read: (head, start) => {
    const id = Buffer.from(head.subarray(0, 16)).toString("hex");
    const sizeBytes = Number(view(head).getBigUint64(16, true));
    const isOpen = id === ASF.sound;
    return { id, start, end: isOpen ? Number.POSITIVE_INFINITY : start + Math.max(24, sizeBytes) };
  },
  wanted: [
    "a1dcab8c47a9cf118ee400c00c205365",
    "9107dcb7b7a9cf118ee600c00c205365",
    "fbb3112223bdd211b4b700a0c955fc6e",
    "14e68a292226174cb935dae07ee9289c",
  ],
  sound: "3626b2758e66cf11a6d900aa0062ce6c",
  endsWithSound: true,
};

/** The formats that are made of chunks. */
export const CHUNK_FORMATS = { wav: RIFF, aiff: AIFF, caf: CAF, w64: W64, asf: ASF } as const;

/** Each stream of an ASF file, including video, has its own descriptive chunk. */
const MAX_OF_A_KIND = 16;

/**
 * Returns the parts of a chunked file that a decoder needs: the start, the description of the sound, and the sound.
 *
 * @throws MediaError `corrupt` when there is no sound, or too many chunks.
 */
export async function soundChunks(file: FileWindow, format: ChunkFormat): Promise<Range[]> {
  const kept: Range[] = [{ start: 0, end: format.startBytes }];
  const seen = new Map<string, number>();
  for await (const chunk of eachChunk(file, format)) {
    const isLast = chunk.end >= file.sizeBytes;
    if (isKept(format, chunk, seen))
      kept.push({ start: chunk.start, end: Math.min(chunk.end, file.sizeBytes) });
    if (chunk.id === format.sound && (format.endsWithSound || isLast)) return kept;
  }
  if (seen.has(format.sound)) return kept;
  throw new MediaError("corrupt", "no chunk with sound");
}

/** Yields the chunks of a file in their order, as its format reads them, until their heads end. */
export async function* eachChunk<Found extends Chunk>(
  file: FileWindow,
  { startBytes, headBytes, read }: ChunkHeads<Found>,
): AsyncGenerator<Found> {
  let offset = startBytes;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = await file.read(offset, headBytes);
    if (head.length < headBytes) return;
    const chunk = read(head, offset);
    yield chunk;
    offset = chunk.end;
  }
}

function isKept({ wanted, large, sound }: ChunkFormat, { id, start, end }: Chunk, seen: Map<string, number>) {
  const isSmall = wanted.includes(id) && end - start <= MAX_SMALL_BYTES;
  if (!isSmall && id !== sound && !large?.includes(id)) return false;
  const before = seen.get(id) ?? 0;
  seen.set(id, before + 1);
  return before < (id.length === 4 ? 1 : MAX_OF_A_KIND);
}
