import { oggFile, pageChecksum } from "../decode/ogg-file.ts";
import { MediaError } from "../media-error.ts";
import type { FileWindow } from "./file-window.ts";
import { latin1, type Piece } from "./piece.ts";

const HEADER_BYTES = 27;
const MAX_PAGE_BYTES = HEADER_BYTES + 255 + 255 * 255;
/** Comments that contain a cover take several megabytes. */
const MAX_HEADERS_BYTES = 32 * 1024 * 1024;
const FLAC_LAST_BLOCK = 0x80;

type Page = {
  isFirst: boolean;
  serial: number;
  sequence: number;
  isIntact: boolean;
  lacing: Uint8Array;
  body: Uint8Array;
  end: number;
};

/** The packets up to the end of the page with the last header. */
export type OggHeaders = {
  packets: Uint8Array[];
  serial: number;
  /** The number of the first page, and where it ends. */
  firstSequence: number;
  firstEnd: number;
  /** Where the page behind the headers begins. */
  end: number;
  /** False when a page does not have the checksum that it says. */
  isIntact: boolean;
};

/**
 * Returns an Ogg file with empty comments. A file with several streams at once is returned unchanged.
 *
 * @see Vorbis I specification, A.2; RFC 7845, section 3; RFC 9639, section 10.1: the sound begins on a new page.
 */
export async function oggSound(file: FileWindow): Promise<Piece[]> {
  const headers = await readHeaders(file);
  const packets = headers && withoutComments(headers.packets);
  if (!packets) return [{ start: 0, end: file.sizeBytes }];
  const { serial, end } = headers;
  return [oggFile(packets, { serial, goesOn: true }), { start: end, end: file.sizeBytes }];
}

/**
 * Reads the headers of the one stream of a file; undefined when it has several at once, or headers without sound that do not end.
 *
 * @throws MediaError `corrupt` when the headers do not end.
 */
export async function readHeaders(file: FileWindow): Promise<OggHeaders | undefined> {
  const packets: Uint8Array[] = [];
  let partial: Uint8Array[] = [];
  let first: Page | undefined;
  let isIntact = true;
  const headers = (page: Page, end: number): OggHeaders => ({
    packets,
    serial: page.serial,
    firstSequence: page.sequence,
    firstEnd: page.end,
    end,
    isIntact,
  });
  for (let offset = 0; offset < MAX_HEADERS_BYTES; ) {
    const page = await readPage(file, offset);
    if (!page && isComplete(packets) && first) return headers(first, file.sizeBytes);
    if (!page || page.isFirst !== (first === undefined) || page.serial !== (first ?? page).serial) {
      return undefined;
    }
    first ??= page;
    isIntact &&= page.isIntact;
    offset = page.end;
    partial = takePackets(page, partial, packets);
    if (isComplete(packets) && partial.length === 0) return headers(first, offset);
  }
  throw new MediaError("corrupt", "Ogg headers without end");
}

/** Adds the packets that end on a page, and returns the pieces of the packet that continues on the next. */
function takePackets({ lacing, body }: Page, begun: Uint8Array[], packets: Uint8Array[]): Uint8Array[] {
  let partial = begun;
  let start = 0;
  let end = 0;
  for (const length of lacing) {
    end += length;
    if (length === 255) continue;
    packets.push(Buffer.concat([...partial, body.subarray(start, end)]));
    partial = [];
    start = end;
  }
  if (start < end) partial.push(body.slice(start, end));
  return partial;
}

async function readPage(file: FileWindow, offset: number): Promise<Page | undefined> {
  const bytes = await file.read(offset, MAX_PAGE_BYTES);
  if (bytes.length < HEADER_BYTES || latin1(bytes, 0, 4) !== "OggS") return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bodyStart = HEADER_BYTES + view.getUint8(26);
  const lacing = bytes.slice(HEADER_BYTES, bodyStart);
  const bodyEnd = bodyStart + lacing.reduce((sum, length) => sum + length, 0);
  return {
    isFirst: (view.getUint8(5) & 2) !== 0,
    serial: view.getUint32(14, true),
    sequence: view.getUint32(18, true),
    isIntact: pageChecksum(bytes.subarray(0, bodyEnd)) === view.getUint32(22, true),
    lacing,
    body: bytes.subarray(bodyStart, bodyEnd),
    end: offset + bodyEnd,
  };
}

/** True when all headers are read: Vorbis has three, Opus two, and FLAC marks its last one. */
function isComplete(packets: readonly Uint8Array[]): boolean {
  const [first] = packets;
  if (isVorbis(first)) return packets.length >= 3;
  if (isFlac(first)) return packets.findIndex(isLastFlacHeader) > 0;
  return packets.length >= 2;
}

/** Returns undefined for other kinds of streams, which have no comments. */
function withoutComments(packets: readonly Uint8Array[]): Uint8Array[] | undefined {
  const [first = new Uint8Array(0), , ...rest] = packets;
  if (isVorbis(first)) return [first, VORBIS_COMMENTS, ...rest];
  if (latin1(first, 0, 8) === "OpusHead") return [first, OPUS_COMMENTS, ...rest];
  if (!isFlac(first)) return undefined;
  const alone = first.slice();
  alone.set([0, 1], 7); // how many headers follow
  return [alone, FLAC_COMMENTS, ...packets.slice(packets.findIndex(isLastFlacHeader) + 1)];
}

const isLastFlacHeader = ([kind = 0]: Uint8Array, index: number): boolean =>
  index > 0 && (kind & FLAC_LAST_BLOCK) !== 0;
const isVorbis = (packet?: Uint8Array): boolean =>
  packet !== undefined && latin1(packet, 0, 7) === "\x01vorbis";
const isFlac = (packet?: Uint8Array): boolean => packet !== undefined && latin1(packet, 0, 5) === "\x7fFLAC";

/** Comment headers without vendor and comments: two lengths of 0. */
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const VORBIS_COMMENTS = bytesOf(`\x03vorbis${"\0".repeat(8)}\x01`);
const OPUS_COMMENTS = bytesOf(`OpusTags${"\0".repeat(8)}`);
const FLAC_COMMENTS = bytesOf(`\x84\0\0\x08${"\0".repeat(8)}`);
