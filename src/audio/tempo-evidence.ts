import { peakNear, type Rhythm, TOTAL_VIEW, tempogramAt } from "./rhythm.ts";

/** Multiples of the beat period at which each view is asked whether it repeats. */
const PERIODS = [1, 2, 4, 1 / 2, 3, 3 / 2, 1 / 3, 1 / 4] as const;
/** Multiples of the beat frequency at which the combined view's tempogram is read. */
const FREQUENCIES = [1, 2, 4, 1 / 2, 3, 3 / 2] as const;
/** Where the preference for tempo has its centre, BPM. */
const CENTRE_BPM = 115;

/** Returns the names of the values of {@link tempoEvidence}, in order. */
export function evidenceNames(): string[] {
  const views = ["low", "body", "middle", "high", "total"];
  return [
    ...views.flatMap((view) => PERIODS.map((multiple) => `${view} repeats at ${multiple.toFixed(2)}`)),
    ...FREQUENCIES.map((multiple) => `tempogram at ${multiple.toFixed(2)}`),
    "tempogram x correlation",
    "octaves from centre",
    "octaves from centre, squared",
    ...views.flatMap((view) => [`${view} onsets a beat`, `${view} onsets a beat, squared`]),
  ];
}

/** Returns what speaks for and against a tempo: one value an entry of {@link evidenceNames}, about -2..4. */
export function tempoEvidence({ rateHz, views }: Rhythm, bpm: number): number[] {
  const period = (60 * rateHz) / bpm;
  const repeats = views.flatMap(({ correlation }) =>
    PERIODS.map((multiple) => peakNear(correlation, period * multiple)),
  );
  const total = views[TOTAL_VIEW]?.correlation ?? new Float64Array(1);
  const tempogram = FREQUENCIES.map((multiple) =>
    Math.sqrt(tempogramAt(total, rateHz, (bpm / 60) * multiple)),
  );
  const octaves = Math.log2(bpm / CENTRE_BPM);
  const densities = views.flatMap(({ onsetRateHz }) => {
    const perBeat = Math.log2(0.25 + (onsetRateHz * 60) / bpm);
    return [perBeat, perBeat * perBeat];
  });
  const both = (tempogram[0] ?? 0) * peakNear(total, period);
  return [...repeats, ...tempogram, both, octaves, octaves * octaves, ...densities];
}
