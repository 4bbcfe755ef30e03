/** A measured figure and its yardstick, as printed. */
export type Figure = {
  what: string;
  figure: string;
  yardstick?: string;
  share?: number;
  aim?: Aim;
};

/** The target of a figure, and whether it was met. */
type Aim = { text: string; isMet: boolean };

/** Returns the median: the middle value, or the mean of the two middle values. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[sorted.length / 2 - 1] ?? Number.NaN)) / 2;
}

/** Groups digits by thousands. */
export function grouped(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, " ");
}

/** Aims for a share of a yardstick of at least `aim`. */
export function atLeast(share: number, aim: number): Aim {
  return { text: `at least ${aim}`, isMet: share >= aim };
}

/** Aims for a figure of at most `aim` of a unit. */
export function atMost(value: number, aim: number, unit: string): Aim {
  return { text: `at most ${aim} ${unit}`, isMet: value <= aim };
}

/** Returns the figures as lines of aligned columns. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, figure, yardstick = "", share, aim }) => [
    what,
    figure,
    yardstick,
    share === undefined ? "" : `share ${share.toFixed(2)}`,
    aim ? `(aim ${aim.text}${aim.isMet ? "" : ": MISSED"})` : "",
  ]);
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("   ")}`.trimEnd())
    .join("\n");
}
