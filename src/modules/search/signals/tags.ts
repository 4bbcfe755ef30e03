import type { Db } from "../../../../db/client.ts";
import { TAXONOMY, type TaxonomyCategory, type TaxonomyEntry } from "../../../../db/taxonomy.ts";
import { fold } from "../../../kernel/text.ts";
import type { Wish } from "../brief/interpretation.ts";
import type { TaxonomyTag } from "../brief/lexicon.ts";
import type { Candidates } from "../candidates.ts";
import { type Penalty, type Signal, WORTH_SAYING } from "./signal.ts";

/** How well a written tag meets a wish. */
const EXACT = 1;
const CHILD = 0.9;
const PARENT = 0.55;
const RELATED = 0.45;

/** How much a wish counts by its category. */
const WEIGHTS: Readonly<Record<TaxonomyCategory, number>> = {
  genres: 3,
  moods: 2,
  instruments: 1.5,
  vocalTypes: 1.5,
  lyricThemes: 1.2,
  audioTypes: 1.2,
  eras: 1.2,
  characters: 1,
  movements: 1,
  tempos: 1,
};

/** What reasons call a tag of a category. */
const NOUNS: Readonly<Record<TaxonomyCategory, string>> = {
  genres: "genre",
  moods: "mood",
  instruments: "instrument",
  vocalTypes: "vocals",
  lyricThemes: "lyrics about",
  audioTypes: "type",
  eras: "era",
  characters: "character",
  movements: "movement",
  tempos: "tempo",
};

/** What an unwanted tag leaves of a score. */
const UNWANTED_FACTOR = 0.2;

type Meaning = { tag: TaxonomyTag; strength: number };
/** Tag id to what carrying it is worth for one wish. */
type Worth = ReadonlyMap<string, Meaning>;
type WrittenTag = { trackId: string; tagId: string };

/** Makes one signal a wish: its own tag written on the track, or a narrower, broader or related one. */
export function tagSignals(
  db: Db,
  ownerId: string,
  candidates: Candidates,
  wishes: readonly Wish[],
): Signal[] {
  const worths = wishes.map(worthOf);
  const written = selectWritten(db, ownerId, worths);
  return wishes.map((wish, index) => {
    const best = bestMatches(candidates, written, worths[index] ?? new Map());
    return {
      weight: Math.max(...wish.tags.map(({ category }) => WEIGHTS[category])),
      scores: best.scores,
      explain: (at) => explainMatch(best.meanings[at], wish),
    };
  });
}

/** Makes one penalty an unwanted tag: tracks that carry it, or a narrower one, lose most of their score. */
export function tagPenalties(
  db: Db,
  ownerId: string,
  candidates: Candidates,
  wishes: readonly Wish[],
): Penalty[] {
  const worths = wishes.map(worthOf);
  const written = selectWritten(db, ownerId, worths);
  return worths.map((worth) => {
    const { scores, meanings } = bestMatches(candidates, written, worth);
    return {
      factors: scores.map((score) => (score >= CHILD ? UNWANTED_FACTOR : 1)),
      explain: (at) =>
        (scores[at] ?? 0) >= CHILD ? `lowered: ${nameOf(meanings[at]?.tag)} is not wanted` : undefined,
    };
  });
}

function bestMatches(candidates: Candidates, written: readonly WrittenTag[], worth: Worth) {
  const scores = new Float32Array(candidates.rows.length);
  const meanings: (Meaning | undefined)[] = [];
  for (const { trackId, tagId } of written) {
    const meaning = worth.get(tagId);
    const index = candidates.indexOf.get(trackId);
    if (!meaning || index === undefined || meaning.strength <= (scores[index] ?? 0)) continue;
    scores[index] = meaning.strength;
    meanings[index] = meaning;
  }
  return { scores, meanings };
}

function explainMatch(meaning: Meaning | undefined, wish: Wish): string | undefined {
  if (!meaning) return undefined;
  const name = nameOf(meaning.tag);
  if (meaning.strength >= CHILD) return name;
  const asked = wish.tags.find(({ category }) => category === meaning.tag.category)?.entry.name;
  return meaning.strength >= WORTH_SAYING || asked ? `${name}, related to ${asked}` : undefined;
}

const nameOf = (tag: TaxonomyTag | undefined) => (tag ? `${NOUNS[tag.category]} ${tag.entry.name}` : "tag");

/** Everything a track may carry that meets the wish, each with its best strength. */
function worthOf({ tags }: Wish): Worth {
  const worth = new Map<string, Meaning>();
  const offer = (category: TaxonomyCategory, entry: TaxonomyEntry, strength: number) => {
    if (strength > (worth.get(entry.id)?.strength ?? 0))
      worth.set(entry.id, { tag: { category, entry }, strength });
  };
  for (const { category, entry } of tags) {
    offer(category, entry, EXACT);
    for (const other of TAXONOMY[category]) offer(category, other, kinship(entry, other));
  }
  return worth;
}

function kinship(asked: TaxonomyEntry, other: TaxonomyEntry): number {
  if (other.parent === asked.code) return CHILD;
  if (asked.parent === other.code) return PARENT;
  return asked.related?.includes(other.code) ? RELATED : 0;
}

/** Served by index `track_tags_by_name`. */
function selectWritten(db: Db, ownerId: string, worths: readonly Worth[]): WrittenTag[] {
  const names = new Set(
    worths.flatMap((worth) => [...worth.values()].map(({ tag }) => fold(tag.entry.name))),
  );
  if (names.size === 0) return [];
  return db.$client
    .query<WrittenTag, [string, string]>(
      `SELECT track_id AS trackId, tag_id AS tagId FROM track_tags
       WHERE owner_id = ? AND name_fold IN (SELECT value FROM json_each(?))`,
    )
    .all(ownerId, JSON.stringify([...names]));
}
