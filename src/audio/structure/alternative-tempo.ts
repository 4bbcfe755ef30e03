import type { TempoCandidate } from "../tempo/tempo.ts";
import type { MetreName } from "./names.ts";

/** Another octave of the tempo is named when it is at least this likely against the first. */
const LEAST_LIKELY = 0.1;
/** Beyond these, musicians count half or double as often as not. */
const FAST_BPM = 150;
const SLOW_BPM = 78;
const SAME_TEMPO = 0.02;

type Tempo = { bpm: number | null; candidates: readonly TempoCandidate[] };

/** Returns the tempo by which others count: an octave away, or, of a fast waltz, one beat per bar. Null when most agree. */
export function alternativeTempo({ bpm, candidates }: Tempo, metre: MetreName | null): number | null {
  if (bpm === null) return null;
  if (metre === "3/4" && bpm >= FAST_BPM) return hundredths(bpm / 3);
  const octaves = [bpm / 2, bpm * 2];
  const [best, ...others] = candidates;
  const likely = others.find(
    (other) =>
      other.confidence >= LEAST_LIKELY * (best?.confidence ?? 1) &&
      octaves.some((octave) => Math.abs(other.bpm / octave - 1) < SAME_TEMPO),
  );
  if (likely) return hundredths(likely.bpm);
  if (bpm >= FAST_BPM) return hundredths(bpm / 2);
  return bpm <= SLOW_BPM ? hundredths(bpm * 2) : null;
}

const hundredths = (bpm: number) => Math.round(bpm * 100) / 100;
