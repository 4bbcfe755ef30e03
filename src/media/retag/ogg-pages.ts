import { oggChecksum } from "../decode/ogg-file.ts";

/** Length of a page's header without its table of segments. */
const HEADER_BYTES = 27;
const SERIAL_AT = 14;
const SEQUENCE_AT = 18;
const CHECKSUM_AT = 22;
const SEGMENTS_AT = 26;
const CAPTURE = Buffer.from("OggS");
const POLYNOMIAL = 0x04c1_1db7;
const HIGHEST_BIT = 0x8000_0000;
/** A page has fewer than 2^16 bytes. */
const LENGTH_BITS = 16;

/**
 * Yields Ogg pages with new numbers. The checksum is linear: what a new number adds to it depends only on how many bytes follow,
 * so that a damaged page stays a damaged page. What lies between pages goes through as it is.
 *
 * @param pages Bytes that begin with a page.
 * @see RFC 3533, section 6.
 */
export async function* renumbered(
  pages: AsyncIterable<Uint8Array>,
  { serial, by }: { serial: number; by: number },
): AsyncGenerator<Uint8Array> {
  let held: Buffer = Buffer.alloc(0);
  for await (const bytes of pages) {
    held = Buffer.concat([held, bytes]);
    let at = 0;
    for (;;) {
      const end = endOfPage(held, at);
      if (end === undefined) break;
      renumber(held.subarray(at, end), serial, by);
      at = end;
    }
    if (at > 0) yield held.subarray(0, at);
    held = held.subarray(at);
  }
  if (held.length > 0) yield held;
}

/** Returns where a page, or what is between pages, ends; undefined when more bytes are needed to say so. */
function endOfPage(bytes: Buffer, at: number): number | undefined {
  if (bytes.length - at < HEADER_BYTES) return undefined;
  if (bytes.compare(CAPTURE, 0, 4, at, at + 4) !== 0) {
    const next = bytes.indexOf(CAPTURE, at + 1);
    return next < 0 ? bytes.length - CAPTURE.length + 1 : next;
  }
  const bodyAt = at + HEADER_BYTES + (bytes[at + SEGMENTS_AT] ?? 0);
  if (bodyAt > bytes.length) return undefined;
  let end = bodyAt;
  for (let segment = at + HEADER_BYTES; segment < bodyAt; segment += 1) end += bytes[segment] ?? 0;
  return end <= bytes.length ? end : undefined;
}

function renumber(page: Buffer, serial: number, by: number): void {
  if (page.length < HEADER_BYTES || page.compare(CAPTURE, 0, 4, 0, 4) !== 0) return;
  if (page.readUInt32LE(SERIAL_AT) !== serial) return;
  const before = page.readUInt32LE(SEQUENCE_AT);
  const after = (before + by) >>> 0;
  page.writeUInt32LE(after, SEQUENCE_AT);
  const change = Buffer.alloc(4);
  change.writeUInt32LE((before ^ after) >>> 0);
  const added = behindZeros(oggChecksum(change), page.length - SEQUENCE_AT - 4);
  page.writeUInt32LE((page.readUInt32LE(CHECKSUM_AT) ^ added) >>> 0, CHECKSUM_AT);
}

/** Returns the checksum that bytes have with zeros behind them: each zero multiplies it by the eighth power of x. */
function behindZeros(checksum: number, zeros: number): number {
  let product = checksum;
  for (const [bit, power] of POWERS.entries()) if ((zeros >>> bit) & 1) product = times(product, power);
  return product >>> 0;
}

/** Returns the product of two polynomials of bits, modulo that of the checksum. */
function times(one: number, other: number): number {
  let product = 0;
  for (let bit = 31; bit >= 0; bit -= 1) {
    product = (product << 1) ^ (product & HIGHEST_BIT ? POLYNOMIAL : 0);
    if ((other >>> bit) & 1) product ^= one;
  }
  return product;
}

/** The powers of x for 1, 2, 4, ... zero bytes. */
const POWERS: readonly number[] = Array.from({ length: LENGTH_BITS }, (_, bit) => {
  let power = 1 << 8;
  for (let square = 0; square < bit; square += 1) power = times(power, power);
  return power;
});
