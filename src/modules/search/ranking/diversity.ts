import { fold } from "../../../kernel/text.ts";
import type { HitRow } from "../queries.ts";

/** A result, and its vector where there is one. */
export type Scored = { row: HitRow; score: number };
/** A result after the versions of songs have made room; `like` is the title of the one above it. */
export type Spread<Result> = Result & { like?: string };

/** What a further version of a song above it keeps of its score, each time. */
const REPEATED_FACTOR = 0.6;

/** Endings that tell versions of one song apart. */
const VERSION_WORDS =
  "(?:instrumentals?|acapp?ella|a cappella|vocal|no vocals?|radio|extended|original|club|dub|remix|rmx|mix|edit|" +
  "version|ver|alternate|alternative|alt|acoustic|live|demo|rough|final|master(?:ed)?|remaster(?:ed)?|clean|explicit|" +
  "stems?|underscore|cut ?down|short|full|long|loop|sting(?:er)?|bumper|reprise|take|v|mk|pt|part|sec|seconds?|s|bpm)";
const ENDING = new RegExp(`[\\s_.,-]+(?:\\d+|(?:\\d+\\s*)?${VERSION_WORDS}(?:[\\s_.-]*\\d+)?)$`);

/**
 * Lowers further versions of one song, so that five of them do not fill a page: tracks of one title, whatever stands
 * in brackets or after it, by one artist, and copies of one recording, whatever they are called. Keeps results that are
 * best first in that order. The best version keeps its score.
 *
 * @param recordings What recording a track holds, by its id; the same for copies of it.
 */
export function spreadVersions<Result extends Scored>(
  results: readonly Result[],
  recordings: ReadonlyMap<string, number>,
): Spread<Result>[] {
  const above = new Map<string | number, { title: string; count: number }>();
  const lowered = results.map((result): Spread<Result> => {
    const song = songOf(result.row);
    const recording = recordings.get(result.row.id) ?? song;
    const known = above.get(song) ?? above.get(recording);
    const first = known ?? { title: titleOf(result.row), count: 0 };
    above.set(song, first).set(recording, first);
    const score = result.score * REPEATED_FACTOR ** first.count;
    first.count += 1;
    return known ? { ...result, score, like: known.title } : result;
  });
  // Sorting is stable: equal scores stay as they were.
  return lowered.toSorted((a, b) => b.score - a.score);
}

/** Returns what a track is called. */
export function titleOf({ title, name }: Pick<HitRow, "title" | "name">): string {
  return title ?? name;
}

/** Returns a text that versions of one song share. */
export function songOf({ title, name, artist }: Pick<HitRow, "title" | "name" | "artist">): string {
  const whole = fold(title ?? name.replace(/\.[a-z0-9]{2,5}$/i, ""));
  let stem = whole.replace(/\s*[([{][^)\]}]*[)\]}]/g, "").trim();
  for (let next = stem; ; stem = next) {
    next = stem.replace(ENDING, "").trim();
    if (next === stem || next === "") break;
  }
  return `${stem || whole}\n${fold(artist ?? "")}`;
}
