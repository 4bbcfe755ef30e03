import type { AudioFormat } from "../sniff.ts";
import { CHUNK_FORMATS, soundChunks } from "./chunks.ts";
import { type FileWindow, withFile } from "./file-window.ts";
import { auSound, dsfSound, flacSound } from "./headers.ts";
import { mp4Sound } from "./mp4.ts";
import { oggSound } from "./ogg.ts";
import { joinPieces, type Piece } from "./piece.ts";
import { mpegFrames, withoutTags } from "./tags.ts";

/**
 * Returns the parts of a file that a decoder needs to hear it, in order, without what the file says of itself: reading
 * a hundred thousand tags takes ffmpeg a minute and more, and nobody asks it for them.
 *
 * @throws MediaError `corrupt` when the file has no such parts; Error of the system when it cannot be read.
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

/** What ffmpeg is given to read, and the files that this takes in its working folder. */
export type FfmpegInput = { url: string; files: Readonly<Record<string, Uint8Array>> };

/** Returns pieces of a file as one input of ffmpeg, which may seek in it. */
export function ffmpegInput(path: string, pieces: readonly Piece[]): FfmpegInput {
  const files: Record<string, Uint8Array> = {};
  const urls = pieces.map((piece) => {
    if (!(piece instanceof Uint8Array))
      return `subfile,,start,${piece.start},end,${piece.end},,:file:${path}`;
    const name = nameOf(files, piece);
    files[name] = piece;
    return `file:${name}`;
  });
  const [first = ""] = urls;
  // The path is the operator's, and may hold what separates the parts.
  const url =
    urls.length === 1 ? first : `concat:${urls.map((part) => part.replace(/[\\'|\s]/g, "\\$&")).join("|")}`;
  return { url, files };
}

/** The same bytes may be needed many times. */
function nameOf(files: Record<string, Uint8Array>, bytes: Uint8Array): string {
  const known = Object.keys(files).find((name) => files[name] === bytes);
  return known ?? `piece-${Object.keys(files).length}`;
}
