import type { TaxonomyCategory } from "../../../../../db/taxonomy.ts";
import type { Interpretation, Wish } from "../../../../brief/interpretation.ts";
import { languageName } from "../../../../kernel/languages.ts";
import {
  isSameKey,
  keyName,
  type Mode,
  type MusicalKey,
  parseKey,
  wheelDistance,
} from "../../../../kernel/musical-key.ts";
import { voiceReason } from "../answer/reasons.ts";
import { keyOfCode, languageNumber, NO_LANGUAGE } from "../index/codes.ts";
import type { Columns } from "../index/shard.ts";
import { likelihoodOfCode, UNKNOWN_VOICE, VOICE_CODES } from "../index/voice.ts";
import { addColumns, type ColumnScores } from "./columns.ts";
import { type Evidence, type Facts, WORTH_SAYING } from "./evidence.ts";
import { durationRamps, durationReason, type Range, rampScore, tempoRamps, tempoReason } from "./ranges.ts";
import { addScores, type Tally } from "./tally.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** A measurement that the brief asks for. */
type Measure = ColumnScores & { explain: (facts: Facts) => string | undefined };

/** A track whose energy is this far from the wish scores 0. */
const ENERGY_REACH = 0.5;
/** The score of a track whose vocals were not measured, and those of tracks that surely lack or have what is asked for. */
const UNKNOWN_VOICE_SCORE = 0.4;
const [UNLIKELY_VOICE_SCORE, LIKELY_VOICE_SCORE] = [0.2, 0.7];
/** An outright statement counts more than its weight: a track that misses it falls below those that meet it. */
const MISSED_NUMBER = 0.55;
const MISSED_SILENCE = 0.3;
/** What a length is worth for a track that has nothing of what the brief describes. */
const UNDESCRIBED_LENGTH = 0.3;

/** Adds the measurements that the brief asks for. `tempos` are the ranges of the tempo classes that it names. */
export function addMeasures(
  columns: Columns,
  tally: Tally,
  brief: Interpretation,
  tempos: readonly Range[],
): Evidence[] {
  const measures = measuresOf(columns, brief, tempos);
  addColumns(tally, measures);
  return measures.map(({ weight, scores, explain }) => {
    const scoreAt = (slot: number) =>
      "ramps" in scores
        ? Math.max(
            rampScore(scores.ramps, scores.values[slot] as number),
            rampScore(scores.ramps, scores.others?.[slot] ?? Number.NaN),
          )
        : (scores.scores[scores.codes[slot] as number] as number);
    return {
      weight,
      scoreOf: ({ slot }) => scoreAt(slot),
      explain: (facts) => (scoreAt(facts.slot) >= WORTH_SAYING ? explain(facts) : undefined),
    };
  });
}

/** Adds the language of the lyrics, which must be read by now. */
export function addLanguage(columns: Columns, tally: Tally, language: string): Evidence {
  const [weight, wanted] = [2, languageNumber(language)];
  const scoreAt = (slot: number) => (columns.language[slot] === wanted ? 1 : 0);
  addScores(tally, "language", weight, scoreAt);
  return {
    weight,
    scoreOf: ({ slot }) => scoreAt(slot),
    explain: (facts) =>
      facts.language === wanted && wanted !== NO_LANGUAGE ? `in ${languageName(language)}` : undefined,
  };
}

function measuresOf(columns: Columns, brief: Interpretation, tempos: readonly Range[]): Measure[] {
  const { bpmRange, durationRange, key, keyMode, energy, vocalPreference, explicit } = brief;
  return [
    ...(bpmRange
      ? [{ ...tempo(columns, bpmRange, 2), ...(explicit.bpmRange && { missFactor: MISSED_NUMBER }) }]
      : tempos.map((range) => tempo(columns, range, 1))),
    ...(durationRange
      ? [
          {
            ...duration(columns, durationRange),
            ...(explicit.durationRange && { missFactor: MISSED_NUMBER }),
          },
        ]
      : []),
    ...(key ? [inKey(columns, key)] : []),
    ...(keyMode && !key ? [inMode(columns, keyMode)] : []),
    ...(energy === null || !asksForEnergy(brief) ? [] : [withEnergy(columns, energy)]),
    ...(vocalPreference
      ? [
          {
            ...withVoice(columns, vocalPreference === "vocal"),
            ...(explicit.noVocals && { missFactor: MISSED_SILENCE }),
          },
        ]
      : []),
  ];
}

