import { defineCategory, type TaxonomyEntry } from "./define.ts";

const FASTEST_BPM = 999;

/**
 * Tempo classes, slowest first. Each includes its lower bound but not its upper one, which is the next class's lower
 * bound; the last includes both.
 */
export const TEMPOS = defineCategory(
  "tempo",
  [
    { name: "Very Slow", bpm: [0, 60], also: "largo, grave" },
    { name: "Slow", bpm: [60, 76], also: "adagio, slow tempo, ballad tempo" },
    { name: "Medium Slow", bpm: [76, 92], also: "andante, mid-slow" },
    { name: "Medium", bpm: [92, 110], also: "moderato, mid-tempo, midtempo, moderate" },
    { name: "Medium Fast", bpm: [110, 126], also: "allegretto, mid-fast, medium up" },
    { name: "Fast", bpm: [126, 150], also: "allegro, uptempo, up-tempo" },
    { name: "Very Fast", bpm: [150, 180], also: "vivace" },
    { name: "Extremely Fast", bpm: [180, FASTEST_BPM], also: "presto, prestissimo, breakneck" },
  ],
  {
    related: ["very_slow slow", "medium_slow medium medium_fast", "fast very_fast extremely_fast"],
    opposites: ["slow fast very_fast extremely_fast", "very_slow fast very_fast extremely_fast"],
  },
);

/**
 * Returns the tempo class of a track.
 *
 * @param bpm Beats per minute, 0 to 999.
 * @throws RangeError when `bpm` is outside that range or not a number.
 */
export function tempoForBpm(bpm: number): TaxonomyEntry {
  const tempo = TEMPOS.findLast(({ bpmRange }) => bpmRange !== undefined && bpm >= bpmRange[0]);
  if (!tempo || bpm > FASTEST_BPM) throw new RangeError(`No tempo class for ${bpm} BPM`);
  return tempo;
}
