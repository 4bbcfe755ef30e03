import type { Db } from "../../../../db/client.ts";
import { isTimed, type TimedLine } from "../../../media/lyrics/lines.ts";
import { deleteTimed, findTimed, listTimed, putTimed, type TimedRow } from "./queries.ts";

/** The times of a version, to be carried into others. */
export type CarriedLyrics = { fromId: string; timed: TimedRow };

/** Of the lines with a time, so many must be found in the other version: it is another song's part otherwise. */
const LEAST_FOUND = 0.5;

/**
 * Returns whose times the versions without their own get: those a person wrote before those of a file, those of the most lines, and of
 * these the newest. Undefined: no version has its own.
 */
export function lyricsToCarry(db: Db, trackId: string): CarriedLyrics | undefined {
  const own = listTimed(db, trackId).flatMap(({ versionId: fromId }) => {
    const timed = findTimed(db, fromId);
    return timed && timed.origin !== "carried" && isTimed(timed.lines) ? [{ fromId, timed }] : [];
  });
  const rank = ({ timed }: CarriedLyrics) => Number(timed.origin === "file");
  const [best] = own.toSorted(
    (one, other) =>
      rank(one) - rank(other) ||
      countTimed(other.timed.lines) - countTimed(one.timed.lines) ||
      other.timed.updatedAt - one.timed.updatedAt,
  );
  return best;
}

/** Returns the versions into which times are to be carried: those without their own that lack these. */
export function lackingLyrics(db: Db, trackId: string, { fromId, timed }: CarriedLyrics): string[] {
  return listTimed(db, trackId)
    .filter(({ versionId, origin }) => versionId !== fromId && (origin === null || origin === "carried"))
    .filter(({ origin, updatedAt }) => origin === null || updatedAt !== timed.updatedAt)
    .map(({ versionId }) => versionId);
}

/**
 * Writes when the words are sung in another version. A line that is not in it has no time there; where most are not, none has.
 *
 * @param placeOf Where a moment of the first version is in the other, in seconds; undefined: not in it.
 */
export function placeLyrics(
  tx: Db,
  versionId: string,
  { timed }: CarriedLyrics,
  placeOf: (atSec: number) => number | undefined,
): void {
  const lines = timed.lines.map(({ text, atMs }) => ({
    text,
    atMs: atMs === null ? null : msOf(placeOf(atMs / 1000)),
  }));
  const kept = ascending(lines);
  if (countTimed(kept) < LEAST_FOUND * countTimed(timed.lines)) deleteTimed(tx, versionId, "carried");
  else putTimed(tx, versionId, { lines: kept, origin: "carried", updatedAt: timed.updatedAt });
}

const countTimed = (lines: readonly TimedLine[]): number => lines.filter(({ atMs }) => atMs !== null).length;

const msOf = (sec: number | undefined): number | null =>
  sec === undefined ? null : Math.max(0, Math.round(sec * 1000));

/** Leaves out times that come before those of lines above: parts of the song have changed places. */
function ascending(lines: readonly TimedLine[]): TimedLine[] {
  let last = 0;
  return lines.map(({ text, atMs }) => {
    if (atMs === null || atMs < last) return { text, atMs: null };
    last = atMs;
    return { text, atMs };
  });
}
