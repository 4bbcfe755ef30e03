import { SILENT_CODE } from "../../audio/fingerprint/fingerprint.ts";

/** Codes of a recording that are looked up. Copies keep one code in 25 unchanged at worst: ten of these. */
const SKETCH_CODES = 256;
const OWNER_BITS = 21;

/**
 * Returns the keys under which a recording is found: of its codes, those whose hash is smallest, so that two copies
 * choose the same ones. Each begins with bits of the account's id, and is below 2^53.
 */
export function sketchKeys(ownerId: string, codes: Uint32Array): number[] {
  const distinct = new Set(codes);
  distinct.delete(SILENT_CODE);
  const owner = Number(BigInt(Bun.hash(ownerId)) & ((1n << BigInt(OWNER_BITS)) - 1n)) * 2 ** 32;
  return [...distinct]
    .map((code) => ({ code, rank: mixed(code) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SKETCH_CODES)
    .map(({ code }) => owner + code);
}

/** The last step of MurmurHash3: each number has another image, and neighbours have distant ones. */
function mixed(code: number): number {
  let hash = code;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
