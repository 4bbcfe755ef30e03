import { CROSSINGS, peakNear, type Rhythm, TOTAL_VIEW, tempogramAt } from "./rhythm.ts";

/** Multiples of the beat period at which each view is checked for repetition; thirds distinguish three from two. */
const PERIODS = [1, 2, 4, 1 / 2, 3, 3 / 2, 1 / 3, 1 / 4, 2 / 3, 4 / 3, 3 / 4, 6, 8] as const;
/** Multiples of the beat frequency at which the combined view's tempogram is read. */
const FREQUENCIES = [1, 2, 4, 1 / 2, 3, 3 / 2, 6] as const;
/** Multiples of the beat period by which one band may lag another: a snare follows the kick by one beat. */
const DELAYS = [1 / 2, 1, 2, 3, 1 / 3, 1 / 4, 4] as const;
/** The centre of the preferred range of tempi, BPM. */
const CENTRE_BPM = 115;

const VIEW_NAMES = ["low", "body", "middle", "high", "total"] as const;

/** Returns the names of the values of {@link tempoEvidence}, in order. */
export function evidenceNames(): string[] {
  const crossings = CROSSINGS.map(([a, b]) => `${VIEW_NAMES[a]} to ${VIEW_NAMES[b]}`);
  return [
    ...VIEW_NAMES.flatMap((view) => PERIODS.map((multiple) => `${view} repeats at ${multiple.toFixed(2)}`)),
    ...crossings.flatMap((pair) => DELAYS.map((multiple) => `${pair} at ${multiple.toFixed(2)}`)),
    ...FREQUENCIES.map((multiple) => `tempogram at ${multiple.toFixed(2)}`),
    "tempogram x correlation",
    "three, not two, make a beat",
    "two, not three, make a beat",
    "three beats, not two or four, repeat",
    "octaves from centre",
    "octaves from centre, squared",
    "octaves above 160",
    "octaves below 75",
    ...VIEW_NAMES.flatMap((view) => [`${view} onsets a beat`, `${view} onsets a beat, squared`]),
  ];
}

/** Returns the evidence for and against a tempo: one value per entry of {@link evidenceNames}, about -2..4. */
export function tempoEvidence({ rateHz, views, crossings }: Rhythm, bpm: number): number[] {
  const period = (60 * rateHz) / bpm;
  const repeats = views.flatMap(({ correlation }) =>
    PERIODS.map((multiple) => peakNear(correlation, period * multiple)),
  );
  const follows = crossings.flatMap((correlation) =>
    DELAYS.map((multiple) => peakNear(correlation, period * multiple)),
  );
  const total = views[TOTAL_VIEW]?.correlation ?? new Float64Array(1);
  const tempogram = FREQUENCIES.map((multiple) =>
    Math.sqrt(tempogramAt(total, rateHz, (bpm / 60) * multiple)),
  );
  const at = (multiple: number) => peakNear(total, period * multiple);
  const both = (tempogram[0] ?? 0) * at(1);
  const octaves = Math.log2(bpm / CENTRE_BPM);
  const densities = views.flatMap(({ onsetRateHz }) => {
    const perBeat = Math.log2(0.25 + (onsetRateHz * 60) / bpm);
    return [perBeat, perBeat * perBeat];
  });
  return [
    ...repeats,
    ...follows,
    ...tempogram,
    both,
    Math.min(at(1), at(1 / 3)) - at(1 / 2),
    Math.min(at(1), at(1 / 2)) - at(1 / 3),
    at(3) - Math.max(at(2), at(4)),
    octaves,
    octaves * octaves,
    Math.max(0, Math.log2(bpm / 160)),
    Math.max(0, Math.log2(75 / bpm)),
    ...densities,
  ];
}
