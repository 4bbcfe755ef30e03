/** Length of a hash. */
export const HASH_BYTES = 32;
/** Hashes are stored at levels 0, 8, 16, ...: the others are at most 255 hashes away. */
const LEVELS_A_TILE = 8;
/** Trees have fewer records than 2^MAX_LEVEL. */
const MAX_LEVEL = 31;

/** A hash of the tree that is stored: level 0 are the records, `place` counts from the left. */
export type Node = { level: number; place: number; hash: Buffer };
/** Reads a stored hash. */
export type ReadNode = (level: number, place: number) => Uint8Array;

/** Returns the SHA-256 of all parts together. 32 bytes. */
export function hashOf(...parts: (string | Uint8Array)[]): Buffer {
  const hash = new Bun.CryptoHasher("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

const [LEAF, NODE] = [Uint8Array.of(0), Uint8Array.of(1)];
/** Returns the hash of a record. @see RFC 9162, section 2.1.1 */
export const leafHash = (body: string) => hashOf(LEAF, body);
const nodeHash = (left: Uint8Array, right: Uint8Array) => hashOf(NODE, left, right);

/**
 * Adds a record to a tree of `size` records. Only the edge of the tree is needed: the hashes of its complete subtrees, the
 * largest first, whose sizes are the bits of `size`.
 *
 * @returns The new edge, and the hashes to store.
 */
export function appendLeaf(
  size: number,
  edge: readonly Uint8Array[],
  leaf: Buffer,
): { edge: Uint8Array[]; nodes: Node[] } {
  const left = [...edge];
  const nodes: Node[] = [{ level: 0, place: size, hash: leaf }];
  let hash = leaf;
  for (let level = 1; (size >> (level - 1)) & 1; level++) {
    hash = nodeHash(left.pop() ?? leaf, hash);
    if (level % LEVELS_A_TILE === 0) nodes.push({ level, place: size >> level, hash });
  }
  return { edge: [...left, hash], nodes };
}

/** Returns the root of a tree by its edge. That of an empty tree is the hash of nothing. */
export function rootOf(edge: readonly Uint8Array[]): Buffer {
  const [last, ...left] = edge.toReversed();
  return left.reduce<Buffer>((right, hash) => nodeHash(hash, right), last ? Buffer.from(last) : hashOf());
}

/** Hashes that were reckoned, by the records that they are of: what many paths of one tree have in common is reckoned once. */
export type KnownHashes = Map<string, Buffer>;

/** Returns the hashes that lead from a record to the root of the first `size` records. @see RFC 9162, section 2.1.3.1 */
export function inclusionPath(read: ReadNode, index: number, size: number, known?: KnownHashes): Buffer[] {
  const walk = (low: number, high: number): Buffer[] => {
    if (high - low === 1) return [];
    const middle = low + splitOf(high - low);
    return index < middle
      ? [...walk(low, middle), subtree(read, middle, high, known)]
      : [...walk(middle, high), subtree(read, low, middle, known)];
  };
  return walk(0, size);
}

/**
 * Returns the hashes that show that the first `from` records of a tree of `to` are those of an earlier head: 0 < `from` <= `to`.
 *
 * @see RFC 9162, section 2.1.4.1
 */
export function consistencyPath(read: ReadNode, from: number, to: number): Buffer[] {
  const walk = (older: number, low: number, high: number, isWhole: boolean): Buffer[] => {
    if (older === high - low) return isWhole ? [] : [subtree(read, low, high)];
    const split = splitOf(high - low);
    const middle = low + split;
    return older <= split
      ? [...walk(older, low, middle, isWhole), subtree(read, middle, high)]
      : [...walk(older - split, middle, high, false), subtree(read, low, middle)];
  };
  return walk(from, 0, to, true);
}

/** Returns the root of the first `size` records. */
export const rootAt = (read: ReadNode, size: number): Buffer =>
  size === 0 ? hashOf() : subtree(read, 0, size);

/** Returns the hash of the records from `low` to before `high`. */
function subtree(read: ReadNode, low: number, high: number, known?: KnownHashes): Buffer {
  if (!known) return reckoned(read, low, high);
  const place = `${low} ${high}`;
  const hash = known.get(place) ?? reckoned(read, low, high, known);
  known.set(place, hash);
  return hash;
}

function reckoned(read: ReadNode, low: number, high: number, known?: KnownHashes): Buffer {
  const count = high - low;
  const level = MAX_LEVEL - Math.clz32(count);
  if (2 ** level === count && level % LEVELS_A_TILE === 0) return Buffer.from(read(level, low >> level));
  const middle = low + splitOf(count);
  return nodeHash(subtree(read, low, middle, known), subtree(read, middle, high, known));
}

/** Returns the largest power of two below a number of records. */
const splitOf = (count: number) => 2 ** (MAX_LEVEL - Math.clz32(count - 1));
