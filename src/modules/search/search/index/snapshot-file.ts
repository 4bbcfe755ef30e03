import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import type { LibraryId } from "../../../../../db/schema.ts";
import { writeAll } from "../../../../kernel/files.ts";
import { contentVersion } from "./content-version.ts";
import type { Shard } from "./shard.ts";
import { headerOf, PIECE_BYTES, piecesOf, type SnapshotHeader, shardFor } from "./snapshot.ts";

// A file consists of: magic, length of the header (uint32), hash of the header, header (JSON), arrays as they are in
// memory, hash of everything before. Numbers are little-endian, as on every machine that the program supports.

const MAGIC = "DUBPIDX1";
const HASH_BYTES = 8;
const PREFIX_BYTES = MAGIC.length + 4 + HASH_BYTES;
const MAX_HEADER_BYTES = 1024 ** 2;
/** Bytes copied, hashed and written between two turns of the event loop, which takes a few milliseconds. */
const CHUNK_BYTES = 4 * 1024 ** 2;

const encoder = new TextEncoder();

/** Writes a shard to a new file and flushes it to the disk. The shard must be frozen. */
export async function writeSnapshot(path: string, shard: Shard, name: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    const header = encoder.encode(JSON.stringify(headerOf(shard, name)));
    const prefix = prefixOf(header);
    let hash = hashOf(header, hashOf(prefix, 0n));
    await writeAll(file, prefix);
    await writeAll(file, header);
    // Pieces are copied first: the same bytes must be hashed and written, and a piece is valid only for a moment.
    const chunk = new Uint8Array(CHUNK_BYTES + PIECE_BYTES);
    let filled = 0;
    for (const piece of piecesOf(shard)) {
      chunk.set(piece, filled);
      hash = hashOf(chunk.subarray(filled, filled + piece.length), hash);
      filled += piece.length;
      if (filled < CHUNK_BYTES) continue;
      await writeAll(file, chunk.subarray(0, filled));
      filled = 0;
    }
    await writeAll(file, chunk.subarray(0, filled));
    await writeAll(file, bytesOfHash(hash));
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Returns the shard of a file.
 *
 * @throws Error with the reason when the file is missing, incomplete, damaged, or not the expected one.
 */
export function readSnapshot(path: string, expected: { name: string; ownerId: LibraryId }): Shard {
  const file = openSync(path, "r");
  try {
    const prefix = readBytes(file, new Uint8Array(PREFIX_BYTES), 0);
    const header = readHeader(file, prefix);
    const { name, ownerId, content } = header.values;
    if (name !== expected.name || ownerId !== expected.ownerId)
      throw new Error("it belongs to another library");
    if (content !== contentVersion()) throw new Error("another version of the program wrote it");
    return readShard(file, header, hashOf(header.bytes, hashOf(prefix, 0n)));
  } finally {
    closeSync(file);
  }
}

function readShard(
  file: number,
  header: { values: SnapshotHeader; bytes: Uint8Array },
  start: bigint,
): Shard {
  const shard = shardFor(header.values);
  let at = PREFIX_BYTES + header.bytes.length;
  let hash = start;
  for (const piece of piecesOf(shard)) {
    readBytes(file, piece, at);
    hash = hashOf(piece, hash);
    at += piece.length;
  }
  const stored = readBytes(file, new Uint8Array(HASH_BYTES), at);
  if (fstatSync(file).size !== at + HASH_BYTES) throw new Error("it is incomplete");
  if (!Buffer.from(stored).equals(bytesOfHash(hash))) throw new Error("it is damaged");
  return shard;
}

function readHeader(file: number, prefix: Uint8Array): { values: SnapshotHeader; bytes: Uint8Array } {
  const length = new DataView(prefix.buffer).getUint32(MAGIC.length, true);
  if (length > MAX_HEADER_BYTES) throw new Error("it is damaged");
  const bytes = readBytes(file, new Uint8Array(length), PREFIX_BYTES);
  // Compares the magic, the length and the hash of the header at once.
  if (!Buffer.from(prefix).equals(prefixOf(bytes))) throw new Error("it is damaged");
  // The hash shows that this program wrote the header.
  return { values: JSON.parse(new TextDecoder().decode(bytes)) as SnapshotHeader, bytes };
}

function prefixOf(header: Uint8Array): Uint8Array {
  const prefix = new Uint8Array(PREFIX_BYTES);
  prefix.set(encoder.encode(MAGIC));
  new DataView(prefix.buffer).setUint32(MAGIC.length, header.length, true);
  prefix.set(bytesOfHash(hashOf(header, 0n)), MAGIC.length + 4);
  return prefix;
}

const hashOf = (bytes: Uint8Array, seed: bigint): bigint => Bun.hash.xxHash64(bytes, seed);

function bytesOfHash(hash: bigint): Uint8Array {
  const bytes = new Uint8Array(HASH_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, hash, true);
  return bytes;
}

/** Fills `bytes` from `position`. @throws Error when the file ends too early. */
function readBytes(file: number, bytes: Uint8Array, position: number): Uint8Array {
  let done = 0;
  while (done < bytes.length) {
    const count = readSync(file, bytes, done, bytes.length - done, position + done);
    if (count === 0) throw new Error("it is incomplete");
    done += count;
  }
  return bytes;
}
