import { resolve } from "node:path";
import { asRefusal } from "../../kernel/refusals.ts";
import type { Door, Song } from "../../watch/door.ts";
import { isWords, songOf } from "../../watch/names.ts";
import { placeOf } from "./covers.ts";
import type { Found } from "./walk.ts";

const isWordsFile = ({ path, seen }: Found) => isWords(path, seen?.size ?? 0);
const stemOf = ({ path }: Pick<Found, "path">) => songOf(resolve(path));

/** Returns those of some files that have the words of a file beside them: `song.lrc` and `song.txt` beside `song.wav`. */
export function wordsAmong(found: readonly Found[]): ReadonlySet<Found> {
  const stems = new Set(found.filter((each) => !isWordsFile(each)).map(stemOf));
  return new Set(found.filter((each) => isWordsFile(each) && stems.has(stemOf(each))));
}

/**
 * Gives songs the words of the files beside them, unless a person has written some. Of two, the one with times comes first. Yields
 * what became of each; nothing of those whose song was not taken in.
 *
 * @param songs By absolute path.
 */
export async function* addWords(
  door: Pick<Door, "words">,
  words: ReadonlySet<Found>,
  songs: ReadonlyMap<string, Song>,
): AsyncGenerator<{ path: string; wordsOf: string } | { path: string; error: string }> {
  const byStem = new Map([...songs].map(([path, song]) => [songOf(path), song]));
  const hasTimes = ({ path }: Found) => Number(/\.lrc$/i.test(path));
  for (const found of [...words].sort((a, b) => hasTimes(b) - hasTimes(a))) {
    const { path: file, seen } = found;
    const song = byStem.get(stemOf(found));
    if (!song || !seen) continue;
    const { path } = placeOf(found);
    const entry = { path, file, sizeBytes: seen.size, modifiedAt: seen.mtimeMs, inode: String(seen.ino) };
    try {
      await door.words(entry, song);
      yield { path: file, wordsOf: song.trackId };
    } catch (error) {
      yield { path: file, error: asRefusal(error)?.message ?? (error as Error).message };
    }
  }
}
