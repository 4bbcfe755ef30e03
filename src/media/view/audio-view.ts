import type { FileContent } from "../child/child-process.ts";
import type { AudioFormat } from "../formats/sniff.ts";
import { CHUNK_FORMATS, soundChunks } from "./chunks.ts";
import { type FileWindow, withFile } from "./file-window.ts";
import { auSound, dsfSound, flacSound } from "./headers.ts";
import { mp4Sound } from "./mp4.ts";
import { oggSound } from "./ogg.ts";
import { joinPieces, type Piece } from "./piece.ts";
import { mpegFrames, withoutTags } from "./tags.ts";

/**
 * Returns the parts of a file that a decoder needs, in order, without its metadata. ffmpeg would take a minute or
 * more to read a hundred thousand tags that are not needed.
 *
 * @throws MediaError `corrupt` when the file has no such parts; the system's error when it cannot be read.
 */
export function audioPieces(path: string, format: AudioFormat): Promise<Piece[]> {
  return withFile(path, async (file) => joinPieces(await piecesOf(file, format)));
}

async function piecesOf(file: FileWindow, { container }: AudioFormat): Promise<Piece[]> {
  switch (container) {
    case "mp3":
    case "mp2":
      return [await mpegFrames(file)];
    case "flac":
      return flacSound(file);
    case "ogg":
      return oggSound(file);
    case "mp4":
      return mp4Sound(file);
    case "dsf":
      return dsfSound(file);
    case "au":
      return auSound(file);
    case "wav":
    case "w64":
    case "aiff":
    case "caf":
    case "asf":
      return soundChunks(file, CHUNK_FORMATS[container]);
    default:
      return [await withoutTags(file)];
  }
}

/** The input for ffmpeg, and what it needs in its working folder. */
export type FfmpegInput = { url: string; files: Readonly<Record<string, FileContent>> };

/** What separates the parts of a concat address, in which nothing can be escaped. */
const SEPARATOR = "|";

/** Returns the pieces of a file as one seekable input for ffmpeg. `path` is absolute. */
export function ffmpegInput(path: string, pieces: readonly Piece[]): FfmpegInput {
  const files: Record<string, FileContent> = {};
  // The operator chose the path: one with the separator is reached by a link.
  const sound = path.includes(SEPARATOR) ? "sound" : path;
  if (sound !== path) files[sound] = { linkTo: path };
  const urls = pieces.map((piece) => {
    if (!(piece instanceof Uint8Array))
      return `subfile,,start,${piece.start},end,${piece.end},,:file:${sound}`;
    const name = nameOf(files, piece);
    files[name] = piece;
    return `file:${name}`;
  });
  const [first = ""] = urls;
  return { url: urls.length === 1 ? first : `concat:${urls.join(SEPARATOR)}`, files };
}

/** Reuses the file of equal bytes, which may be needed many times. */
function nameOf(files: Record<string, FileContent>, bytes: Uint8Array): string {
  const known = Object.keys(files).find((name) => files[name] === bytes);
  return known ?? `piece-${Object.keys(files).length}`;
}
