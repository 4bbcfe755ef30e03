/** Chords are numbered like keys: C major to B major (0..11), then C minor to B minor (12..23). */
export const CHORDS = 24;

/** The triads of a recording and their sequence. */
export type ChordWalk = {
  /** Share of moments in which each chord is the likeliest, 0..1. */
  shares: Float64Array;
  /** Share of changes that go from one chord to another, row-major, CHORDS × CHORDS. */
  changes: Float64Array;
  /** How well each chord fits the first and the last audible moments, -1..1. */
  opening: Float64Array;
  closing: Float64Array;
};

/** Weight of root, third and fifth in a chord's template, and of the root in the bass. */
const ROOT = 1;
const THIRD = 0.8;
const FIFTH = 0.9;
const BASS_ROOT = 0.35;
/** Moments that make up the opening and the closing. */
const ENDS = 2;

/** Returns the triads, moment by moment; `upper` and `bass` each hold 12 pitch classes that sum to 1, or to 0. */
export function walkChords(moments: readonly { upper: Float64Array; bass: Float64Array }[]): ChordWalk {
  const fits = moments.filter(({ upper }) => upper.some((share) => share > 0)).map(chordFits);
  const shares = new Float64Array(CHORDS);
  const changes = new Float64Array(CHORDS * CHORDS);
  let before = -1;
  let moves = 0;
  for (const fit of fits) {
    const chord = indexOfLargest(fit);
    shares[chord] = (shares[chord] as number) + 1 / fits.length;
    if (before >= 0 && before !== chord) {
      const move = before * CHORDS + chord;
      changes[move] = (changes[move] as number) + 1;
      moves++;
    }
    before = chord;
  }
  return {
    shares,
    changes: changes.map((count) => count / Math.max(1, moves)),
    opening: meanOf(fits.slice(0, ENDS)),
    closing: meanOf(fits.slice(-ENDS)),
  };
}

/** Correlates a moment with each triad, and adds the share of the triad's root in the bass. */
function chordFits({ upper, bass }: { upper: Float64Array; bass: Float64Array }): Float64Array {
  const spread = Math.sqrt(upper.reduce((sum, share) => sum + (share - 1 / 12) ** 2, 0));
  const templateMean = (ROOT + THIRD + FIFTH) / 12;
  const templateSpread = Math.sqrt(ROOT ** 2 + THIRD ** 2 + FIFTH ** 2 - 12 * templateMean ** 2);
  return Float64Array.from({ length: CHORDS }, (_, chord) => {
    const at = (semitones: number) => upper[(chord + semitones) % 12] as number;
    const product = ROOT * at(0) + THIRD * at(chord < 12 ? 4 : 3) + FIFTH * at(7) - templateMean;
    return (spread > 0 ? product / (spread * templateSpread) : 0) + BASS_ROOT * (bass[chord % 12] as number);
  });
}

function meanOf(rows: readonly Float64Array[]): Float64Array {
  return Float64Array.from(
    { length: CHORDS },
    (_, chord) => rows.reduce((sum, row) => sum + (row[chord] as number), 0) / Math.max(1, rows.length),
  );
}

/** Returns the index of the largest value; 0 for an empty list. */
export function indexOfLargest(values: Float64Array): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] as number) > (values[best] as number)) best = i;
  return best;
}
