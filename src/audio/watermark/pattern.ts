import { TILES } from "./grid.ts";

/** What the tiles of a period carry: known only to those who have the key. */
export type Pattern = {
  /** 1 or -1 for each tile. */
  signs: Int8Array;
  /** The bit of the code that each tile carries; -1 where it carries synchronisation. */
  bits: Int16Array;
};

/** Signs in a code. Many, since people may mix their copies: of n mixed copies, each scores at most the root of CODE_BITS / n. */
export const CODE_BITS = 512;
/** One tile in as many tells where a period begins, to those who read without the original. */
const SYNC_EVERY = 4;
const WORDS_PER_DIGEST = 8;

/**
 * Returns the pattern of a version.
 *
 * @param key 32 secret bytes, different for each version: copies of several songs of one recipient then have nothing in common.
 */
export function patternOf(key: Uint8Array): Pattern {
  const random = wordsOf(key, 2 * TILES);
  const order = Array.from({ length: TILES }, (_, tile) => tile);
  for (let i = TILES - 1; i > 0; i--) {
    const j = (random[i] as number) % (i + 1);
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  const pattern: Pattern = { signs: new Int8Array(TILES), bits: new Int16Array(TILES) };
  let carrying = 0;
  for (const [i, tile] of order.entries()) {
    pattern.signs[tile] = (random[TILES + i] as number) & 1 ? 1 : -1;
    pattern.bits[tile] = i % SYNC_EVERY === 0 ? -1 : carrying++ % CODE_BITS;
  }
  return pattern;
}

/**
 * Returns the code of a delivery: CODE_BITS signs, eight in a byte, the lowest bit first.
 *
 * @param id 16 random bytes, never a counter: the bound on false accusations rests on their being random.
 */
export function codeOf(id: Uint8Array): Uint8Array {
  const code = new DataView(new ArrayBuffer(CODE_BITS / 8));
  for (const [index, word] of wordsOf(id, CODE_BITS / 32).entries()) code.setUint32(4 * index, word, true);
  return new Uint8Array(code.buffer);
}

/** Returns 1 or -1. */
export function signOf(code: Uint8Array, bit: number): number {
  return ((code[bit >> 3] as number) >> (bit & 7)) & 1 ? 1 : -1;
}

/** Returns random words out of a seed: SHA-256 in counter mode, little-endian on every machine. */
function wordsOf(seed: Uint8Array, count: number): Uint32Array {
  const words = new Uint32Array(count);
  for (let block = 0; block * WORDS_PER_DIGEST < count; block++) {
    const counter = new Uint8Array(4);
    new DataView(counter.buffer).setUint32(0, block, true);
    const digest = new Bun.CryptoHasher("sha256").update(seed).update(counter).digest();
    const at = block * WORDS_PER_DIGEST;
    for (let i = 0; i < WORDS_PER_DIGEST && at + i < count; i++) words[at + i] = digest.readUInt32LE(4 * i);
  }
  return words;
}
