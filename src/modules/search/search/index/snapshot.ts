import type { LibraryId } from "../../../../../db/schema.ts";
import { createVocabulary } from "../names/vocabulary.ts";
import { contentVersion } from "./content-version.ts";
import type { Postings } from "./postings.ts";
import { createShard, type Shard } from "./shard.ts";
import { extentsOf, reserveSpace } from "./vector-space.ts";

/** The header of a file, before its arrays. */
export type SnapshotHeader = {
  /** Random; also the name of the file. */
  name: string;
  ownerId: LibraryId;
  content: string;
  revision: number;
  newestName: number;
  length: number;
  alive: number;
  /** Bytes of the vocabulary. */
  words: number;
  tags: [number: number, length: number, alive: number][];
  spaces: { version: string; dimensions: number; count: number; alive: number; worstError: number }[];
};

/** The most bytes that {@link piecesOf} yields at once. */
export const PIECE_BYTES = 256 * 1024;
/** Room for tracks added after a file was read, as a share of its tracks. */
const SPARE_SHARE = 1 / 16;
const SPARE_LEAST = 64;

/**
 * Returns a cheap copy of the shard as it is now. Slots are written once, so it copies only the columns that removing
 * a track changes. The original may change meanwhile. (It may still detect the language of lyrics: both values are
 * right.)
 */
export function freeze(shard: Shard): Shard {
  const { columns, length, tags, spaces, vocabulary } = shard;
  return {
    ...shard,
    vocabulary: { ...vocabulary },
    columns: { ...columns, isAlive: columns.isAlive.slice(0, length), key: columns.key.slice(0, length) },
    tags: tags.map((postings) => postings && { ...postings }),
    spaces: new Map(
      Array.from(spaces, ([name, held]) => [name, { ...held, space: { ...held.space } }] as const),
    ),
    buffers: new Map(),
  };
}

/** Returns the header of a shard's file. */
export function headerOf(shard: Shard, name: string): SnapshotHeader {
  const { ownerId, revision, newestName, length, alive } = shard;
  return {
    name,
    ownerId,
    content: contentVersion(),
    revision,
    newestName,
    length,
    alive,
    words: shard.vocabulary.length,
    tags: shard.tags.flatMap<SnapshotHeader["tags"][number]>((postings, number) =>
      postings ? [[number, postings.length, postings.alive]] : [],
    ),
    spaces: Array.from(shard.spaces.values(), ({ space, alive }) => {
      const { version, dimensions, count, worstError } = space;
      return { version, dimensions, count, alive, worstError };
    }),
  };
}

/** Returns a shard of the size that a header announces, to be filled through {@link piecesOf}. */
export function shardFor(header: SnapshotHeader): Shard {
  const { ownerId, revision, newestName, length, alive } = header;
  const shard = createShard(ownerId, revision, roomFor(length));
  shard.newestName = newestName;
  shard.length = length;
  shard.alive = alive;
  shard.kept = { length, alive };
  shard.vocabulary = { ...createVocabulary(header.words), length: header.words };
  for (const [number, length, alive] of header.tags) shard.tags[number] = postingsFor(length, alive);
  for (const { version, dimensions, count, alive, worstError } of header.spaces) {
    const space = reserveSpace(version, dimensions, count);
    space.worstError = worstError;
    shard.spaces.set(`${version} ${dimensions}`, {
      space,
      slotOfRow: new Uint32Array(roomFor(count)),
      alive,
    });
  }
  return shard;
}

/**
 * Yields the arrays of a shard as bytes, in the order of a file, in pieces of at most {@link PIECE_BYTES}. Use each
 * piece at once: memory may move.
 */
export function* piecesOf({ columns, length, tags, spaces, vocabulary }: Shard): Generator<Uint8Array> {
  for (const column of Object.values(columns)) yield* piecesOfArray(column, length);
  for (const postings of tags) {
    if (!postings) continue;
    yield* piecesOfArray(postings.slots, postings.length);
    yield* piecesOfArray(postings.trusts, postings.length);
  }
  for (const { space, slotOfRow } of spaces.values()) {
    yield* piecesOfArray(slotOfRow, space.count);
    for (const { at, length } of extentsOf(space))
      for (let done = 0; done < length; done += PIECE_BYTES)
        yield new Uint8Array(space.kernel.memory.buffer, at + done, Math.min(PIECE_BYTES, length - done));
  }
  yield* piecesOfArray(vocabulary.bytes, vocabulary.length);
}

function* piecesOfArray(values: Shard["columns"][keyof Shard["columns"]], length: number) {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, length * values.BYTES_PER_ELEMENT);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

function postingsFor(length: number, alive: number): Postings {
  return { slots: new Uint32Array(roomFor(length)), trusts: new Uint8Array(roomFor(length)), length, alive };
}

const roomFor = (length: number) => Math.ceil(length * (1 + SPARE_SHARE)) + SPARE_LEAST;
