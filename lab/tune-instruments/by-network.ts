import { HEARD_INSTRUMENTS } from "../../src/ears/tags.ts";
import { averagePrecision } from "../train-tagger/average-precision.ts";
import type { Judged } from "./bounds.ts";

/** Pieces and line-ups, each judged by what was fitted to the other soundfont. */
export type Development = { pieces: readonly Judged[]; lineUps: readonly Judged[] };

/**
 * Returns for which instruments the network of instruments counts: those that it tells better in pieces, and no worse in
 * line-ups, than the layer does alone. Prints the average precisions.
 */
export function byNetwork(alone: Development, both: Development): boolean[] {
  return HEARD_INSTRUMENTS.map((name, j) => {
    const [pieces, lineUps] = (["pieces", "lineUps"] as const).map((set) =>
      [alone, both].map((judged) => precisionOf(judged[set], j)),
    ) as [[number, number], [number, number]];
    const isBetter = pieces[1] > pieces[0] && !(lineUps[1] < lineUps[0]);
    const text = [pieces, lineUps].map(([before, after]) => `${before.toFixed(2)} -> ${after.toFixed(2)}`);
    console.log(
      `    ${name.padEnd(20)}${text.join(", line-ups ")}: ${isBetter ? "by the network too" : "as before"}`,
    );
    return isBetter;
  });
}

function precisionOf(judged: readonly Judged[], name: number): number {
  return averagePrecision(
    judged.flatMap(({ probabilities, labels }) =>
      Number.isNaN(labels[name]) ? [] : [{ score: probabilities[name] ?? 0, isTrue: labels[name] === 1 }],
    ),
  );
}
