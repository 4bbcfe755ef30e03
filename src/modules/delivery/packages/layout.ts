import { createPaths, extensionOf, fileStem } from "../../../kernel/safe-names.ts";
import { downloadName } from "../../library/files/service.ts";
import { kindFolder, kindName } from "./kind-names.ts";
import type { Song } from "./known.ts";
import { MAX_NAME_BYTES } from "./shapes.ts";
import { songTitle } from "./song.ts";

/** Gives out the paths of a package, each once, below its folder. */
export type Layout = {
  /** The folder that everything is in, without a slash. */
  root: string;
  /** The sound of a song, below a folder such as `audio`. */
  sound: (folder: string, song: Song, place: number) => string;
  /** A file that belongs to a song, such as its words. */
  beside: (folder: string, song: Song, place: number, extension: string) => string;
  /** A file with a name of its own, such as `papers/credits.csv`. */
  named: (path: string) => string;
};

/** @param count How many songs there are, which decides how many digits places have. */
export function createLayout(
  name: string,
  { count, hasFoldersOfSets }: { count: number; hasFoldersOfSets: boolean },
): Layout {
  const root = fileStem(name, MAX_NAME_BYTES);
  const pathFor = createPaths(MAX_NAME_BYTES);
  const digits = Math.max(2, String(count).length);
  const numbered = (place: number, text: string) => `${String(place).padStart(digits, "0")} ${text}`;
  return {
    root,
    sound: (folder, song, place) => {
      const extension = extensionOf(downloadName({ name: song.fileName, mediaType: song.mediaType }));
      const { set } = song;
      if (!set || !hasFoldersOfSets)
        return pathFor(`${root}/${folder}/`, numbered(place, by(song, titled(song))), extension);
      const title = set.kind === "other" ? songTitle(song) : withKind(set.songTitle, kindName(set));
      const songFolder = `${root}/${folder}/${fileStem(set.songTitle, MAX_NAME_BYTES)}`;
      return pathFor(`${songFolder}/${kindFolder(set)}`, by(song, title), extension);
    },
    beside: (folder, song, place, extension) =>
      pathFor(`${root}/${folder}/`, numbered(place, songTitle(song)), extension),
    named: (path) => `${root}/${path}`,
  };
}

/** What no file system can show is not a name. */
const shown = (text: string) => (fileStem(text) === fileStem("") ? "" : text.trim());
const by = ({ artist }: Song, title: string) =>
  [shown(artist ?? ""), shown(title)].filter((part) => part !== "").join(" - ");
const withKind = (title: string, kind: string | undefined) => (kind ? `${title} (${kind})` : title);
/** Words in brackets say already what a track is. */
const titled = (song: Song) =>
  /[([]/.test(songTitle(song))
    ? songTitle(song)
    : withKind(songTitle(song), song.set ? kindName(song.set) : undefined);
