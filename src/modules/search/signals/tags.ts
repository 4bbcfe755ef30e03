import type { Db } from "../../../../db/client.ts";
import { TAXONOMY, type TaxonomyCategory, type TaxonomyEntry } from "../../../../db/taxonomy.ts";
import { fold } from "../../../kernel/text.ts";
import type { Wish } from "../brief/interpretation.ts";
import type { TaxonomyTag } from "../brief/lexicon.ts";
import type { Candidates } from "../candidates.ts";
import { type Penalty, type Signal, WORTH_SAYING } from "./signal.ts";
import { type FoundTag, selectSuggested } from "./suggested.ts";

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
/** What a track has for a wish: how well it meets it, and how much the word of whoever said so counts. */
type Match = Meaning & Pick<FoundTag, "trust">;

/**
 * Makes one signal a wish: its own tag, or a narrower, broader or related one, that is written on the track, or with
 * less weight suggested for it.
 */
export function tagSignals(
  db: Db,
  ownerId: string,
  candidates: Candidates,
  wishes: readonly Wish[],
): Signal[] {
  const worths = wishes.map(worthOf);
  const found = selectFound(db, ownerId, worths);
  return wishes.map((wish, index) => {
    const best = bestMatches(candidates, found, worths[index] ?? new Map());
    return {
      weight: Math.max(...wish.tags.map(({ category }) => WEIGHTS[category])),
      scores: best.scores,
      explain: (at) => explainMatch(best.matches[at], wish),
    };
  });
}

/**
 * Makes one penalty an unwanted tag: tracks that carry it, or a narrower one, lose most of their score, and less where
 * it is only suggested.
 */
export function tagPenalties(
  db: Db,
  ownerId: string,
  candidates: Candidates,
  wishes: readonly Wish[],
): Penalty[] {
  const worths = wishes.map(worthOf);
  const found = selectFound(db, ownerId, worths);
  return worths.map((worth) => {
    const { matches } = bestMatches(candidates, found, worth);
    const unwanted = (at: number) => matches[at]?.strength ?? 0;
    return {
      factors: Float32Array.from(candidates.rows, (_, at) =>
        unwanted(at) >= CHILD ? 1 - (1 - UNWANTED_FACTOR) * (matches[at]?.trust ?? 0) : 1,
      ),
      explain: (at) =>
        unwanted(at) >= CHILD ? `lowered: ${nameOf(matches[at]?.tag)} is not wanted` : undefined,
    };
  });
}

function bestMatches(candidates: Candidates, found: readonly FoundTag[], worth: Worth) {
  const scores = new Float32Array(candidates.rows.length);
  const matches: (Match | undefined)[] = [];
  for (const { trackId, tagId, trust } of found) {
    const meaning = worth.get(tagId);
    const index = candidates.indexOf.get(trackId);
    if (!meaning || index === undefined || meaning.strength * trust <= (scores[index] ?? 0)) continue;
    scores[index] = meaning.strength * trust;
    matches[index] = { ...meaning, trust };
  }
  return { scores, matches };
}

function explainMatch(match: Match | undefined, wish: Wish): string | undefined {
  if (!match) return undefined;
  const name = `${match.trust < 1 ? "suggested " : ""}${nameOf(match.tag)}`;
  if (match.strength >= CHILD) return name;
  const asked = wish.tags.find(({ category }) => category === match.tag.category)?.entry.name;
  return match.strength >= WORTH_SAYING || asked ? `${name}, related to ${asked}` : undefined;
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

/** Everything that means something for one of the wishes: what is written, and what is suggested. */
function selectFound(db: Db, ownerId: string, worths: readonly Worth[]): FoundTag[] {
  const tags = new Map(worths.flatMap((worth) => [...worth].map(([id, { tag }]) => [id, tag] as const)));
  if (tags.size === 0) return [];
  const names = new Set(Array.from(tags.values(), ({ entry }) => fold(entry.name)));
  return [...selectWritten(db, ownerId, [...names]), ...selectSuggested(db, ownerId, [...tags.keys()])];
}

/** Served by index `track_tags_by_name`. */
function selectWritten(db: Db, ownerId: string, names: readonly string[]): FoundTag[] {
  return db.$client
    .query<FoundTag, [string, string]>(
      `SELECT track_id AS trackId, tag_id AS tagId, 1 AS trust FROM track_tags
       WHERE owner_id = ? AND name_fold IN (SELECT value FROM json_each(?))`,
    )
    .all(ownerId, JSON.stringify(names));
}
