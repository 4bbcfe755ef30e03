import { join, resolve } from "node:path";
import { childCommandLine } from "../../kernel/child-commands.ts";
import { spawnChild } from "../child/child-process.ts";
import { ownFailure } from "../child/child-report.ts";
import { DEFAULT_MEDIA_LIMITS, type MediaLimits } from "../limits.ts";
import { MediaError } from "../media-error.ts";
import { sniffPicture } from "../tags/media-probe.ts";
import { ORIGINAL_FILE, PICTURE_FILE, type RenderedPicture, THUMBNAIL_FILE } from "./picture-format.ts";

export { type ArtworkType, sniffPicture } from "../tags/media-probe.ts";
export type { RenderedPicture } from "./picture-format.ts";

const PICTURE_LIMITS: MediaLimits = {
  ...DEFAULT_MEDIA_LIMITS,
  wallClockMs: 20_000,
  cpuSec: 20,
};
/** A picture of 1600 pixels per side stays far below this, even when it shows only noise. */
const MAX_RENDERED_BYTES = 8 * 1024 * 1024;

/** A picture file to render. Its format was recognised from its first bytes. */
export type PictureRequest = {
  path: string;
  /** How to start this program again. */
  selfCommand: readonly string[];
  signal: AbortSignal;
};

/**
 * Renders an untrusted picture again in a child process: at most 1600 pixels per side, with a thumbnail of 400. The
 * file itself comes back too, bare of all but its pixels.
 *
 * @throws MediaError when it cannot be read, takes too long or too much memory; Error when no process can be
 *   started; the signal's reason when the signal aborts.
 */
export async function renderPictureFile({
  path,
  selfCommand,
  signal,
}: PictureRequest): Promise<RenderedPicture> {
  const child = await spawnChild({
    command: childCommandLine(selfCommand, "media-picture", resolve(path)),
    limits: PICTURE_LIMITS,
    signal,
    memory: "resident",
  });
  try {
    const failure = ownFailure(await child.ended);
    signal.throwIfAborted();
    if (failure) throw failure;
    const picture = await readRendered(join(child.workDir, PICTURE_FILE));
    const thumbnail = await readRendered(join(child.workDir, THUMBNAIL_FILE));
    const original = await readOriginal(join(child.workDir, ORIGINAL_FILE), Bun.file(path).size);
    return { mediaType: typeOf(picture), picture, thumbnail, original };
  } finally {
    await child.dispose();
  }
}

/** The child's output is limited and checked like any untrusted bytes. */
async function readRendered(path: string): Promise<Uint8Array> {
  const file = Bun.file(path);
  if (!(await file.exists()) || file.size > MAX_RENDERED_BYTES) throw new MediaError("corrupt", "no picture");
  return await file.bytes();
}

/** What was taken out of a file does not make it larger. */
async function readOriginal(path: string, maxBytes: number): Promise<RenderedPicture["original"]> {
  const file = Bun.file(path);
  if (!(await file.exists()) || file.size > maxBytes) return undefined;
  const bytes = await file.bytes();
  const mediaType = sniffPicture(bytes);
  return mediaType && { mediaType, bytes };
}

function typeOf(bytes: Uint8Array): RenderedPicture["mediaType"] {
  const type = sniffPicture(bytes);
  if (type === "image/jpeg" || type === "image/webp") return type;
  throw new MediaError("corrupt", "no picture");
}
