import { TAXONOMY } from "../../../../../db/taxonomy.ts";
import { FULL_TRUST } from "./postings.ts";
import { TAG_IDS } from "./tag-numbers.ts";

/** The code of an unknown level. */
export const UNKNOWN_LEVEL = 255;
const TOP = 254;

/** Returns the code of a share, 0 to 254; values beyond 0 and 1 count as these. */
export function levelCode(value: number | null): number {
  if (value === null || !Number.isFinite(value)) return UNKNOWN_LEVEL;
  return Math.round(TOP * Math.max(0, Math.min(1, value)));
}

/** Returns the share of a code; NaN when it is unknown. */
export function levelOf(code: number): number {
  return code === UNKNOWN_LEVEL ? Number.NaN : code / TOP;
}

const valences = new Map(
  TAXONOMY.moods.flatMap(({ id, valence }) => (valence === undefined ? [] : [[id, valence]])),
);
/** By tag number: how pleasant the mood is, -1 to 1; NaN for other tags. */
const VALENCES = Float32Array.from(TAG_IDS, (id) => valences.get(id) ?? Number.NaN);
/** How much major or minor counts beside one written mood. */
const MODE_VOTE = 0.5;
/** By this lead of the fitting minor key over the fitting major one, a recording is clearly in minor. */
const CLEAR_LEAD = 0.3;

/** Returns how happy a track is, 0 to 1: by its moods, and by major or minor; null if nothing says. */
export function moodOf(
  tags: readonly { number: number; trust: number }[],
  minorLead: number | null,
): number | null {
  let [sum, weights] = [0, 0];
  const vote = (value: number, weight: number) => {
    sum += value * weight;
    weights += weight;
  };
  for (const { number, trust } of tags) {
    const valence = VALENCES[number] ?? Number.NaN;
    if (!Number.isNaN(valence)) vote(valence, trust / FULL_TRUST);
  }
  if (minorLead !== null) vote(Math.max(-1, Math.min(1, -minorLead / CLEAR_LEAD)), MODE_VOTE);
  return weights === 0 ? null : (sum / weights + 1) / 2;
}
