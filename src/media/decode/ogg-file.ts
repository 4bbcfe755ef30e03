const HEADER_BYTES = 27;
const CHECKSUM_AT = 22;
const MAX_SEGMENTS = 255;
const FLAG_CONTINUED = 1;
const FLAG_FIRST = 2;
const FLAG_LAST = 4;
const NO_GRANULE = -1n;
/** A position that no stream reaches, so the last page cuts nothing off. */
const FAR_GRANULE = 0x7fff_ffffn;

/**
 * Writes packets into a file with one Ogg stream. The first packet has its own page, as codecs require. The granule
 * positions hold no real values, so no decoder trims by them.
 *
 * @param options `serial` identifies the stream. `goesOn`: more pages of the same stream follow.
 * @see RFC 3533, section 6.
 */
export function oggFile(
  packets: readonly Uint8Array[],
  { serial = 1, goesOn = false }: { serial?: number; goesOn?: boolean } = {},
): Uint8Array {
  const [first = new Uint8Array(0), ...rest] = packets;
  const start = pageOf(lace(first), { flags: FLAG_FIRST, serial, sequence: 0, granule: NO_GRANULE });
  const pages = oggPages(rest, { serial, sequence: 1, granule: NO_GRANULE, isEnd: !goesOn });
  return new Uint8Array(Buffer.concat([start, ...pages]));
}

/** How pages of a stream are written. */
type PageOptions = {
  serial: number;
  /** The number of the first page. */
  sequence: number;
  /** The position of pages in which a packet ends. */
  granule: bigint;
  /** True: the stream ends with the last page. */
  isEnd: boolean;
};

/** Returns pages with packets, one behind the other, each page as full as it can be. */
export function oggPages(packets: readonly Uint8Array[], options: PageOptions): Uint8Array[] {
  const { serial, sequence, granule, isEnd } = options;
  const segments = packets.flatMap(lace);
  const count = Math.max(isEnd ? 1 : 0, Math.ceil(segments.length / MAX_SEGMENTS));
  return Array.from({ length: count }, (_, page) => {
    const at = page * MAX_SEGMENTS;
    const own = segments.slice(at, at + MAX_SEGMENTS);
    const isContinued = segments[at - 1]?.length === MAX_SEGMENTS;
    const isLast = isEnd && page === count - 1;
    const flags = (isContinued ? FLAG_CONTINUED : 0) | (isLast ? FLAG_LAST : 0);
    const ended = own.some(({ length }) => length < MAX_SEGMENTS) ? granule : NO_GRANULE;
    return pageOf(own, { flags, serial, sequence: sequence + page, granule: isLast ? FAR_GRANULE : ended });
  });
}

/** Returns the checksum that a page has to have, whatever it says. */
export function pageChecksum(page: Uint8Array): number {
  const before = oggChecksum(page.subarray(0, CHECKSUM_AT));
  return oggChecksum(page.subarray(CHECKSUM_AT + 4), oggChecksum(new Uint8Array(4), before));
}

/** Cuts a packet into segments of 255 bytes. The last one is shorter and may be empty. */
function lace(packet: Uint8Array): Uint8Array[] {
  const count = Math.floor(packet.length / MAX_SEGMENTS) + 1;
  return Array.from({ length: count }, (_, i) => packet.subarray(i * MAX_SEGMENTS, (i + 1) * MAX_SEGMENTS));
}

function pageOf(
  segments: Uint8Array[],
  { flags, serial, sequence, granule }: { flags: number; serial: number; sequence: number; granule: bigint },
): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES + segments.length);
  const view = new DataView(header.buffer);
  header.set(new TextEncoder().encode("OggS"));
  view.setUint8(5, flags);
  view.setBigInt64(6, granule, true);
  view.setUint32(14, serial, true);
  view.setUint32(18, sequence, true);
  view.setUint8(26, segments.length);
  segments.forEach((segment, i) => {
    header[HEADER_BYTES + i] = segment.length;
  });
  const page = new Uint8Array(Buffer.concat([header, ...segments]));
  new DataView(page.buffer).setUint32(CHECKSUM_AT, oggChecksum(page), true);
  return page;
}

/**
 * Returns the CRC-32 of a page with its checksum field zero: polynomial 0x04c11db7, most significant bit first.
 *
 * @param start The checksum of the bytes in front of these.
 */
export function oggChecksum(page: Uint8Array, start = 0): number {
  let crc = start;
  for (const byte of page) crc = (crc << 8) ^ (CRC[(crc >>> 24) ^ byte] ?? 0);
  return crc >>> 0;
}

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000_0000 ? (crc << 1) ^ 0x04c1_1db7 : crc << 1;
  return crc >>> 0;
});
