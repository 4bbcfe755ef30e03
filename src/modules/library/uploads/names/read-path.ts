import { displayName } from "../../../../kernel/display-name.ts";
import { artistKey, isGeneric } from "./name-key.ts";
import { type LooseReading, readName } from "./read-name.ts";

/** One way to read a path: the song, and which version of it the file is. */
export type PathReading = {
  song: string;
  label: string;
  isPlain: boolean;
  /** Only in the first reading of a name. */
  loose?: LooseReading | undefined;
  /** True when the name says no song and the folder does. */
  isFolders?: boolean;
};

/** Folders that hold all sorts of things, so that a file's song is not called like them. */
const GATHERING: ReadonlySet<string> = new Set(
  "misc miscellaneous various varied diverse divers diversos varios varie verschiedenes sonstiges stuff random temp tmp scratch download downloads desktop documents music musik musique música musica dropbox drive cloud inbox outbox incoming shared share archive archives archiv backup old sort unsorted other others new clients client projects project work songs song sketches ideas loops albums album singles ep mixes masters demos januar january february march april may june july august september october november december".split(
    " ",
  ),
);

/**
 * Reads a file's path, the likeliest reading first. A name that says nothing but which version it is takes its song from the
 * folder: `Blue Hour/Bounces/v3.wav` is `v3` of `Blue Hour`.
 */
export function readPath(path: string): [PathReading, ...PathReading[]] {
  const name = readName(displayName(path));
  const folder = isNameless(name.song) ? folderOf(path) : undefined;
  if (folder === undefined) return [name, ...name.perhaps.map((each) => ({ ...each, isPlain: false }))];
  const song = [folder, name.song].filter(Boolean).join(" ");
  return [{ song, label: name.label, isPlain: true, isFolders: true }];
}

/** True for what needs a song before it: nothing, or only brackets. */
const isNameless = (song: string) => song === "" || /^[([][^)\]]*[)\]]$/.test(song);

/** Returns the song that the nearest folder is called like; undefined for a folder of all sorts. */
function folderOf(path: string): string | undefined {
  const folder = foldersOf(path).at(-1);
  const words = artistKey(folder ?? "").split(" ");
  return words.every((word) => GATHERING.has(word) || /^\d*$/.test(word) || isGeneric(word))
    ? undefined
    : folder;
}

/** Returns the songs or records that a path's folders name, without folders such as `Bounces`. */
export function foldersOf(path: string): string[] {
  const folders = path.split(/[/\\]/).slice(0, -1);
  return folders.map((folder) => readName(folder).song).filter((song) => !isGeneric(song));
}
