import type { Db } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { TAXONOMY_VERSION } from "../../../../db/taxonomy.ts";
import type { Interpretation } from "../../../brief/interpretation.ts";
import { parseBrief } from "../../../brief/read.ts";
import type { FactName } from "../../../kernel/facts.ts";
import { factOfOrder, isFactOrder } from "../../../kernel/facts.ts";
import { hitsOf } from "./answer/hits.ts";
import { suggestedNameOf } from "./answer/naming.ts";
import { toWireInterpretation } from "./answer/wire.ts";
import { artistsOf, type FindOwnArtist, type OwnArtist } from "./artists.ts";
import { factConditions, factValues } from "./facts/conditions.ts";
import { findPersonIn } from "./facts/people.ts";
import { saidToReader, seenFacts } from "./facts/veil.ts";
import { availableConditions } from "./filters/available.ts";
import { echoOf, type Filter } from "./filters/constraints.ts";
import { type Condition, type Eligible, eligibleOf } from "./filters/eligibility.ts";
import { libraryConditions } from "./filters/library.ts";
import { refusedConditions } from "./filters/refused.ts";
import { waitingSlots } from "./filters/waiting.ts";
import { keeping } from "./index/bounded.ts";
import { type Kept, keptOf } from "./index/kept.ts";
import { loadSounds } from "./index/load.ts";
import { type Mirror, shardOf, slotOf } from "./index/mirror.ts";
import type { Shard } from "./index/shard.ts";
import { mayList, saysMore, withoutContradictions, withoutLibrary } from "./intent.ts";
import { findLineIn, findSung, type Sung } from "./lyrics/find-sung.ts";
import { findNamed, type Named, NOTHING_NAMED } from "./names/find-named.ts";
import { isNameWord } from "./names/lookup.ts";
import { nameWords } from "./names/words.ts";
import { isTitle, type OwnTrack, selectOwn } from "./queries.ts";
import { type Like, type RankedPage, rank } from "./ranking/rank.ts";
import { RANKING_VERSION } from "./ranking/ranking-version.ts";
import { type OwnPassage, type Part, partOfTrack, passagesLookedAt } from "./reference/part.ts";
import { partOfReference, type Reference, withReference } from "./reference/reference.ts";
import { besideSeeds } from "./seeds/beside.ts";
import { findNamedIn } from "./seeds/named.ts";
import { findNearIn } from "./seeds/near.ts";
import { type Seeds, seedsOf } from "./seeds/seeds.ts";
import { keptWishes, sharedWishes } from "./seeds/shared.ts";
import type { SearchHit, WireInterpretation } from "./shapes.ts";
import { isInLibrary } from "./signals/text.ts";

/** A search request, in the form sent to the search thread. */
export type SearchTask = {
  ownerId: LibraryId;
  query: string;
  filter: Filter;
  seedIds: readonly string[];
  excludedIds: readonly string[];
  /** Only these tracks count; left out: all of the owner's. */
  among?: readonly string[];
  limit: number;
  /** The time of the request, epoch milliseconds; without it, the prose names no time. */
  now?: number;
  /** A reading of the query made elsewhere; without it, the query is read here. */
  brief?: Interpretation;
  hides?: Hidden;
  /** Whom "me" in the query means. */
  askedBy?: PersonId;
  /** Whether results are one per family, its member that fits best. */
  onePerFamily?: boolean;
  /** A part of one of the seeds: of that one nothing else counts. */
  passage?: OwnPassage;
  reference?: Reference;
  /** Whether tracks count that lack what the prose asks to be available: it may be made later. */
  mayLack?: boolean;
};

/** What the reader of an answer may not see, so that nothing is found or left out by it. */
export type Hidden = { composers: boolean; plays: boolean; facts: readonly FactName[] };

/** The outcome of a search. */
export type Found = { hits: SearchHit[]; interpretation: WireInterpretation; suggestedName: string };

