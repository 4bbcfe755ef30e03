import { displayName } from "../../../../kernel/display-name.ts";
import { isGeneric } from "./name-key.ts";
import { readName } from "./read-name.ts";

/** One way to read a path: the song, and which version of it the file is. */
export type PathReading = { song: string; label: string; isPlain: boolean };

/**
 * Reads a file's path, the likeliest reading first. A name that says nothing but which version it is takes its song from the
 * folder: `Blue Hour/Bounces/v3.wav` is `v3` of `Blue Hour`.
 */
export function readPath(path: string): [PathReading, ...PathReading[]] {
  const name = readName(displayName(path));
  const folder = isNameless(name.song) ? folderOf(path) : undefined;
  if (folder === undefined) return [name, ...name.perhaps.map((each) => ({ ...each, isPlain: false }))];
  return [{ song: [folder, name.song].filter(Boolean).join(" "), label: name.label, isPlain: true }];
}

/** True for what needs a song before it: nothing, or only brackets. */
const isNameless = (song: string) => song === "" || /^[([][^)\]]*[)\]]$/.test(song);

const folderOf = (path: string): string | undefined => foldersOf(path).at(-1);

/** Returns the songs or records that a path's folders name, without folders such as `Bounces`. */
export function foldersOf(path: string): string[] {
  const folders = path.split(/[/\\]/).slice(0, -1);
  return folders.map((folder) => readName(folder).song).filter((song) => !isGeneric(song));
}
