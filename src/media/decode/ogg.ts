import { type ByteReader, peek, seek, take } from "./byte-reader.ts";

/** One packet of a logical stream. */
export type OggPacket = {
  bytes: Uint8Array;
  /**
   * For the last whole packet of a page: the position that the codec gives to the end of the page. Otherwise
   * undefined.
   */
  granule: number | undefined;
  /** True when it ends on the last page of the stream. */
  isLastPage: boolean;
};

type OggPage = {
  serial: number;
  isContinued: boolean;
  isFirst: boolean;
  isLast: boolean;
  granule: number | undefined;
  lacing: Uint8Array;
  body: Uint8Array;
};

const HEADER_BYTES = 27;
const MAX_PAGE_BYTES = HEADER_BYTES + 255 + 255 * 255;
/**
 * Setup headers reach several hundred kilobytes, comments with cover art several megabytes; packets of sound are
 * far smaller.
 */
const MAX_PACKET_BYTES = 32 * 1024 * 1024;

/**
 * Yields the packets of the first logical stream whose first packet `isWanted`. Other streams are skipped, and a
 * chained stream after it ends the reading. After damage, reading continues at the next page.
 *
 * @see RFC 3533, sections 5 and 6.
 */
export function* readPackets(
  reader: ByteReader,
  isWanted: (firstPacket: Uint8Array) => boolean,
): Generator<OggPacket> {
  let serial: number | undefined;
  let partial: Uint8Array[] = [];
  seek(reader, 0);
  for (let page = readPage(reader); page; page = readPage(reader)) {
    if (serial === undefined && page.isFirst && isWanted(page.body)) serial = page.serial;
    if (page.serial !== serial) continue;
    if (!page.isContinued) partial = [];
    partial = yield* pagePackets(page, partial);
    if (page.isLast) return;
  }
}

/** Yields the packets that end on this page and returns the pieces of the packet that continues on the next. */
function* pagePackets(page: OggPage, begun: Uint8Array[]): Generator<OggPacket, Uint8Array[]> {
  const lastEnd = page.lacing.findLastIndex((length) => length < 255);
  let partial = begun;
  // When the start of a packet was lost, the rest of it is dropped.
  let isLost = page.isContinued && begun.length === 0;
  let start = 0;
  let end = 0;
  for (const [index, length] of page.lacing.entries()) {
    end += length;
    if (length === 255) continue;
    const bytes = joined(partial, page.body.slice(start, end));
    partial = [];
    start = end;
    const granule = index === lastEnd ? page.granule : undefined;
    if (!isLost) yield { bytes, granule, isLastPage: page.isLast };
    isLost = false;
  }
  if (start === end || isLost) return partial;
  const next = [...partial, page.body.slice(start, end)];
  return next.reduce((sum, part) => sum + part.length, 0) > MAX_PACKET_BYTES ? [] : next;
}

function joined(parts: Uint8Array[], last: Uint8Array): Uint8Array {
  return parts.length === 0 ? last : new Uint8Array(Buffer.concat([...parts, last]));
}

/** Returns the next page, or undefined at the end. Its body is a view that is valid until the next call. */
function readPage(reader: ByteReader): OggPage | undefined {
  for (;;) {
    const bytes = peek(reader, MAX_PAGE_BYTES);
    if (bytes.length < HEADER_BYTES) return undefined;
    if (!isCapture(bytes)) {
      const next = bytes.indexOf(0x4f, 1);
      reader.taken += next < 0 ? bytes.length : next;
      continue;
    }
    const page = parsePage(bytes);
    if (!page) return undefined;
    take(reader, HEADER_BYTES + page.lacing.length + page.body.length);
    return page;
  }
}

function parsePage(bytes: Uint8Array): OggPage | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = view.getUint8(5);
  const granule = view.getBigInt64(6, true);
  const bodyStart = HEADER_BYTES + view.getUint8(26);
  const lacing = bytes.slice(HEADER_BYTES, bodyStart);
  const bodyEnd = bodyStart + lacing.reduce((sum, length) => sum + length, 0);
  if (bodyEnd > bytes.length) return undefined;
  return {
    serial: view.getUint32(14, true),
    isContinued: (flags & 1) !== 0,
    isFirst: (flags & 2) !== 0,
    isLast: (flags & 4) !== 0,
    granule: granule < 0n ? undefined : Number(granule),
    lacing,
    body: bytes.subarray(bodyStart, bodyEnd),
  };
}

const isCapture = ([o, g1, g2, s]: Uint8Array): boolean =>
  o === 0x4f && g1 === 0x67 && g2 === 0x67 && s === 0x53;
