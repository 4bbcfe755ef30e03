import type { Db } from "../../../db/client.ts";
import { TAXONOMY_VERSION } from "../../../db/taxonomy.ts";
import type { Interpretation } from "../../brief/interpretation.ts";
import { parseBrief } from "../../brief/read.ts";
import { tagsOfTracks } from "../tags/service.ts";
import { suggestedNameOf } from "./answer/naming.ts";
import { hardReasons } from "./answer/reasons.ts";
import { toSearchHit, toWireInterpretation } from "./answer/wire.ts";
import { findOwnArtist } from "./artists.ts";
import { echoOf, type Filter } from "./filters/constraints.ts";
import { eligibleOf, removedBy } from "./filters/eligibility.ts";
import { loadRecords } from "./index/load.ts";
import { type Mirror, shardOf, slotOf } from "./index/mirror.ts";
import type { Shard } from "./index/shard.ts";
import type { SearchHit, WireInterpretation } from "./model.ts";
import { findNamed } from "./names/find-named.ts";
import { isNameWord } from "./names/lookup.ts";
import { nameWords } from "./names/words.ts";
import { type OwnTrack, selectOwn } from "./queries.ts";
import { type Like, type Ranked, type RankedPage, rank } from "./ranking/rank.ts";
import { RANKING_VERSION } from "./ranking/ranking-version.ts";
import { findNamedIn } from "./seeds/named.ts";
import { type Seeds, seedsOf } from "./seeds/seeds.ts";
import { keptWishes, sharedWishes } from "./seeds/shared.ts";
import type { Target } from "./signals/sound.ts";

/** A search request, in the form sent to the search thread. */
export type SearchTask = {
  ownerId: string;
  query: string;
  filter: Filter;
  seedIds: readonly string[];
  excludedIds: readonly string[];
  limit: number;
  /** A reading of the query made elsewhere; without it, the query is read here. */
  brief?: Interpretation;
};

/** The outcome of a search. */
export type Found = { hits: SearchHit[]; interpretation: WireInterpretation; suggestedName: string };

/** Searches the owner's tracks. Call it in one read transaction, so that an answer shows one state of the library. */
export function find(db: Db, mirror: Mirror, task: SearchTask): Found {
  const { ownerId, filter } = task;
  const shard = shardOf(mirror, ownerId);
  const artist = memoized((name) => findOwnArtist(db, ownerId, name));
  const brief =
    task.brief ??
    parseBrief(task.query, {
      findArtist: (name) => artist(name)?.name,
      findNamed: findNamedIn(db, ownerId),
      hasSeeds: task.seedIds.length > 0,
      isName: (word) => isNameWord(db, ownerId, word),
    });
  const artists = brief.references.flatMap(({ name }) => artist(name) ?? []);
  const seeds = seedsOf(db, ownerId, brief, task.seedIds);
  const excluded = selectOwn(db, ownerId, task.excludedIds);
  const excludedSlots = new Set(excluded.map(({ seq }) => slotOf(mirror, shard, seq)));
  const seedSlots = (seeds?.seqs ?? []).map((seq) => slotOf(mirror, shard, seq));
  const eligible = eligibleOf(db, shard, filter, new Set([...excludedSlots, ...seedSlots]));

  const named = findNamed({ db, mirror, shard }, namesIn(task.query, brief), unreadIn(brief));

  const page = rank({
    db,
    mirror,
    shard,
    eligible,
    brief,
    named,
    limit: task.limit,
    seeds: seeds?.targets ?? [],
    ...(seeds && { like: likeOf(seeds, brief) }),
    reference:
      artists.length === 0
        ? undefined
        : {
            name: artists.map(({ name }) => name).join(" and "),
            targets: targetsOf(
              db,
              ownerId,
              artists.flatMap(({ trackSeqs }) => trackSeqs),
            ),
          },
  });
  const removed =
    page.ranked.length === 0 && shard.alive > 0 ? removedBy(db, shard, filter, excludedSlots) : undefined;
  const interpretation = toWireInterpretation(
    brief,
    {
      appliedConstraints: echoOf(filter),
      appliedTuning: {
        ...tuningOf(shard, page),
        ...(seeds && seeds.asked.length > 0 && { seedTrackIds: idsOf(seeds.asked) }),
        ...(excluded.length > 0 && { excludeTrackIds: idsOf(excluded) }),
        ...(artists[0] && { referenceArtist: artists[0].name }),
        ...(removed && { removed }),
      },
    },
    seeds,
  );
  return {
    hits: toHits(db, page.ranked, filter),
    interpretation: removed ? withRemoved(interpretation, removed, shard.alive) : interpretation,
    suggestedName: suggestedNameOf(task.query, brief),
  };
}

function likeOf({ records, origin, soundName }: Seeds, brief: Interpretation): Like {
  return { shared: keptWishes(sharedWishes(records), brief), origin, soundName };
}

/**
 * Returns the part of the query that may name results. The name of a seed names none: beside it, only words without
 * another meaning do.
 */
function namesIn(query: string, { seeds, terms }: Interpretation): string {
  return seeds.length > 0 ? terms.join(" ") : query;
}

/** Returns the words of the query that mean nothing but, perhaps, a name. */
function unreadIn({ terms }: Interpretation): ReadonlySet<string> {
  return new Set(nameWords(terms.join(" ")).map(({ text }) => text));
}

/** Remembers the result for each name: the parser asks for a name, and the ranking asks again. */
function memoized<Value>(compute: (name: string) => Value): (name: string) => Value {
  const known = new Map<string, Value>();
  return (name) => {
    const value = known.has(name) ? (known.get(name) as Value) : compute(name);
    known.set(name, value);
    return value;
  };
}

/** Returns the usable vectors of the owner's tracks. */
export function targetsOf(db: Db, ownerId: string, seqs: readonly number[]): Target[] {
  return loadRecords(db, ownerId, seqs).flatMap(({ vector }) => vector ?? []);
}

/** Returns results in their wire form. */
export function toHits(db: Db, ranked: readonly Ranked[], filter: Filter): SearchHit[] {
  const tags = tagsOfTracks(
    db,
    ranked.map(({ row }) => row.id),
  );
  return ranked.map((each) => {
    const reasons = [...new Set([...each.reasons, ...hardReasons(each.row, filter)])];
    return toSearchHit(each.row, tags.get(each.row.id) ?? [], { ...each, reasons });
  });
}

/** Returns what the order of the results depends on besides the library and the brief. */
function tuningOf({ spaces }: Shard, { weights }: RankedPage) {
  const used = spaces.values().filter(({ alive }) => alive > 0);
  const versions = [...new Set(used.map(({ space }) => space.version))].sort();
  return { taxonomy: TAXONOMY_VERSION, ranking: RANKING_VERSION, vectors: versions, weights };
}

/** Adds to the summary how many tracks each constraint excludes, the strictest one first. */
function withRemoved(
  interpretation: WireInterpretation,
  removed: Readonly<Record<string, number>>,
  all: number,
): WireInterpretation {
  const parts = Object.entries(removed)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} keeps out ${count}`);
  const summary = `${interpretation.summary} No track is left: of ${all}, ${parts.join(", ")}.`;
  return { ...interpretation, summary };
}

const idsOf = (tracks: readonly OwnTrack[]) => tracks.map(({ id }) => id);
