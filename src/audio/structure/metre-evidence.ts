import { atLag } from "../dsp/correlation.ts";
import { peakNear, type Rhythm, TOTAL_VIEW } from "../tempo/rhythm.ts";
import { autocorrelation, type Harmony } from "./harmony.ts";
import { METRES, type MetreName } from "./names.ts";

/** A way to count a piece: its metre, and how many beats of its tempo make a bar. */
export type Counting = { metre: MetreName; beats: number };

/** Counts of a bar at the tempo, at its double and at its half. */
export const COUNTINGS: readonly Counting[] = [
  ...[4, 2, 8].map((beats): Counting => ({ metre: "4/4", beats })),
  ...[3, 6, 1.5, 1].map((beats): Counting => ({ metre: "3/4", beats })),
  ...[2, 4, 6, 3, 1].map((beats): Counting => ({ metre: "6/8", beats })),
  ...[5, 10, 2.5].map((beats): Counting => ({ metre: "5/4", beats })),
  ...[7, 3.5, 1.75].map((beats): Counting => ({ metre: "7/8", beats })),
];

/** Equal parts of a bar that are counted. */
export const UNITS: Readonly<Record<MetreName, number>> = {
  "4/4": 4,
  "3/4": 3,
  "6/8": 6,
  "5/4": 5,
  "7/8": 7,
};

const VIEW_NAMES = ["low", "body", "middle", "high", "total", "upper harmony", "bass"];
const MAX_HARMONY_SEC = 16;

/** What metre is estimated from. */
export type MetreBasis = {
  rhythm: Rhythm;
  /** Correlation of the changes of the upper parts and of the bass with themselves. */
  harmonies: readonly Float64Array[];
  harmonyHz: number;
};

/** Returns the basis of metre: correlations of what begins and of what changes. */
export function metreBasis(rhythm: Rhythm, harmony: Harmony): MetreBasis {
  const maxLag = Math.round(MAX_HARMONY_SEC * harmony.rateHz);
  return {
    rhythm,
    harmonies: harmony.changes.map((change) => autocorrelation(change, maxLag)),
    harmonyHz: harmony.rateHz,
  };
}

const VIEW_EVIDENCE = [
  "a bar",
  "two bars",
  "four bars",
  "other counts",
  "strongest other count",
  "half a bar",
  "a third of a bar",
  "a unit",
  "half a unit",
  "a third of a unit",
];

/** Returns the names of the values of {@link metreEvidence}, in order. */
export function metreEvidenceNames(): string[] {
  return [
    ...COUNTINGS.map(({ metre, beats }) => `${metre} in ${beats}`),
    ...VIEW_NAMES.flatMap((view) => VIEW_EVIDENCE.map((what) => `${view} at ${what}`)),
    ...METRES.flatMap((metre) =>
      [
        "octaves of the bar",
        "octaves of the unit",
        "octaves of the unit, squared",
        "low bar",
        "total bar",
        "harmony bar",
        "bass bar",
        "thirds over halves of a bar",
        "thirds over halves of a unit",
      ].map((what) => `${metre}: ${what}`),
    ),
  ];
}

/** Returns the evidence for and against a counting at a tempo: one value per entry of {@link metreEvidenceNames}. */
export function metreEvidence(basis: MetreBasis, bpm: number, counting: Counting): number[] {
  const barSec = (60 * counting.beats) / bpm;
  const units = UNITS[counting.metre];
  const views = [
    ...basis.rhythm.views.map(
      ({ correlation }) =>
        (sec: number) =>
          peakNear(correlation, sec * basis.rhythm.rateHz),
    ),
    ...basis.harmonies.map(
      (correlation) => (sec: number) => Math.max(0, atLag(correlation, sec * basis.harmonyHz)),
    ),
  ].map((read) => viewEvidence(read, barSec, units));
  const contrast = (view: number) => (views[view]?.[0] ?? 0) - (views[view]?.[3] ?? 0);
  const total = views[TOTAL_VIEW] ?? [];
  const unitOctaves = Math.log2(barSec / units / 0.4);
  const own = [
    Math.log2(barSec / 2),
    unitOctaves,
    unitOctaves ** 2,
    contrast(0),
    contrast(TOTAL_VIEW),
    contrast(5),
    contrast(6),
    (total[6] ?? 0) - (total[5] ?? 0),
    (total[9] ?? 0) - (total[8] ?? 0),
  ];
  return [
    ...COUNTINGS.map(({ metre, beats }) => Number(metre === counting.metre && beats === counting.beats)),
    ...views.flat(),
    ...METRES.flatMap((metre) => own.map((value) => (metre === counting.metre ? value : 0))),
  ];
}

function viewEvidence(read: (sec: number) => number, barSec: number, units: number): number[] {
  let others = 0;
  let strongest = 0;
  for (let unit = 1; unit < units; unit++) {
    const value = read((barSec * unit) / units);
    others += value / (units - 1);
    strongest = Math.max(strongest, value);
  }
  return [
    read(barSec),
    read(2 * barSec),
    read(4 * barSec),
    others,
    strongest,
    read(barSec / 2),
    read(barSec / 3),
    read(barSec / units),
    read(barSec / units / 2),
    read(barSec / units / 3),
  ];
}
