import type { Db } from "../../../../db/client.ts";
import type { Candidates } from "../candidates.ts";
import { type Signal, WORTH_SAYING } from "./signal.ts";

/** Names and people say more of a track than a word in its lyrics does. */
const NAME_COLUMNS = "{name title artist album composer}";
const WORDS_SCORE = 0.5;

const MAX_WEIGHT = 3;
const WEIGHT_A_TERM = 1;

type Term = { text: string; scores: Map<number, number>; rarity: number };

/**
 * Words of the brief found in names, people, lyrics, notes and free tags; rare words count more. Undefined when no
 * candidate has any of them.
 *
 * Rarity is counted over the candidates alone. The built-in `bm25()` counts over the whole table, so that another
 * account's tracks would move the scores.
 *
 * @see Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework", equation 3.1 (the weight of a term).
 */
export function textSignal(
  db: Db,
  ownerId: string,
  candidates: Candidates,
  terms: readonly string[],
): Signal | undefined {
  const found = terms
    .map((text) => findTerm(db, ownerId, candidates, text))
    .filter(({ scores }) => scores.size > 0);
  if (found.length === 0) return undefined;

  const total = found.reduce((sum, { rarity }) => sum + rarity, 0);
  const scores = new Float32Array(candidates.rows.length);
  for (const term of found)
    for (const [index, score] of term.scores)
      scores[index] = (scores[index] ?? 0) + (score * term.rarity) / total;
  return {
    weight: Math.min(MAX_WEIGHT, found.length * WEIGHT_A_TERM),
    scores,
    explain: (index) => explainTerms(found.filter((term) => term.scores.has(index)).map(({ text }) => text)),
  };
}

function explainTerms(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : `mentions ${texts.map((text) => `“${text}”`).join(", ")}`;
}

function findTerm(db: Db, ownerId: string, candidates: Candidates, text: string): Term {
  const scores = new Map<number, number>();
  const note = (ids: readonly { id: string }[], score: number) => {
    for (const { id } of ids) {
      const index = candidates.indexOf.get(id);
      if (index !== undefined) scores.set(index, Math.max(score, scores.get(index) ?? 0));
    }
  };
  note(selectMatches(db, ownerId, quoted(text)), WORDS_SCORE);
  note(selectMatches(db, ownerId, `${NAME_COLUMNS} : ${quoted(text)}`), 1);
  note(selectFreeTags(db, ownerId, text), 1);
  const count = candidates.rows.length;
  return {
    text,
    scores,
    rarity: Math.log(1 + (count - scores.size + WORTH_SAYING) / (scores.size + WORTH_SAYING)),
  };
}

/** A string of the query language of FTS5: nothing in it is an operator. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""').replaceAll("\0", " ")}"`;
}

function selectMatches(db: Db, ownerId: string, match: string): { id: string }[] {
  return db.$client
    .query<{ id: string }, [string, string]>(
      `SELECT t.id FROM track_text JOIN tracks t ON t.seq = track_text.rowid
       WHERE track_text MATCH ? AND t.owner_id = ?`,
    )
    .all(match, ownerId);
}

/** Served by index `track_tags_by_name`. */
function selectFreeTags(db: Db, ownerId: string, nameFold: string): { id: string }[] {
  return db.$client
    .query<{ id: string }, [string, string]>(
      "SELECT track_id AS id FROM track_tags WHERE owner_id = ? AND name_fold = ? AND category = 'tags'",
    )
    .all(ownerId, nameFold);
}