/** Searches the owner's tracks. Call it in one read transaction, so that an answer shows one state of the library. */
export function find(db: Db, mirror: Mirror, task: SearchTask): Found {
  const { ownerId, filter } = task;
  const shard = shardOf(mirror, ownerId);
  const inInbox = waitingSlots(db, mirror, shard);
  const kept = keptOf(shard, inInbox);
  const artistOf = artistsOf(db, ownerId, shard.vocabulary, kept.artists);
  const library = { db, mirror, shard, hidesComposers: task.hides?.composers === true };
  const brief = readOrGiven(library, task, artistOf);
  const artists = brief.references.flatMap(({ name }) => artistOf(name) ?? []);
  const ownPart = partOfTrack(db, ownerId, task.passage);
  const part = task.reference ? partOfReference(task.reference) : ownPart;
  const seeds = withReference(
    db,
    ownerId,
    seedsOf({ db, ownerId, kept }, brief, task.seedIds, ownPart),
    task.reference,
  );
  const excluded = selectOwn(db, ownerId, task.excludedIds);
  const excludedSlots = new Set(excluded.map(({ seq }) => slotOf(mirror, shard, seq)));
  const waiting = task.among ? new Set<number>() : inInbox;
  const size = shard.alive - waiting.size;
  const conditions = conditionsOf({ db, mirror, shard }, { brief, seeds, task, waiting });
  const eligible = eligibleOf(db, shard, filter, excludedSlots.union(waiting), conditions);

  const named = namedIn(library, task.query, brief);
  const page = rank({
    ...{ db, mirror, shard, eligible },
    brief: withoutContradictions(brief, filter),
    named,
    sung: sungIn(library, task.query, brief, named),
    limit: task.limit,
    isListing: mayList(brief, filter),
    onePerFamily: task.onePerFamily === true,
    seeds: seeds?.targets ?? [],
    ordered: factValues({ db, mirror, shard }, brief.ordering),
    part,
    ...(seeds && { like: likeOf(seeds, brief) }),
    reference: referenceTo(db, ownerId, kept, artists),
  });
  const { removed } = eligible;
  const isUnknown = ({ word }: { word: string }) => !named.words.has(word) && !isInLibrary(db, ownerId, word);
  const notUnderstood = brief.unread.filter(isUnknown);
  const interpretation = toWireInterpretation(
    brief,
    {
      notUnderstood: notUnderstood.map(({ written }) => written),
      outcome: { ...outcomeOf(page, seeds), left: eligible.slots.length, tracks: size },
      appliedConstraints: echoOf(filter),
      appliedTuning: {
        ...tuningOf(shard, page),
        ...(seeds && seeds.asked.length > 0 && { seedTrackIds: idsOf(seeds.asked) }),
        ...(excluded.length > 0 && { excludeTrackIds: idsOf(excluded) }),
        ...(artists[0] && { referenceArtist: artists[0].name }),
        ...steeredBy(shard, task, ownPart),
        ...countsOf(eligible, size, page),
      },
    },
    seeds,
  );
  return {
    hits: hitsOf(db, task, page.ranked, part),
    interpretation:
      eligible.slots.length === 0 && size > 0 ? withRemoved(interpretation, removed, size) : interpretation,
    suggestedName: suggestedNameOf(task.query, brief),
  };
}

/** Returns which sounds steered beside whole tracks, and which parts of tracks were compared with them. */
function steeredBy(shard: Shard, { passage, reference }: SearchTask, ownPart: Part | undefined) {
  const passages = passagesLookedAt(shard);
  return {
    ...(reference && { reference: { ...reference.said, passages } }),
    ...(passage && { passage: { ...passage, passages: ownPart ? passages : ("none" as const) } }),
  };
}

type Library = Parameters<typeof findNamed>[0];
/** Artists whose sounds are kept: 150 kB each at most. */
const MOST_KEPT = 4;
/** All words of a query are sung so, and so many of them say nothing else. */
const WHOLE_LINE = 0.9;
const LEAST_UNREAD = 2;

function readOrGiven(library: Library, task: SearchTask, artistOf: FindOwnArtist): Interpretation {
  const brief = task.brief ?? readBrief(library, task, artistOf);
  const { played, availableAs, edits, facts = [], ...filters } = brief.filters;
  const isHidden = (fact: FactName) => task.hides?.facts.includes(fact) === true;
  const seen = seenFacts(facts, isHidden);
  const { ordering } = brief;
  const hidesOrder =
    ordering !== null && isFactOrder(ordering.by) && isHidden(factOfOrder(ordering.by).fact.name);
  const isVeiled = seen.length < facts.length || hidesOrder;
  return {
    ...brief,
    ordering: hidesOrder ? null : ordering,
    said: isVeiled ? saidToReader(brief, facts, seen, hidesOrder) : brief.said,
    ...(isVeiled && { unasked: [...(brief.unasked ?? []), "role"] }),
    filters: {
      ...filters,
      ...(seen.length > 0 && { facts: seen }),
      ...(played !== undefined && !task.hides?.plays && { played }),
      ...(availableAs && !task.mayLack && { availableAs }),
      ...(edits && !task.mayLack && { edits }),
    },
  };
}

