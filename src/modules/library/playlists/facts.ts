import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { loudnessAsWhole } from "../../../kernel/loudness.ts";
import { type StoredSong, selectSongs } from "./card-queries.ts";
import type { AlbumFacts } from "./card-shapes.ts";
import { findPlaylist } from "./queries.ts";

/** No disc has more songs; greater numbers are years or the numbers of a catalogue. */
const MAX_NUMBER = 999;
/** A list with holes so large is not numbered as a disc is. */
const MAX_MISSING = 100;

/**
 * Returns what the songs of an album, or of a playlist, add up to: length, what is missing in their numbers, and how loud they
 * are beside each other.
 *
 * @throws DomainError `playlist_not_found`.
 */
export function getFacts({ db }: Pick<Deps, "db">, ownerId: LibraryId, id: string): AlbumFacts {
  if (!findPlaylist(db, ownerId, id))
    throw new DomainError("playlist_not_found", "There is no such playlist");
  const songs = selectSongs(db, id);
  return {
    tracks: songs.length,
    durationSec: lengthOf(songs),
    unknownLengths: songs.filter(({ durationSec }) => durationSec === null).length,
    unnumbered: songs.filter(({ trackNumber }) => readNumber(trackNumber) === null).length,
    discs: discsOf(songs),
    loudness: loudnessOf(songs),
  };
}

/** Returns the number that a tag begins with: of `3/12` 3. Null: it has none. */
export function readNumber(text: string | null): number | null {
  const number = Number(/^\s*0*(\d{1,3})(?!\d)/.exec(text ?? "")?.[1] ?? 0);
  return number >= 1 ? number : null;
}

const lengthOf = (songs: readonly StoredSong[]) =>
  Math.round(songs.reduce((sum, { durationSec }) => sum + (durationSec ?? 0), 0) * 1000) / 1000;

function discsOf(songs: readonly StoredSong[]): AlbumFacts["discs"] {
  const discs = Map.groupBy(songs, ({ discNumber }) => readNumber(discNumber));
  return [...discs]
    .sort(([one], [other]) => (one ?? 0) - (other ?? 0))
    .map(([disc, own]) => ({ disc, tracks: own.length, durationSec: lengthOf(own), ...holesOf(own) }));
}

/** Returns which numbers of a disc no song has, and which several have. */
function holesOf(songs: readonly StoredSong[]): { missing: number[]; doubled: number[] } {
  const numbers = songs.map(({ trackNumber }) => readNumber(trackNumber)).filter((each) => each !== null);
  const there = new Set(numbers);
  const doubled = [...there].filter((each) => numbers.filter((other) => other === each).length > 1);
  const total = Math.max(0, ...songs.map(({ totalTracks }) => readNumber(totalTracks) ?? 0));
  const last = Math.min(MAX_NUMBER, Math.max(0, ...numbers, there.size > 0 ? total : 0));
  const missing = Array.from({ length: last }, (_, at) => at + 1).filter((each) => !there.has(each));
  return { missing: missing.slice(0, MAX_MISSING), doubled: doubled.sort((a, b) => a - b) };
}

function loudnessOf(songs: readonly StoredSong[]): AlbumFacts["loudness"] {
  const measured = songs.flatMap(({ id, integratedLufs }) =>
    integratedLufs === null ? [] : [{ trackId: id, lufs: integratedLufs }],
  );
  const { integratedLufs, truePeakDbtp } = loudnessAsWhole(songs);
  const byLoudness = measured.toSorted((a, b) => a.lufs - b.lufs);
  const [quietest, loudest] = [byLoudness[0], byLoudness.at(-1)];
  return {
    measured: measured.length,
    integratedLufs: integratedLufs === null ? null : tenths(integratedLufs),
    truePeakDbtp,
    quietest: quietest ?? null,
    loudest: loudest ?? null,
    spreadLu: quietest && loudest ? tenths(loudest.lufs - quietest.lufs) : null,
  };
}

/** Returns by how much each song is louder than the one before; null where one of the two is not measured. */
export function stepsOf(songs: readonly { integratedLufs: number | null }[]): (number | null)[] {
  return songs.map(({ integratedLufs }, at) => {
    const before = songs[at - 1]?.integratedLufs ?? null;
    return integratedLufs === null || before === null ? null : tenths(integratedLufs - before);
  });
}

const tenths = (value: number) => Math.round(value * 10) / 10;
