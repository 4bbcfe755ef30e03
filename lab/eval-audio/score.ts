import type { Clip } from "./clip.ts";

/** An answer for a clip; null where the analyser says that there is none. */
export type Answer = { bpm: number | null; key: string | null };

/** Counts over a group of clips; `weighted` is a sum of MIREX scores. */
export type Tally = {
  tempos: number;
  acc1: number;
  acc2: number;
  keys: number;
  exact: number;
  weighted: number;
  /** Clips without a tempo (without a key), and how many of them the analyser recognised as such. */
  noTempos: number;
  noTemposRight: number;
  noKeys: number;
  noKeysRight: number;
};

const TOLERANCE = 0.04;
const OCTAVES = [1, 2, 1 / 2, 3, 1 / 3];
const TONICS = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];
const SPELLINGS: Readonly<Record<string, string>> = {
  Db: "C#",
  "D#": "Eb",
  Gb: "F#",
  "G#": "Ab",
  "A#": "Bb",
};

/** Returns whether a tempo is within 4 % of one of a clip's levels (Acc1). */
export function isTempoRight(bpm: number | null, clip: Pick<Clip, "bpm" | "levels">): boolean {
  return clip.levels.some((level) => near(bpm, (clip.bpm ?? 0) * level));
}

/** Returns whether a tempo is within 4 % of the truth, or of twice, half, three times or a third of it (Acc2). */
export function isTempoFamilyRight(bpm: number | null, clip: Pick<Clip, "bpm" | "levels">): boolean {
  return OCTAVES.some((factor) => near(bpm, (clip.bpm ?? 0) * factor)) || isTempoRight(bpm, clip);
}

const near = (bpm: number | null, truth: number) => bpm !== null && Math.abs(bpm / truth - 1) <= TOLERANCE;

/** Returns the MIREX score of a key: 1 exact, 0.5 a fifth off, 0.3 relative, 0.2 parallel. */
export function keyScore(guess: string | null, truth: string): number {
  const g = parsed(guess);
  const t = parsed(truth);
  if (!g || !t) return 0;
  const up = (g.tonic - t.tonic + 12) % 12;
  if (g.isMinor === t.isMinor) return { 0: 1, 5: 0.5, 7: 0.5 }[up] ?? 0;
  const relative = t.isMinor ? 3 : 9;
  return { [relative]: 0.3, 0: 0.2 }[up] ?? 0;
}

function parsed(name: string | null): { tonic: number; isMinor: boolean } | undefined {
  const [note = "", mode] = (name ?? "").split(" ");
  const tonic = TONICS.indexOf(SPELLINGS[note] ?? note);
  return tonic < 0 ? undefined : { tonic, isMinor: mode === "minor" };
}

/** Returns the tallies of answers by group, and of all under "all". */
export function tally(answers: readonly { clip: Clip; answer: Answer }[]): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { clip, answer } of answers)
    for (const group of [clip.group, "all"]) {
      const sums = tallies.get(group) ?? emptyTally();
      tallies.set(group, sums);
      count(sums, clip, answer);
    }
  return tallies;
}

const emptyTally = (): Tally => ({
  tempos: 0,
  acc1: 0,
  acc2: 0,
  keys: 0,
  exact: 0,
  weighted: 0,
  noTempos: 0,
  noTemposRight: 0,
  noKeys: 0,
  noKeysRight: 0,
});

function count(sums: Tally, clip: Clip, answer: Answer): void {
  countTempo(sums, clip, answer.bpm);
  countKey(sums, clip, answer.key);
}

function countTempo(sums: Tally, clip: Clip, bpm: number | null): void {
  if (clip.bpm === undefined) return;
  if (clip.bpm === null) {
    sums.noTempos++;
    sums.noTemposRight += bpm === null ? 1 : 0;
    return;
  }
  sums.tempos++;
  sums.acc1 += isTempoRight(bpm, clip) ? 1 : 0;
  sums.acc2 += isTempoFamilyRight(bpm, clip) ? 1 : 0;
}

function countKey(sums: Tally, clip: Clip, key: string | null): void {
  if (clip.key === undefined) return;
  if (clip.key === null) {
    sums.noKeys++;
    sums.noKeysRight += key === null ? 1 : 0;
    return;
  }
  const score = keyScore(key, clip.key);
  sums.keys++;
  sums.exact += score === 1 ? 1 : 0;
  sums.weighted += score;
}

/** Returns a tally as one row of a table: Acc1, Acc2, exact, weighted (percent), then the correct nulls. */
export function tallyCells(sums: Tally): string[] {
  const percent = (part: number, whole: number) => (whole > 0 ? ((100 * part) / whole).toFixed(1) : "");
  const of = (part: number, whole: number) => (whole > 0 ? `${part}/${whole}` : "");
  return [
    String(Math.max(sums.tempos, sums.keys, sums.noTempos)),
    percent(sums.acc1, sums.tempos),
    percent(sums.acc2, sums.tempos),
    percent(sums.exact, sums.keys),
    percent(sums.weighted, sums.keys),
    of(sums.noTemposRight, sums.noTempos),
    of(sums.noKeysRight, sums.noKeys),
  ];
}