/** Returns how many results there are, and what became of the brief's comparatives. */
function outcomeOf({ ranked, moved }: RankedPage, seeds: Seeds | undefined) {
  return { count: ranked.length, ...(seeds && moved && { moved: { name: seeds.origin.name, ...moved } }) };
}

/** Returns what the prose says about which tracks count at all. */
function conditionsOf(
  library: Library,
  {
    brief,
    seeds,
    task,
    waiting,
  }: { brief: Interpretation; seeds: Seeds | undefined; task: SearchTask; waiting: ReadonlySet<number> },
): Condition[] {
  return [
    ...libraryConditions(library, brief.filters),
    ...factConditions(library, brief.filters.facts),
    ...(seeds ? besideSeeds(library, seeds, task.onePerFamily === true) : []),
    ...(seeds ? refusedConditions(library.shard, brief.unwanted) : []),
    ...availableConditions(library.shard, task.filter, brief.filters, waiting),
    ...amongConditions(library, task.among),
  ];
}

function amongConditions({ db, mirror, shard }: Library, ids: SearchTask["among"]): Condition[] {
  if (!ids) return [];
  const slots = new Set(selectOwn(db, shard.ownerId, ids).map(({ seq }) => slotOf(mirror, shard, seq)));
  return [{ passes: (slot) => slots.has(slot) }];
}

function readBrief(
  library: Library,
  { ownerId, query, seedIds, reference, now, hides, askedBy }: SearchTask,
  artistOf: FindOwnArtist,
): Interpretation {
  const { db } = library;
  return parseBrief(query, {
    findArtist: (name) => artistOf(name)?.name,
    findNamed: findNamedIn(db, ownerId, artistOf),
    findNear: findNearIn(library, artistOf),
    hasSeeds: seedIds.length > 0 || reference !== undefined,
    findLine: findLineIn(db, ownerId),
    isName: (word) => isNameWord(db, ownerId, word, library.hidesComposers),
    findPerson: findPersonIn(db, ownerId, { hidden: hides?.facts, askedBy }),
    isTitle: isTitle(db, ownerId, query),
    ...(now !== undefined && { now }),
  });
}

/** The name of a seed names no result: beside it, only words without another meaning do. */
function namedIn(library: Library, query: string, brief: Interpretation): Named {
  if (!saysMore(brief)) return NOTHING_NAMED;
  const phrase = brief.seeds.length > 0 ? brief.terms.join(" ") : withoutLibrary(query, brief);
  return findNamed(library, phrase, unreadIn(brief));
}

/** A query that names nothing, and says little, may be a line of the lyrics itself, word by word. */
function sungIn(
  library: Library,
  query: string,
  { line, unread }: Interpretation,
  { tracks }: Named,
): Sung[] {
  if (line !== null) return findSung(library, line);
  return tracks.length > 0 || unread.length < LEAST_UNREAD
    ? []
    : findSung(library, query).filter(({ strength }) => strength >= WHOLE_LINE);
}

function likeOf({ records, origin, soundName }: Seeds, brief: Interpretation): Like {
  return { shared: keptWishes(sharedWishes(records), brief), origin, soundName };
}

function referenceTo(db: Db, ownerId: LibraryId, { sounds }: Kept, artists: readonly OwnArtist[]) {
  if (artists.length === 0) return undefined;
  const seqs = artists.flatMap(({ trackSeqs }) => trackSeqs);
  const targets = keeping(sounds, MOST_KEPT, seqs.join(" "), () => loadSounds(db, ownerId, seqs));
  return { name: artists.map(({ name }) => name).join(" and "), targets };
}

/** Returns the words of the query that mean nothing but, perhaps, a name. */
function unreadIn({ terms }: Interpretation): ReadonlySet<string> {
  return new Set(nameWords(terms.join(" ")).map(({ text }) => text));
}

/** Returns how many tracks counted, where some were left out or nothing was found. */
function countsOf({ slots, removed }: Eligible, tracks: number, { ranked }: RankedPage) {
  if (Object.keys(removed).length === 0 && ranked.length > 0) return {};
  return { tracks, considered: slots.length, removed };
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
