const HEADER_BYTES = 27;
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
  const pages = [pageOf(lace(first), { flags: FLAG_FIRST, serial, sequence: 0 })];
  let flags = 0;
  let segments: Uint8Array[] = [];
  for (const segment of rest.flatMap(lace)) {
    segments.push(segment);
    if (segments.length < MAX_SEGMENTS) continue;
    pages.push(pageOf(segments, { flags, serial, sequence: pages.length }));
    flags = segment.length === MAX_SEGMENTS ? FLAG_CONTINUED : 0;
    segments = [];
  }
  pages.push(pageOf(segments, { flags: goesOn ? flags : flags | FLAG_LAST, serial, sequence: pages.length }));
  return new Uint8Array(Buffer.concat(pages));
}

/** Cuts a packet into segments of 255 bytes. The last one is shorter and may be empty. */
function lace(packet: Uint8Array): Uint8Array[] {
  const count = Math.floor(packet.length / MAX_SEGMENTS) + 1;
  return Array.from({ length: count }, (_, i) => packet.subarray(i * MAX_SEGMENTS, (i + 1) * MAX_SEGMENTS));
}

function pageOf(
  segments: Uint8Array[],
  { flags, serial, sequence }: { flags: number; serial: number; sequence: number },
): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES + segments.length);
  const view = new DataView(header.buffer);
  header.set(new TextEncoder().encode("OggS"));
  view.setUint8(5, flags);
  view.setBigInt64(6, flags & FLAG_LAST ? FAR_GRANULE : NO_GRANULE, true);
  view.setUint32(14, serial, true);
  view.setUint32(18, sequence, true);
  view.setUint8(26, segments.length);
  segments.forEach((segment, i) => {
    header[HEADER_BYTES + i] = segment.length;
  });
  const page = new Uint8Array(Buffer.concat([header, ...segments]));
  new DataView(page.buffer).setUint32(22, oggChecksum(page), true);
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
