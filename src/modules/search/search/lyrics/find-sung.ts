import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { FindLine } from "../../../../brief/remembered.ts";
import { type Mirror, slotOf } from "../index/mirror.ts";
import type { Shard } from "../index/shard.ts";
import type { Evidence } from "../signals/evidence.ts";
import { ofOwner, quoted } from "../signals/text.ts";
import { closestLine, type LineMatch, type LineWord, lineWords } from "./line-match.ts";

/** A track that sings a remembered line, and how surely it is the one that is meant, 0 to 1. */
export type Sung = { slot: number; line: string; strength: number };

type Found = LineMatch & { seq: number };

/** A line is remembered well enough with this share of its words, and at least so many. */
const LEAST_SHARE = 0.6;
const LEAST_COUNT = 3;
/** A line in the library is at most as long as a few that are sung; the words behind it are not looked at. */
const MOST_WORDS = 24;
/** Runs of so many words are looked up, the longer ones first. */
const RUNS = [3, 2];
/** A run in more songs than this says nothing. */
const COMMON = 2000;
const MOST_CANDIDATES = 200;
/** The reason for a line comes before all others. */
const WEIGHT = 100;
/** What is called like the query comes before what sings it. */
const LESS_THAN_NAMED = 0.95;
const MOST_LETTERS = 100;

/** Returns a function that says whether the owner's tracks sing a line. */
export const findLineIn =
  (db: Db, ownerId: LibraryId): FindLine =>
  (text, isWhole) =>
    Math.max(0, ...findLines(db, ownerId, text, isWhole).map(({ length }) => length));

/** Returns the tracks that sing a line, the surest first. */
export function findSung(
  { db, mirror, shard }: { db: Db; mirror: Mirror; shard: Shard },
  text: string,
): Sung[] {
  return findLines(db, shard.ownerId, text, true).flatMap(({ seq, line, share }) => {
    const slot = slotOf(mirror, shard, seq);
    return slot === -1 ? [] : [{ slot, line, strength: LESS_THAN_NAMED * share }];
  });
}

/** Returns what is sung as the reason of a result. */
export function sungEvidence(sung: readonly Sung[]): Evidence[] {
  const bySlot = new Map(sung.map((each) => [each.slot, each]));
  if (sung.length === 0) return [];
  return [
    {
      weight: WEIGHT,
      scoreOf: ({ slot }) => bySlot.get(slot)?.strength ?? 0,
      explain: ({ slot }) => {
        const line = bySlot.get(slot)?.line;
        return line === undefined ? undefined : `goes “${shortened(line)}”`;
      },
    },
  ];
}

const shortened = (line: string): string =>
  line.length > MOST_LETTERS ? `${line.slice(0, MOST_LETTERS).trimEnd()}…` : line;

function findLines(db: Db, ownerId: LibraryId, text: string, isWhole: boolean): Found[] {
  const words = lineWords(text).slice(0, MOST_WORDS);
  if (words.length < 2) return [];
  for (const seqs of candidates(db, ownerId, text, words)) {
    const found = lyricsAmong(db, ownerId, seqs).flatMap(({ seq, lyrics }): Found[] => {
      const match = closestLine(lyrics, words, isWhole);
      return match && isRemembered(match, words) ? [{ ...match, seq }] : [];
    });
    if (found.length > 0)
      return found.toSorted((a, b) => b.share * b.count - a.share * a.count || b.seq - a.seq);
  }
  return [];
}

const isRemembered = ({ share, count }: LineMatch, words: readonly LineWord[]): boolean =>
  share >= LEAST_SHARE && count >= Math.min(LEAST_COUNT, words.length);

/** Yields the tracks worth a closer look, by runs of words that their lyrics have. */
function* candidates(
  db: Db,
  ownerId: LibraryId,
  text: string,
  words: readonly LineWord[],
): Generator<number[]> {
  const unspaced = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]{3,}/gu);
  if (unspaced) yield unspaced.flatMap((run) => tracksWithSigns(db, ownerId, run));
  for (const size of RUNS) {
    const counts = new Map<number, number>();
    for (const run of runsIn(db, words, size)) {
      const seqs = tracksWithRun(db, ownerId, run);
      if (seqs.length <= COMMON) for (const seq of seqs) counts.set(seq, (counts.get(seq) ?? 0) + 1);
    }
    yield [...counts]
      .toSorted(([a, x], [b, y]) => y - x || b - a)
      .slice(0, MOST_CANDIDATES)
      .map(([seq]) => seq);
  }
}

/** Returns the runs of so many words; none when no lyrics have any of them, which one look tells. */
function runsIn({ $client }: Db, words: readonly LineWord[], size: number): string[] {
  const runs = words.slice(size - 1).map((_, at) =>
    words
      .slice(at, at + size)
      .map(({ text }) => text)
      .join(" "),
  );
  if (runs.length === 0) return [];
  const isThere = $client
    .query<{ found: 1 }, [string]>("SELECT 1 AS found FROM track_text WHERE track_text MATCH ? LIMIT 1")
    .get(`lyrics : (${runs.map(quoted).join(" OR ")})`);
  return isThere ? runs : [];
}

function tracksWithRun(db: Db, ownerId: LibraryId, run: string): number[] {
  return db.$client
    .query<{ seq: number }, [string, number]>(
      "SELECT rowid AS seq FROM track_text WHERE track_text MATCH ? LIMIT ?",
    )
    .all(ofOwner(ownerId, `lyrics : ${quoted(run)}`), COMMON + 1)
    .map(({ seq }) => seq);
}

/** Returns the lyrics of those tracks that are in the library. */
function lyricsAmong(db: Db, ownerId: LibraryId, seqs: readonly number[]): { seq: number; lyrics: string }[] {
  return db.$client
    .query<{ seq: number; lyrics: string }, [string, string]>(
      `SELECT seq, lyrics FROM json_each(?) list CROSS JOIN tracks ON seq = list.value
       WHERE owner_id = ? AND lyrics IS NOT NULL AND deleted_at IS NULL AND in_inbox = 0`,
    )
    .all(JSON.stringify(seqs), ownerId);
}

/** The index of words has no words of Chinese and Japanese, which leave no blanks between them. */
function tracksWithSigns(db: Db, ownerId: LibraryId, run: string): number[] {
  const half = Math.ceil(run.length / 2);
  const parts = [...new Set([run.slice(0, half), run.slice(half)])].filter((part) => part.length > 1);
  return db.$client
    .query<{ seq: number }, [string, string, number]>(
      `SELECT seq FROM tracks WHERE owner_id = ? AND deleted_at IS NULL AND in_inbox = 0 AND lyrics IS NOT NULL
         AND EXISTS (SELECT 1 FROM json_each(?) part WHERE instr(tracks.lyrics, part.value)) LIMIT ?`,
    )
    .all(ownerId, JSON.stringify(parts), MOST_CANDIDATES)
    .map(({ seq }) => seq);
}
