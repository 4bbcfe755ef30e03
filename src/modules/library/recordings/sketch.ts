import type { LibraryId } from "../../../../db/schema.ts";
import { SILENT_CODE } from "../../../audio/fingerprint/fingerprint.ts";

/** How many codes of a recording are looked up. Copies keep at least one code in 25: ten of these. */
export const SKETCH_CODES = 256;
const OWNER_BITS = 21;
const CODE_BITS = 32;

/**
 * Returns the keys that a recording is found by. They come from the codes with the smallest hashes, so two copies
 * choose the same codes. Each key begins with bits of the account's id and is below 2^53.
 */
export function sketchKeys(ownerId: LibraryId, codes: Uint32Array): number[] {
  const distinct = new Set(codes);
  distinct.delete(SILENT_CODE);
  const owner = ownerBitsOf(ownerId) * 2 ** CODE_BITS;
  return [...distinct]
    .map((code) => ({ code, rank: mixed(code) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SKETCH_CODES)
    .map(({ code }) => owner + code);
}

/** Returns the beginnings of the keys of an account's recordings: all but their last 32 bits. */
export function ownerBitsOf(ownerId: LibraryId): number {
  return Number(BigInt(Bun.hash(ownerId)) & ((1n << BigInt(OWNER_BITS)) - 1n));
}

/** The last step of MurmurHash3: it maps each number to a different one, and neighbours far apart. */
function mixed(code: number): number {
  let hash = code;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
