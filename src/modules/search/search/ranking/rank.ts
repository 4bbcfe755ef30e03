import type { Db } from "../../../../../db/client.ts";
import type { Interpretation, Wish } from "../../../../brief/interpretation.ts";
import type { TaxonomyTag } from "../../../../brief/meaning.ts";
import type { Move } from "../../../../brief/moves.ts";
import { placesAmong } from "../../../library/families/service.ts";
import { recordingsOf } from "../../../library/recordings/service.ts";
import { selectBySlot, selectFacts } from "../answer/facts.ts";
import { statedReasons, withoutReasons } from "../answer/stated.ts";
import type { Eligible } from "../filters/eligibility.ts";
import { readLyrics } from "../filters/lyrics-language.ts";
import type { Mirror } from "../index/mirror.ts";
import { type Sung, sungEvidence } from "../lyrics/find-sung.ts";
import type { Named } from "../names/find-named.ts";
import { nameEvidence, namesSaid } from "../names/reasons.ts";
import { type HitRow, selectCalled, selectHits } from "../queries.ts";
import { addPassages, type Part } from "../reference/part.ts";
import { type Evidence, reasonsOf } from "../signals/evidence.ts";
import { addLanguage, addMeasures, assumedVoiceScore } from "../signals/measures.ts";
import { addMoves, type Moved, type Origin } from "../signals/moves.ts";
import type { SoundChannel } from "../signals/sound.ts";
import { type Steered, soundChannels } from "../signals/steering.ts";
import { addShared, addWish, subtractWish } from "../signals/tags.ts";
import { addWeight, type Channel, createTally, type Tally, totalWeight } from "../signals/tally.ts";
import { addTerms } from "../signals/text.ts";
import { calibrated } from "./calibration.ts";
import { type Spread, spreadVersions } from "./diversity.ts";
import { firstOfEach } from "./fold.ts";
import { fittingInOrder, listed, NEWEST, taggedLike } from "./listing.ts";
import { type Best, bestOf, type Sums } from "./rescore.ts";
import { steered } from "./steer.ts";

/** A track with its score, 0 to 1, and the reasons for it. */
export type Ranked = { row: HitRow; score: number; reasons: readonly string[] };

/** The input of a ranking. */
export type Ranking = Steered & {
  db: Db;
  mirror: Mirror;
  eligible: Eligible;
  brief: Interpretation;
  /** What the query names. */
  named: Named;
  /** The tracks that sing a line which the query remembers. */
  sung?: readonly Sung[];
  limit: number;
  /** Whether tracks may be listed that nothing in the prose speaks for, because constraints or the prose's filters do. */
  isListing?: boolean;
  like?: Like;
  /** The values of the order that the prose asks for, by slot, where the index has none. */
  ordered?: Float64Array | undefined;
  /** Whether results are one per family, its member that fits best. */
  onePerFamily?: boolean;
  /** What the parts of tracks are compared with. */
  part?: Part | undefined;
};

/** What the seeds of a search say besides their sound. */
export type Like = {
  /** Tags that they share. */
  shared: readonly Wish[];
  /** What the brief's comparatives compare with. */
  origin: Origin;
  /** Their names, for reasons; without names the seeds were given by their ids. */
  soundName: string | undefined;
};

/** Results, best first, and the share of each channel in a whole score. */
export type RankedPage = {
  ranked: Ranked[];
  weights: Partial<Record<Channel, number>>;
  /** What became of the brief's moves, where it has any. */
  moved?: MovedOutcome;
};

/** How many tracks follow every move that could be measured, and whether only these are results. */
export type MovedOutcome = {
  following: number;
  isEnough: boolean;
  /** Moves that the seeds have no value for. */
  unmeasured: readonly Move[];
  /** Moves that tracks were measured by. */
  measured: readonly Move[];
};

/** The best tracks, and whether they are a list rather than a ranking. */
type Selected = {
  best: Best[];
  isListed: boolean;
  /** Only what the brief rules out speaks for them. */
  isBare: boolean;
  /** Whether there may be more than were asked for. */
  hasMore: boolean;
};

