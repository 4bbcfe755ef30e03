/** Size of a tar block. A header is one block, and every member is padded to whole blocks. */
export const BLOCK_BYTES = 512;
/** An archive ends with two empty blocks. */
export const END_OF_TAR = Buffer.alloc(2 * BLOCK_BYTES);

/** A regular file in an archive. */
export type Header = { name: string; sizeBytes: number; modifiedSec: number };

/** The largest number of eleven octal digits, 8 GiB less one byte. A larger size is written in base 256. */
const MAX_OCTAL = 0o77777777777;
const BASE_256_MARK = 0x80;

/** Offsets of the header's fields. */
const AT = {
  mode: 100,
  owners: 108,
  size: 124,
  modified: 136,
  checksum: 148,
  type: 156,
  magic: 257,
  devices: 329,
};

/**
 * Returns the header block of a member that only its owner can read.
 *
 * @throws RangeError unless the name is 1 to 100 characters of printable ASCII.
 * @see POSIX.1-1988, ustar interchange format; sizes above 8 GiB as GNU tar and star write them.
 */
export function encodeHeader({ name, sizeBytes, modifiedSec }: Header): Buffer {
  if (!/^[\x20-\x7e]{1,100}$/.test(name)) throw new RangeError(`${name} cannot be the name of a member`);
  const block = Buffer.alloc(BLOCK_BYTES);
  const put = (text: string, at: number) => block.write(text, at, "ascii");
  put(name, 0);
  put("0000600\0", AT.mode);
  put("0000000\0".repeat(2), AT.owners);
  if (sizeBytes <= MAX_OCTAL) put(octal(sizeBytes, 11), AT.size);
  else {
    block[AT.size] = BASE_256_MARK;
    block.writeBigUInt64BE(BigInt(sizeBytes), AT.size + 4);
  }
  put(octal(modifiedSec, 11), AT.modified);
  // The checksum counts its own field as spaces.
  put(" ".repeat(8), AT.checksum);
  put("0", AT.type);
  put("ustar\x0000", AT.magic);
  put("0000000\0".repeat(2), AT.devices);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${octal(sum, 6)}\0 `, AT.checksum);
  return block;
}

/**
 * Reads a header block. Returns undefined for a block that {@link encodeHeader} would not have written: a link, a
 * folder, another mode, or a single changed bit.
 */
export function decodeHeader(block: Buffer): Header | undefined {
  const [name = ""] = block.toString("latin1", 0, AT.mode).split("\0");
  const sizeBytes =
    block[AT.size] === BASE_256_MARK
      ? Number(block.readBigUInt64BE(AT.size + 4))
      : Number.parseInt(block.toString("latin1", AT.size, AT.size + 11), 8);
  const modifiedSec = Number.parseInt(block.toString("latin1", AT.modified, AT.modified + 11), 8);
  const header = { name, sizeBytes, modifiedSec };
  const isPlausible = /^[\x20-\x7e]+$/.test(name) && Number.isSafeInteger(sizeBytes) && modifiedSec >= 0;
  return isPlausible && encodeHeader(header).equals(block) ? header : undefined;
}

/** Returns how many padding bytes follow a member of this size. */
export function paddingOf(sizeBytes: number): number {
  return (BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
