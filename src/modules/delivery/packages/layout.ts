import { createPaths, extensionOf, fileStem } from "../../../kernel/safe-names.ts";
import { downloadName } from "../../library/files/service.ts";
import type { Song } from "./known.ts";
import { MAX_NAME_BYTES } from "./shapes.ts";
import { songTitle } from "./song.ts";

/** Gives out the paths of a package, each once, below its folder. */
export type Layout = {
  /** The folder that everything is in, without a slash. */
  root: string;
  audio: (song: Song, place: number) => string;
  untouched: (song: Song, place: number) => string;
  /** A file that belongs to a song, such as its words. */
  beside: (folder: string, song: Song, place: number, extension: string) => string;
  /** A file with a name of its own, such as `papers/credits.csv`. */
  named: (path: string) => string;
};

/** @param count How many songs there are, which decides how many digits places have. */
export function createLayout(name: string, count: number, hasBoth: boolean): Layout {
  const root = fileStem(name, MAX_NAME_BYTES);
  const pathFor = createPaths(MAX_NAME_BYTES);
  const digits = Math.max(2, String(count).length);
  const numbered = (place: number, text: string) => `${String(place).padStart(digits, "0")} ${text}`;
  const sounding = (folder: string, song: Song, place: number) => {
    const extension = extensionOf(downloadName({ name: song.fileName, mediaType: song.mediaType }));
    const by = song.artist?.trim();
    const text = by ? `${by} - ${songTitle(song)}` : songTitle(song);
    return pathFor(`${root}/${folder}/`, numbered(place, text), extension);
  };
  return {
    root,
    audio: (song, place) => sounding("audio", song, place),
    untouched: (song, place) => sounding(hasBoth ? "originals" : "audio", song, place),
    beside: (folder, song, place, extension) =>
      pathFor(`${root}/${folder}/`, numbered(place, songTitle(song)), extension),
    named: (path) => `${root}/${path}`,
  };
}
