import { fold } from "../../../../kernel/text.ts";
import { NO_PLACES, type Places, songsAmong } from "../../../library/families/service.ts";
import type { HitRow } from "../queries.ts";

/** A result with its score. */
export type Scored = { row: Pick<HitRow, "id" | "title" | "name" | "artist">; score: number };
/** A result after further versions were lowered; `like` is the title of the version above it. */
export type Spread<Result> = Result & { like?: string };

/** The share of its score that each further version of a song keeps. */
const REPEATED_FACTOR = 0.6;

/** Words that tell versions of one song apart. */
const VERSION_WORDS: ReadonlySet<string> = new Set(
  [
    "instrumental instrumentals acapella acappella vocal radio extended original club dub remix rmx mix edit version",
    "ver alternate alternative alt acoustic live demo rough final master mastered remaster remastered clean explicit",
    "stem stems underscore cutdown short full long loop sting stinger bumper reprise take v mk pt part sec second",
    "seconds s bpm",
  ]
    .join(" ")
    .split(" ")
    .concat("a cappella", "no vocal", "no vocals", "cut down"),
);

/** How a title may end: on two words, a word, each with a number before or after it, or on a number. */
const ENDINGS = [
  /[\s_.,-]+(?:\d+\s*)?((?:a|no|cut) [a-z]+)(?:[\s_.-]*\d+)?$/,
  /[\s_.,-]+(?:\d+\s*)?([a-z]+)(?:[\s_.-]*\d+)?$/,
  /[\s_.,-]+\d+$/,
];

/**
 * Lowers further versions of one song, so that five of them do not fill a page. Versions are what is kept together, copies of
 * one recording under any name, and tracks by one artist with the same title, ignoring brackets and endings. Takes and
 * returns results best first. The best version keeps its score.
 *
 * @param recordings The recording of a track, by the track's id; copies have the same one.
 */
export function spreadVersions<Result extends Scored>(
  results: readonly Result[],
  recordings: ReadonlyMap<string, number>,
  places: Places = NO_PLACES,
): Spread<Result>[] {
  const tracks = results.map(({ row }) => {
    const recording = recordings.get(row.id);
    return { id: row.id, keys: [songOf(row), ...(recording === undefined ? [] : [String(recording)])] };
  });
  const songs = songsAmong(tracks, places);
  const counts = new Map<number, number>();
  const lowered = results.map((result, index): Spread<Result> => {
    const song = songs[index] ?? index;
    const count = counts.get(song) ?? 0;
    counts.set(song, count + 1);
    const first = results[song];
    if (count === 0 || !first) return result;
    return { ...result, score: result.score * REPEATED_FACTOR ** count, like: titleOf(first.row) };
  });
  // Sorting is stable: equal scores keep their order.
  return lowered.toSorted((a, b) => b.score - a.score);
}

/** Returns a track's title, or its name when it has no title. */
export function titleOf({ title, name }: Pick<HitRow, "title" | "name">): string {
  return title ?? name;
}

/** Returns a text that all versions of one song share. */
export function songOf({ title, name, artist }: Pick<HitRow, "title" | "name" | "artist">): string {
  const whole = fold(title ?? name.replace(/\.[a-z0-9]{2,5}$/i, ""));
  let stem = whole.replace(/\s*[([{][^)\]}]*[)\]}]/g, "").trim();
  for (let next = stem; ; stem = next) {
    next = withoutEnding(stem);
    if (next === stem || next === "") break;
  }
  return `${stem || whole}\n${fold(artist ?? "")}`;
}

/** Returns a title without the last thing in it that tells versions apart, or as it is. */
function withoutEnding(title: string): string {
  for (const ending of ENDINGS) {
    const match = ending.exec(title);
    if (match && (match[1] === undefined || VERSION_WORDS.has(match[1])))
      return title.slice(0, match.index).trim();
  }
  return title;
}
