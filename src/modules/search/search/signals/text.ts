import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { type Mirror, slotOf } from "../index/mirror.ts";
import type { Shard } from "../index/shard.ts";
import { type Evidence, WORTH_SAYING } from "./evidence.ts";
import { addWeight, type Tally } from "./tally.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** Names and people say more about a track than a word in its lyrics does. */
const NAME_COLUMNS = "{name title artist album composer}";
const ALL_COLUMNS = "{name title artist album composer lyrics notes}";
const WORDS_SCORE = 0.5;

const MAX_WEIGHT = 3;
const WEIGHT_A_TERM = 1;
/** A long brief may hold hundreds of words; the important ones come early. */
const MAX_TERMS = 24;
/** A word in more tracks than this says nothing about them, and would cost more than the rest of the search. */
const COMMON = 50_000;

type Term = { text: string; scores: ReadonlyMap<number, number>; rarity: number };

/** What a search in the text index needs. */
export type WordSearch = { db: Db; mirror: Mirror; shard: Shard };

/**
 * Adds words of the brief found in names, people, lyrics, notes and free tags; rare words count more. Adds nothing when
 * no eligible track has any of them.
 *
 * Rarity is counted only over the eligible tracks. The built-in `bm25()` counts over the whole table, where another
 * account's tracks would change the scores.
 *
 * @param namesSaid The folded names that are reasons of a track already.
 * @see Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework", equation 3.1 (the weight of a term).
 */
export function addTerms(
  search: WordSearch,
  tally: Tally,
  terms: readonly string[],
  namesSaid: (slot: number) => string = () => "",
): Evidence[] {
  const found = terms
    .slice(0, MAX_TERMS)
    .map((text) => findTerm(search, tally, text))
    .filter(({ scores }) => scores.size > 0);
  if (found.length === 0) return [];

  const total = found.reduce((sum, { rarity }) => sum + rarity, 0);
  const weight = Math.min(MAX_WEIGHT, found.length * WEIGHT_A_TERM);
  addWeight(tally, "text", weight);
  for (const { scores, rarity } of found)
    for (const [slot, score] of scores)
      tally.totals[slot] = (tally.totals[slot] as number) + (weight * score * rarity) / total;
  const scoreAt = (slot: number) =>
    found.reduce((sum, { scores, rarity }) => sum + ((scores.get(slot) ?? 0) * rarity) / total, 0);
  return [
    {
      weight,
      scoreOf: ({ slot }) => scoreAt(slot),
      explain: ({ slot }) => {
        // A word of a name that is a reason already says nothing more.
        const said = namesSaid(slot);
        const there = found.filter(({ text, scores }) => scores.has(slot) && !said.includes(text));
        return explainTerms(there.map(({ text }) => text));
      },
    },
  ];
}

function explainTerms(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : `mentions ${texts.map((text) => `“${text}”`).join(", ")}`;
}

function findTerm({ db, mirror, shard }: WordSearch, { eligible }: Tally, text: string): Term {
  const scores = new Map<number, number>();
  const note = (seqs: readonly number[], score: number) => {
    if (seqs.length > COMMON) return;
    for (const seq of seqs) {
      const slot = slotOf(mirror, shard, seq);
      if (slot !== -1 && eligible.marks[slot] === 1) scores.set(slot, score);
    }
  };
  note(selectMatches(db, shard.ownerId, `${ALL_COLUMNS} : ${quoted(text)}`, COMMON + 1), WORDS_SCORE);
  note(selectMatches(db, shard.ownerId, `${NAME_COLUMNS} : ${quoted(text)}`, COMMON + 1), 1);
  note(selectFreeTags(db, shard.ownerId, text), 1);
  const count = eligible.slots.length;
  return {
    text,
    scores,
    rarity: Math.log(1 + (count - scores.size + WORTH_SAYING) / (scores.size + WORTH_SAYING)),
  };
}

/** Returns a text as a string of the FTS5 query language, in which nothing is an operator. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""').replaceAll("\0", " ")}"`;
}

/** Narrows a query of the text index to one account's tracks. */
export function ofOwner(ownerId: LibraryId, match: string): string {
  return `${match} AND ${wordOfOwner(ownerId)}`;
}

/** The word that only lines of one account have. */
export function wordOfOwner(ownerId: LibraryId): string {
  return `owner : "${Buffer.from(ownerId).toString("hex")}"`;
}

/** Returns true when a name, text or free tag of the account has a word. */
export function isInLibrary(db: Db, ownerId: LibraryId, word: string): boolean {
  const match = ofOwner(ownerId, `${ALL_COLUMNS} : ${quoted(word)}`);
  const text = db.$client.query("SELECT 1 FROM track_text WHERE track_text MATCH ? LIMIT 1").get(match);
  return text !== null || selectFreeTags(db, ownerId, word).length > 0;
}

/** Words of more tracks, of all accounts, are asked for in one account. */
const RARE = 2000;

/**
 * Returns the numbers of an account's tracks that match, to a limit; while they are few, those of other accounts too. Words
 * are rare, and a question about one account costs many times as much; the mirror knows whose tracks they are.
 */
export function selectMatches(db: Db, ownerId: LibraryId, match: string, limit: number): number[] {
  const rare = Math.min(limit, RARE);
  const every = matching(db, match, rare);
  return every.length < rare ? every : matching(db, ofOwner(ownerId, match), limit);
}

function matching(db: Db, match: string, limit: number): number[] {
  const row = db.$client
    .query<{ list: string }, [string, number]>(
      `SELECT json_group_array(rowid) AS list
       FROM (SELECT rowid FROM track_text WHERE track_text MATCH ? LIMIT ?)`,
    )
    .get(match, limit);
  // SQLite builds the list from integers, which is faster than returning rows.
  return JSON.parse(row?.list ?? "[]") as number[];
}

/** Served by index `track_tags_by_name`. */
function selectFreeTags(db: Db, ownerId: LibraryId, nameFold: string): number[] {
  return db.$client
    .query<{ seq: number }, [string, string, number]>(
      `SELECT t.seq FROM track_tags g JOIN tracks t ON t.id = g.track_id
       WHERE g.owner_id = ? AND g.name_fold = ? AND g.category = 'tags' LIMIT ?`,
    )
    .all(ownerId, nameFold, COMMON + 1)
    .map(({ seq }) => seq);
}