const NOTHING = new Uint32Array(0);
/** Sums of floats below this are nothing. */
const LEAST_EVIDENCE = 1e-4;
/** Results ranked beyond a page, because lowered versions of a song make room for others. */
const SPARE_RESULTS = 30;

/**
 * Ranks the eligible tracks that something speaks for, best first: by score, then the newest, then the one added last;
 * or in the order that the brief asks for.
 */
export function rank(ranking: Ranking): RankedPage {
  const { db, shard, eligible, limit, named, sung = [] } = ranking;
  const whole = createTally(shard, eligible);
  const wishes = ranking.brief.wanted
    .filter(hasWrittenTags)
    .map((wish) => ({ wish, ...addWish(whole, wish) }));
  const { moved, evidence: measured } = namedEvidence(ranking, whole);
  const evidence = [...nameEvidence(named), ...sungEvidence(sung), ...wishes, ...measured];
  const sounds = soundChannels(ranking, whole, wishes);
  for (const { channel, weight } of sounds) addWeight(whole, channel, weight);
  addPassages(ranking, whole, ranking.part);
  const { tally, outcome } = steeredBy(ranking, whole, sounds, moved);

  const names = new Map(named.tracks.map(({ slot, strength }) => [slot, strength]));
  for (const { slot, strength } of sung) names.set(slot, Math.max(strength, names.get(slot) ?? 0));
  const { onePerFamily = false } = ranking;
  // What is kept together is one result already, and needs no room.
  const count = (onePerFamily ? limit : limit * 2) + SPARE_RESULTS;
  const sums = { db, tally, sounds, names, count, onePerFamily };
  const { best, isListed, isBare } = onePerFamily ? foldedIn(ranking, sums) : bestIn(ranking, sums);
  const called = selectBySlot(db, shard, selectCalled, best);
  const results = best.flatMap(({ slot, raw, soundReasons }) => {
    const row = called.get(slot);
    const score = calibrated(raw);
    return row && score > 0 ? [{ slot, row, score, soundReasons }] : [];
  });
  const ids = results.map(({ row }) => row.id);
  const page: Spread<(typeof results)[number]>[] = isListed
    ? results.slice(0, limit)
    : spreadVersions(results, recordingsOf(db, ids), placesAmong(db, ids)).slice(0, limit);
  const rows = selectBySlot(db, shard, selectHits, page);
  const facts = selectFacts(db, shard, rows);
  const ranked = page.flatMap(({ slot, score, soundReasons, like }) => {
    const [row, known] = [rows.get(slot), facts.get(slot)];
    if (!row) return [];
    const reasons = known
      ? [
          ...reasonsOf([...evidence, ...soundReasons], known),
          ...statedReasons(row, ranking.brief, known, ranking.ordered?.[slot]),
          ...(isBare ? withoutReasons(ranking.brief) : []),
        ]
      : [];
    return {
      row,
      score: Math.round(score * 10_000) / 10_000,
      reasons: like === undefined ? reasons : [...reasons, `a version of “${like}”, which is above`],
    };
  });
  return { ranked, weights: sharesOf(tally), ...(outcome && { moved: outcome }) };
}

/** Keeps to the tracks that follow the brief's moves, where it has any that could be measured. */
function steeredBy(
  { brief, limit }: Ranking,
  whole: Tally,
  sounds: readonly SoundChannel[],
  moved: Moved | undefined,
): { tally: Tally; outcome?: MovedOutcome } {
  if (!moved || brief.moves.length === 0) return { tally: whole };
  const { follows, unmeasured } = moved;
  const measured = brief.moves.filter((move) => !unmeasured.includes(move));
  if (follows.length === 0)
    return { tally: whole, outcome: { following: 0, isEnough: true, unmeasured, measured } };
  const { tally, ...outcome } = steered(whole, sounds, follows, limit);
  return { tally, outcome: { ...outcome, unmeasured, measured } };
}