/** Categories whose words ask how lively the music is; a genre or an instrument only tends to be. */
const LIVELINESS: ReadonlySet<TaxonomyCategory> = new Set(["moods", "movements", "tempos"]);

function asksForEnergy({ said, wanted, unwanted }: Interpretation): boolean {
  const isLively = ({ tags, source }: Wish) =>
    source !== "artist" && tags.some(({ category, entry }) => LIVELINESS.has(category) && entry.arousal);
  return said.some(({ about }) => about === "energy") || wanted.some(isLively) || unwanted.some(isLively);
}

function tempo({ bpm, otherBpm }: Columns, range: Range, weight: number): Measure {
  return {
    channel: "tempo",
    weight,
    scores: { values: bpm, others: otherBpm, ramps: tempoRamps(range) },
    explain: ({ row }) => tempoReason(row, range),
  };
}

function duration({ durationSec }: Columns, range: Range): Measure {
  return {
    channel: "duration",
    weight: 1,
    scores: { values: durationSec, ramps: durationRamps(range) },
    undescribedPart: UNDESCRIBED_LENGTH,
    explain: ({ row }) => durationReason(row.durationSec, range),
  };
}

/** Asks for a key; neighbours on the Camelot wheel score half. */
function inKey({ key }: Columns, asked: MusicalKey): Measure {
  const closeness = closenessByCode((other) => {
    if (isSameKey(asked, other)) return 1;
    const isNeighbour = asked.mode !== null && other.mode !== null && wheelDistance(asked, other) === 1;
    return isNeighbour ? WORTH_SAYING : 0;
  });
  return {
    channel: "key",
    weight: 1.5,
    scores: { codes: key, scores: closeness },
    explain: ({ row }) => {
      const found = row.key === null ? undefined : parseKey(row.key);
      if (!found) return undefined;
      return isSameKey(asked, found)
        ? `in ${row.key}`
        : `in ${row.key}, next to ${keyName(asked)} on the wheel`;
    },
  };
}

function inMode({ key }: Columns, mode: Mode): Measure {
  const closeness = closenessByCode((other) => (other.mode === mode ? 1 : 0));
  return {
    channel: "key",
    weight: 0.75,
    scores: { codes: key, scores: closeness },
    explain: ({ row }) => (row.key === null ? undefined : `in ${row.key}`),
  };
}

function closenessByCode(closeness: (key: MusicalKey) => number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, code) => {
    const key = keyOfCode(code);
    return key ? closeness(key) : 0;
  });
}

function withEnergy({ energy }: Columns, asked: number): Measure {
  return {
    channel: "energy",
    weight: 1,
    scores: {
      values: energy,
      ramps: [{ from: asked - ENERGY_REACH, low: asked, high: asked, to: asked + ENERGY_REACH, height: 1 }],
    },
    explain: (facts) =>
      facts.energy === null
        ? undefined
        : `measured energy ${facts.energy.toFixed(1)}, close to ${asked.toFixed(1)}`,
  };
}

/** Returns the score of a voice that may be the one asked for, where no more than that is known; otherwise 0. */
export function assumedVoiceScore(code: number, wantsVoice: boolean): number {
  if (code === UNKNOWN_VOICE) return UNKNOWN_VOICE_SCORE;
  const likelihood = likelihoodOfCode(code);
  if (likelihood === undefined) return 0;
  const fit = wantsVoice ? likelihood : 1 - likelihood;
  return fit > 0.5 ? 0 : UNLIKELY_VOICE_SCORE + (LIKELY_VOICE_SCORE - UNLIKELY_VOICE_SCORE) * fit;
}

function withVoice({ voice }: Columns, wantsVoice: boolean): Measure {
  const wanted = wantsVoice ? 1 : 0;
  const scores = Float32Array.from({ length: VOICE_CODES }, (_, code) => {
    const likelihood = likelihoodOfCode(code);
    if (likelihood === undefined)
      return code === wanted ? 1 : code === UNKNOWN_VOICE ? UNKNOWN_VOICE_SCORE : 0;
    const fit = wantsVoice ? likelihood : 1 - likelihood;
    return UNLIKELY_VOICE_SCORE + (LIKELY_VOICE_SCORE - UNLIKELY_VOICE_SCORE) * fit;
  });
  return {
    channel: "vocals",
    weight: 1.5,
    scores: { codes: voice, scores },
    explain: (facts) => (facts.voice === wanted ? voiceReason(facts.row, wantsVoice) : undefined),
  };
}
