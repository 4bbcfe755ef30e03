import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import { textOf } from "../ui/text-file.ts";
import type { Chosen } from "./dropped.ts";
import { isOpen, type Upload, uploads } from "./state.ts";

const WORDS = /\.(lrc|txt)$/i;

/** Files with words, by the path of the song that they belong to, without its ending. */
const waiting = new Map<string, Chosen>();

const stemOf = (path: string) => path.replace(/\.[^./]+$/, "").toLowerCase();

/** Returns those of some files that have the words of a song chosen with them: `song.lrc` beside `song.wav`. */
export function wordsBeside(leftOut: readonly Chosen[], music: readonly Chosen[]): readonly Chosen[] {
  const stems = new Set(music.map(({ path }) => stemOf(path)));
  return leftOut.filter(({ path }) => WORDS.test(path) && stems.has(stemOf(path)));
}

/** Keeps files with words until their songs are in the library. Of two, the one with times counts. */
export function keepWords(chosen: readonly Chosen[]): void {
  for (const words of chosen) {
    const stem = stemOf(words.path);
    if (!waiting.has(stem) || /\.lrc$/i.test(words.path)) waiting.set(stem, words);
  }
}

/** Sends the words of songs that are in the library. Those of songs that were there before stay as they are. */
export async function sendWords(): Promise<void> {
  for (const [stem, { file }] of waiting) {
    const song = uploads.value.find(({ about }) => stemOf(about.path) === stem);
    if (!song || isOpen(song)) continue;
    waiting.delete(stem);
    await sendTo(song, file);
  }
}

async function sendTo({ about: { made } }: Upload, file: File): Promise<void> {
  if (!made || made.isTwin) return;
  const { trackId, versionId } = made;
  try {
    const body = { lrc: await textOf(file), unlessWritten: true, ...(versionId && { versionId }) };
    await dataOf(api.PUT("/app/library/tracks/{trackId}/lyrics", { params: { path: { trackId } }, body }));
    changed("tracks", [trackId]);
  } catch {
    // The song is in the library. Words that cannot be read are no reason to disturb anybody.
  }
}