/** Returns the tracks that something speaks for: the best ones, or where an order is asked for, the first of them. */
function bestIn({ brief, ordered, isListing = false }: Ranking, sums: Sums): Selected {
  const { tally, count, names } = sums;
  const { ordering } = brief;
  if (totalWeight(tally) > 0 || names.size > 0) {
    const best = ordering ? fittingInOrder(sums, ordering, ordered) : bestOf(sums);
    const evidenced = best.filter((each) => names.has(each.slot) || isEvidenced(tally, brief, each));
    const hasMore = best.length >= count;
    if (evidenced.length > 0 || brief.wanted.length > 0 || brief.unwanted.length === 0)
      return { best: evidenced, isListed: ordering !== null, isBare: false, hasMore };
  }
  const isBare = !isListing;
  const isRuled = brief.unwanted.some(hasWrittenTags);
  const slots = isBare ? (isRuled ? taggedLike(tally, brief) : NOTHING) : tally.eligible.slots;
  const best = listed(tally, slots, ordering ?? NEWEST, count, ordering ? ordered : undefined);
  return { best, isListed: true, isBare, hasMore: best.length >= count };
}

/** Members of one family that fit equally well, or stand beside each other in an order, are looked past this often. */
const MORE_RESULTS = 4;

/** Returns the best tracks, one per family, and as many of them as without families where there are so many. */
function foldedIn(ranking: Ranking, sums: Sums): Selected {
  for (let { count } = sums; ; count *= MORE_RESULTS) {
    const selected = bestIn(ranking, { ...sums, count });
    const best = firstOfEach(ranking.shard, selected.best);
    if (best.length >= ranking.limit || !selected.hasMore) return { ...selected, best };
  }
}

/** An unknown voice may be the one asked for, but it is no evidence that it is. */
function isEvidenced(
  { shard, totals, weights }: Tally,
  { vocalPreference }: Interpretation,
  { slot, heard }: Best,
): boolean {
  const score = assumedVoiceScore(shard.columns.voice[slot] ?? 0, vocalPreference === "vocal");
  const assumed = (weights.get("vocals") ?? 0) * score;
  return heard > 0 || (totals[slot] ?? 0) - assumed > LEAST_EVIDENCE;
}

/** Adds everything that the brief names besides wanted tags: words, measurements, unwanted tags. */
function namedEvidence(ranking: Ranking, tally: Tally): { evidence: Evidence[]; moved: Moved | undefined } {
  const { db, mirror, shard, eligible, brief } = ranking;
  const evidence = addTerms({ db, mirror, shard }, tally, brief.terms, namesSaid(ranking.named));
  evidence.push(...addMeasures(shard.columns, tally, brief, tempoRanges(brief.wanted)));
  if (brief.language !== null) {
    readLyrics(db, shard, eligible.slots);
    evidence.push(addLanguage(shard.columns, tally, brief.language));
  }
  for (const wish of brief.unwanted.filter(hasWrittenTags)) evidence.push(subtractWish(tally, wish));
  if (!ranking.like) return { evidence, moved: undefined };
  const moved = addMoves(shard.columns, tally, brief.moves, ranking.like.origin);
  evidence.push(...moved.evidence, ...addShared(tally, ranking.like.shared.filter(hasWrittenTags)));
  return { evidence, moved };
}

function sharesOf(tally: Tally): Partial<Record<Channel, number>> {
  const total = totalWeight(tally);
  return Object.fromEntries(
    Array.from(tally.weights, ([channel, weight]) => [channel, Math.round((weight / total) * 1000) / 1000]),
  );
}

/** Returns true for a wish that written tags can meet; tempo classes and "instrumental" are measured instead. */
function hasWrittenTags({ tags }: Wish): boolean {
  return tags.some((tag) => tag.category !== "tempos" && !isInstrumental(tag));
}

const isInstrumental = ({ category, entry }: TaxonomyTag) =>
  category === "vocalTypes" && entry.code === "instrumental";

function tempoRanges(wishes: readonly Wish[]): (readonly [number, number])[] {
  const classes = wishes.flatMap(({ tags }) => tags).filter(({ category }) => category === "tempos");
  return classes.flatMap(({ entry }) => (entry.bpmRange ? [entry.bpmRange] : []));
}
