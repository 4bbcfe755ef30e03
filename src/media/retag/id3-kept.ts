import type { FileWindow } from "../view/file-window.ts";
import { latin1, type Range } from "../view/piece.ts";
import { ascii, joined, viewOf } from "./bytes.ts";
import { type Frame, synchsafe } from "./id3.ts";
import type { Piece } from "./retagged.ts";

const TAG_HEAD_BYTES = 10;
const FRAME_HEAD_BYTES = 10;
/** Ordinary tags have some thirty. */
const MAX_FRAMES = 1000;
/** The longest description of a `TXXX` frame that is read. */
const ABOUT_BYTES = 256;

/** What ID3v2.3 called otherwise. */
const RENAMED: Readonly<Record<string, string>> = { TYER: "TDRC", TORY: "TDOR", IPLS: "TIPL" };
/** What 2.4 no longer has. */
const GONE: ReadonlySet<string> = new Set(["TDAT", "TIME", "TRDA", "TSIZ", "EQUA", "RVAD"]);

/**
 * Returns the frames of the original's tag that stay: those that none of ours replaces. Their contents are ranges of the
 * original. Frames that are compressed, encrypted or unsynchronised are left out, and so are tags before ID3v2.3.
 *
 * @param range Where the tag is, its header included.
 */
export async function keptFrames(file: FileWindow, range: Range, ours: readonly Frame[]): Promise<Piece[]> {
  const tag = await openTag(file, range);
  if (!tag) return [];
  const replaced = new Set(ours.map(nameOf));
  const pieces: Piece[] = [];
  for await (const { id, start, end } of eachFrame(file, tag)) {
    const about =
      id === "TXXX" ? aboutOf(await file.read(start, Math.min(ABOUT_BYTES, end - start))) : undefined;
    if (replaced.has(nameOf({ id, about }))) continue;
    pieces.push(joined(ascii(id), synchsafe(end - start), Uint8Array.of(0, 0)), { start, end });
  }
  return pieces;
}

/** The content of a frame, under its name in 2.4. */
type OldFrame = Range & { id: string };

/** Yields the frames that version 2.4 has and whose content is as it is. */
async function* eachFrame(file: FileWindow, tag: OpenTag): AsyncGenerator<OldFrame> {
  let at = tag.start;
  for (let count = 0; count < MAX_FRAMES && at + FRAME_HEAD_BYTES <= tag.end; count += 1) {
    const head = (await file.read(at, FRAME_HEAD_BYTES)).slice();
    const id = latin1(head, 0, 4);
    const start = at + FRAME_HEAD_BYTES;
    if (head.length < FRAME_HEAD_BYTES || !/^[A-Z][A-Z0-9]{3}$/.test(id)) return;
    at = start + tag.sizeAt(head, 4);
    if (at > tag.end) return;
    const isPlain = head[9] === 0 && !GONE.has(id) && at > start;
    if (isPlain) yield { id: RENAMED[id] ?? id, start, end: at };
  }
}

/** A tag's frames: where they are, and how long each is. */
type OpenTag = Range & { sizeAt: (bytes: Uint8Array, at: number) => number };

async function openTag(file: FileWindow, range: Range): Promise<OpenTag | undefined> {
  const head = (await file.read(range.start, TAG_HEAD_BYTES + 4)).slice();
  if (head.length < TAG_HEAD_BYTES + 4 || latin1(head, 0, 3) !== "ID3") return undefined;
  const [version = 0, flags = 0] = [head[3], head[5]];
  const isUnsynchronised = (flags & 0x80) !== 0;
  if ((version !== 3 && version !== 4) || isUnsynchronised) return undefined;
  const sizeAt = version === 3 ? plainSize : sevenBits;
  const hasExtension = (flags & 0x40) !== 0;
  // The size of an extended header counts its own four bytes since 2.4.
  const extension = hasExtension ? sizeAt(head, TAG_HEAD_BYTES) + (version === 3 ? 4 : 0) : 0;
  const end = Math.min(range.end, range.start + TAG_HEAD_BYTES + sevenBits(head, 6));
  return { start: range.start + TAG_HEAD_BYTES + extension, end, sizeAt };
}

const plainSize = (bytes: Uint8Array, at: number): number => viewOf(bytes).getUint32(at);
const sevenBits = (bytes: Uint8Array, at: number): number =>
  bytes.subarray(at, at + 4).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);

/** What makes two frames say the same. */
const nameOf = ({ id, about }: { id: string; about?: string | undefined }): string =>
  about === undefined ? id : `${id} ${about.toUpperCase()}`;

/** Returns the description at the beginning of a `TXXX` frame. */
function aboutOf(content: Uint8Array): string {
  const [encoding = 0] = content;
  const isWide = encoding === 1 || encoding === 2;
  const text = new TextDecoder(isWide ? (isBigEndian(content) ? "utf-16be" : "utf-16le") : "utf-8").decode(
    content.subarray(1, isWide ? 1 + 2 * Math.floor((content.length - 1) / 2) : content.length),
  );
  return text.split("\0")[0] ?? "";
}

const isBigEndian = ([encoding, first]: Uint8Array): boolean => encoding === 2 || first === 0xfe;
