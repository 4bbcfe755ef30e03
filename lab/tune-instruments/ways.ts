import { HEARD_INSTRUMENTS } from "../../src/ears/tags.ts";
import { averagePrecision } from "../train-tagger/average-precision.ts";
import type { Judged } from "./bounds.ts";
import {
  calibrated,
  layerAlone,
  type Mapping,
  networkAlone,
  ofPiece,
  type Source,
  withLayersGenres,
} from "./fit.ts";
import type { Heard } from "./rows.ts";
import { fitSecondWithPieces } from "./second.ts";

/**
 * How an instrument is heard: by the layer over the published networks alone; with the network of instruments beside it; or
 * by what both hear of all names together.
 */
export const WAYS = ["layer", "beside", "together"] as const;
export type Way = (typeof WAYS)[number];

/** What was fitted to mixes: `second` weighs what the layer hears of all names. */
export type Mixes = { heard: readonly Heard[]; second: readonly Mapping[] };
/** Pieces and line-ups, each judged by what was fitted to the other soundfont. */
export type Development = {
  pieces: readonly Judged[];
  lineUps: readonly Judged[];
  /** Both, by soundfont. */
  banks: readonly (readonly Judged[])[];
};

/** Returns the mappings of instruments of each way, fitted to some pieces. */
export function fitWays(mixes: Mixes, pieces: readonly Heard[]): Record<Way, Source> {
  const layer: Source = { mappings: layerAlone() };
  const network: Source = { mappings: networkAlone() };
  const second: Source = { mappings: mixes.second };
  const together = fitSecondWithPieces(mixes.heard, pieces);
  return {
    layer: calibrated(pieces, [layer, second]),
    beside: calibrated(pieces, [layer, second, network]),
    together: calibrated(pieces, [layer, network, together]),
  };
}

/** Returns each instrument's mapping by its way, and genres as the layer hears them. */
export function byWay(fitted: Record<Way, Source>, ways: readonly Way[]): Required<Source> {
  const pick = (of: (source: Source) => readonly Mapping[]) => {
    const all = new Map(WAYS.map((way) => [way, of(fitted[way])]));
    return withLayersGenres(ways.map((way, name) => all.get(way)?.[name] as Mapping));
  };
  return {
    mappings: pick(({ mappings }) => mappings),
    unheard: (piece) => pick((source) => ofPiece(source, piece)),
  };
}

/**
 * Returns for each instrument the way that tells it best: by the mean of its average precisions in pieces and in line-ups,
 * as far as they have it; the simplest where they are alike. Prints them.
 */
export function chooseWays(judged: Record<Way, Development>): Way[] {
  return HEARD_INSTRUMENTS.map((name, j) => {
    const figures = WAYS.map((way) =>
      (["pieces", "lineUps"] as const).map((set) => precisionOf(judged[way][set], j)),
    );
    const means = figures.map((each) => {
      const known = each.filter((value) => !Number.isNaN(value));
      return known.reduce((sum, value) => sum + value, 0) / (known.length || 1);
    });
    const way = WAYS[means.indexOf(Math.max(...means))] ?? "layer";
    const text = figures.map((each) => each.map((value) => value.toFixed(2)).join(" and "));
    console.log(`    ${name.padEnd(20)}${text.join(", ")}: ${way}`);
    return way;
  });
}

function precisionOf(judged: readonly Judged[], name: number): number {
  return averagePrecision(
    judged.flatMap(({ probabilities, labels }) =>
      Number.isNaN(labels[name]) ? [] : [{ score: probabilities[name] ?? 0, isTrue: labels[name] === 1 }],
    ),
  );
}
