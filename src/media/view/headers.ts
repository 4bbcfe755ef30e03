import { id3v2Bytes } from "../formats/mpeg-header.ts";
import { MediaError } from "../media-error.ts";
import type { FileWindow } from "./file-window.ts";
import { latin1, type Piece } from "./piece.ts";

const FLAC_STREAMINFO_BYTES = 34;
const FLAC_LAST_BLOCK = 0x80;
const MAX_BLOCKS = 1_000_000;
const DSF_HEAD_BYTES = 28;
const AU_HEAD_BYTES = 24;

/**
 * Returns a FLAC file without metadata, except the description of its stream. @see RFC 9639, sections 8.1 and 8.2.
 */
export async function flacSound(file: FileWindow): Promise<Piece[]> {
  const start = id3v2Bytes(await file.read(0, 4096));
  if (latin1(await file.read(start, 4), 0, 4) !== "fLaC") throw new MediaError("corrupt", "no fLaC marker");
  let offset = start + 4;
  let info: Uint8Array | undefined;
  for (let blocks = 0; blocks < MAX_BLOCKS; blocks += 1) {
    const [kind = FLAC_LAST_BLOCK, a = 0, b = 0, c = 0] = await file.read(offset, 4);
    if ((kind & 0x7f) === 0) info ??= (await file.read(offset, 4 + FLAC_STREAMINFO_BYTES)).slice();
    offset += 4 + ((a << 16) | (b << 8) | c);
    if (kind & FLAC_LAST_BLOCK) break;
  }
  if (info?.length !== 4 + FLAC_STREAMINFO_BYTES) throw new MediaError("corrupt", "no STREAMINFO block");
  info.set([FLAC_LAST_BLOCK, 0, 0, FLAC_STREAMINFO_BYTES]);
  return [Buffer.concat([Buffer.from("fLaC"), info]), { start: offset, end: file.sizeBytes }];
}

/** Returns a DSF file without the ID3 tag that its header points to. */
export async function dsfSound(file: FileWindow): Promise<Piece[]> {
  const head = (await file.read(0, DSF_HEAD_BYTES)).slice();
  if (head.length < DSF_HEAD_BYTES) throw new MediaError("corrupt", "short DSD chunk");
  const view = new DataView(head.buffer);
  const tagAt = Number(view.getBigUint64(20, true));
  view.setBigUint64(20, 0n, true);
  const end = tagAt > DSF_HEAD_BYTES && tagAt < file.sizeBytes ? tagAt : file.sizeBytes;
  return [head, { start: DSF_HEAD_BYTES, end }];
}

/** Returns an AU file without the annotation between its header and its samples. */
export async function auSound(file: FileWindow): Promise<Piece[]> {
  const head = (await file.read(0, AU_HEAD_BYTES)).slice();
  if (head.length < AU_HEAD_BYTES) throw new MediaError("corrupt", "short AU header");
  const view = new DataView(head.buffer);
  const start = Math.max(AU_HEAD_BYTES, view.getUint32(4));
  view.setUint32(4, AU_HEAD_BYTES);
  return [head, { start, end: file.sizeBytes }];
}
