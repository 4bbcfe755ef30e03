import type { Db } from "../../../db/client.ts";
import type { Interpretation, Wish } from "./brief/interpretation.ts";
import type { TaxonomyTag } from "./brief/lexicon.ts";
import type { Candidates, Eligibility } from "./candidates.ts";
import {
  durationSignal,
  energySignal,
  keySignal,
  modeSignal,
  tempoSignal,
  voiceSignal,
} from "./signals/measures.ts";
import { combine, type Penalty, type Signal, totalWeight } from "./signals/signal.ts";
import { type Centre, centreOf, soundSignal } from "./signals/sound.ts";
import { tagPenalties, tagSignals } from "./signals/tags.ts";
import { textSignal } from "./signals/text.ts";
import { topOf } from "./top.ts";

/** A candidate with its score, 0 to 1, and why. */
export type Ranked = { id: string; score: number; reasons: readonly string[] };

/** What a ranking is made from. */
export type Ranking = {
  db: Db;
  ownerId: string;
  eligibility: Eligibility;
  candidates: Candidates;
  brief: Interpretation;
  /** Tracks to steer toward; the owner's own. */
  seedIds: readonly string[];
  /** The library's tracks by the artist that the brief refers to. */
  reference: { name: string; trackIds: readonly string[] } | undefined;
  limit: number;
};

/** What part of the whole score nearness of sound makes, by what it is near to. */
const SEED_SHARE = 0.5;
const REFERENCE_SHARE = 0.35;
const FEEDBACK_SHARE = 0.1;
/** Pseudo relevance feedback: the best matches so far stand for what is wanted, where they are good enough. */
const FEEDBACK_TRACKS = 5;
const FEEDBACK_SCORE = 0.5;

/** Ranks the candidates, best first: score, then newest, then id. */
export function rank(ranking: Ranking): Ranked[] {
  const { db, ownerId, candidates, brief, limit } = ranking;
  const count = candidates.rows.length;
  const [wishes, tempos] = [brief.wanted.filter(hasWrittenTags), tempoRanges(brief.wanted)];
  const named = [
    ...tagSignals(db, ownerId, candidates, wishes),
    ...[textSignal(db, ownerId, candidates, brief.terms)].filter((signal) => signal !== undefined),
  ];
  const signals = [...named, ...measureSignals(candidates, brief, tempos)];
  const penalties = tagPenalties(db, ownerId, candidates, brief.unwanted.filter(hasWrittenTags));
  signals.push(...steeringSignals(ranking, signals));
  if (ranking.seedIds.length === 0 && !ranking.reference && named.length > 0)
    signals.push(...feedbackSignals(ranking, signals, combine(signals, penalties, count)));

  const scores = combine(signals, penalties, count);
  return topOf(candidates.rows, scores, limit).map((index) => ({
    id: candidates.rows[index]?.id ?? "",
    score: Math.round((scores[index] ?? 0) * 10_000) / 10_000,
    reasons: reasonsOf(signals, penalties, index),
  }));
}

function measureSignals(
  { rows }: Candidates,
  { bpmRange, durationRange, key, keyMode, energy, vocalPreference }: Interpretation,
  tempos: readonly (readonly [number, number])[],
): Signal[] {
  return [
    ...(bpmRange ? [tempoSignal(rows, bpmRange)] : tempos.map((range) => tempoSignal(rows, range, 1))),
    ...(durationRange ? [durationSignal(rows, durationRange)] : []),
    ...(key ? [keySignal(rows, key)] : []),
    ...(keyMode && !key ? [modeSignal(rows, keyMode)] : []),
    ...(energy === null ? [] : [energySignal(rows, energy)]),
    ...(vocalPreference ? [voiceSignal(rows, vocalPreference === "vocal")] : []),
  ];
}

function steeringSignals(ranking: Ranking, others: readonly Signal[]): Signal[] {
  const { seedIds, reference } = ranking;
  return [
    ...soundLike(ranking, seedIds, SEED_SHARE, others, "sounds like the seed tracks"),
    ...(reference
      ? soundLike(ranking, reference.trackIds, REFERENCE_SHARE, others, `sounds like ${reference.name}`)
      : []),
  ];
}

function feedbackSignals(ranking: Ranking, others: readonly Signal[], scores: Float64Array): Signal[] {
  const { rows } = ranking.candidates;
  const best = topOf(rows, scores, FEEDBACK_TRACKS).filter((index) => (scores[index] ?? 0) >= FEEDBACK_SCORE);
  const ids = best.flatMap((index) => rows[index]?.id ?? []);
  return soundLike(ranking, ids, FEEDBACK_SHARE, others, "sounds like the best matches");
}

/** A signal that makes `share` of the whole, once the others are weighed. */
function soundLike(
  { db, ownerId, candidates, eligibility }: Ranking,
  ids: readonly string[],
  share: number,
  others: readonly Signal[],
  reason: string,
): Signal[] {
  const centre: Centre | undefined = ids.length > 0 ? centreOf(db, ownerId, ids) : undefined;
  if (!centre) return [];
  const weight = (Math.max(totalWeight(others), 1) * share) / (1 - share);
  return [soundSignal(db, candidates, eligibility, centre, { weight, reason })];
}

/** The heaviest reasons first, without repetitions. */
function reasonsOf(signals: readonly Signal[], penalties: readonly Penalty[], index: number): string[] {
  const contribution = (signal: Signal) => signal.weight * (signal.scores[index] ?? 0);
  const good = signals
    .toSorted((a, b) => contribution(b) - contribution(a))
    .map(({ explain }) => explain(index));
  const bad = penalties.map(({ explain }) => explain(index));
  return [...new Set([...good, ...bad].filter((reason) => reason !== undefined))];
}

/** Tempo classes and "instrumental" are measured, not written on tracks. */
function hasWrittenTags({ tags }: Wish): boolean {
  return tags.some((tag) => tag.category !== "tempos" && !isInstrumental(tag));
}

const isInstrumental = ({ category, entry }: TaxonomyTag) =>
  category === "vocalTypes" && entry.code === "instrumental";

function tempoRanges(wishes: readonly Wish[]): (readonly [number, number])[] {
  const classes = wishes.flatMap(({ tags }) => tags).filter(({ category }) => category === "tempos");
  return classes.flatMap(({ entry }) => (entry.bpmRange ? [entry.bpmRange] : []));
}
