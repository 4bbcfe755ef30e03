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
export function walkChords(moments: readonly Moment[]): ChordWalk {
  const sounding = moments.filter(({ upper }) => upper.some((share) => share > 0));
  const shares = new Float64Array(CHORDS);
  const changes = new Float64Array(CHORDS * CHORDS);
  const fit = new Float64Array(CHORDS);
  let before = -1;
  let moves = 0;
  for (const moment of sounding) {
    fitChords(moment, fit);
    const chord = indexOfLargest(fit);
    shares[chord] = (shares[chord] as number) + 1 / sounding.length;
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
    opening: meanFit(sounding.slice(0, ENDS)),
    closing: meanFit(sounding.slice(-ENDS)),
  };
}

type Moment = { upper: Float64Array; bass: Float64Array };

/** Writes to `fit` the correlation of a moment with each triad, plus the share of the triad's root in the bass. */
function fitChords({ upper, bass }: Moment, fit: Float64Array): void {
  let squares = 0;
  for (let i = 0; i < upper.length; i++) squares += ((upper[i] as number) - 1 / 12) ** 2;
  const spread = Math.sqrt(squares);
  const templateMean = (ROOT + THIRD + FIFTH) / 12;
  const templateSpread = Math.sqrt(ROOT ** 2 + THIRD ** 2 + FIFTH ** 2 - 12 * templateMean ** 2);
  // No function per chord: hours of moments would leave a quarter of a million of them behind.
  for (let chord = 0; chord < CHORDS; chord++) {
    const root = upper[chord % 12] as number;
    const third = upper[(chord + (chord < 12 ? 4 : 3)) % 12] as number;
    const fifth = upper[(chord + 7) % 12] as number;
    const product = ROOT * root + THIRD * third + FIFTH * fifth - templateMean;
    const triad = spread > 0 ? product / (spread * templateSpread) : 0;
    fit[chord] = triad + BASS_ROOT * (bass[chord % 12] as number);
  }
}

function meanFit(moments: readonly Moment[]): Float64Array {
  const rows = moments.map((moment) => {
    const fit = new Float64Array(CHORDS);
    fitChords(moment, fit);
    return fit;
  });
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
