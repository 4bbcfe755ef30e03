import { MEASURE_NAMES, type MeasureName, measureOf } from "../../kernel/measures.ts";
import type { Composition } from "./composition.ts";

/** The two ways to go along each dimension: a comparative, and the adjective that "more" and "less" stand before. */
const POLES = MEASURE_NAMES.flatMap((name) => (name === "key" ? [] : polesOf(name)));

function polesOf(name: MeasureName): [comparative: string, adjective: string, opposite: string][] {
  const { comparatives, adjectives } = measureOf(name);
  const [[lesser, greater], [less, more]] = [comparatives, adjectives];
  return [
    [greater, more, less],
    [lesser, less, more],
  ];
}

/** A measure that "higher" and "lower" stand before. */
const MEASURES: Readonly<Record<string, string>> = {
  faster: "<move.more>_<move.tempo>",
  slower: "<move.less>_<move.tempo>",
};

/** Compositions for comparatives beside the track that they compare with. */
export const MOVE: readonly Composition[] = [
  ...POLES.map(([comparative, adjective, opposite]) => ({
    type: `move.to ${comparative}`,
    patterns: [
      `<move.${comparative}>`,
      `<move.more>_<move.${adjective}>`,
      `<move.less>_<move.${opposite}>`,
      `<move.too>_<move.${opposite}>`,
      MEASURES[comparative] ?? `<move.${comparative}>`,
    ],
    example: [`and less ${opposite}`, `less ${opposite}`] as const,
  })),
  {
    type: "move.any",
    patterns: POLES.map(([comparative]) => `<move.to ${comparative}>`),
    example: ["but not so fast", "not so fast"],
  },
  {
    type: "move.measure",
    patterns: POLES.flatMap(([, adjective]) => `<move.${adjective}>`).concat("<move.tempo>", "length"),
    example: ["twice as long", "long"],
  },
  { type: "move.slightly before", patterns: ["<move.slightly>~"], example: ["a bit slower", "a bit "] },
  { type: "move.much before", patterns: ["<move.much>~"], example: ["a lot slower", "a lot "] },
  {
    type: "move.slightly behind",
    patterns: ["~<move.slightly>"],
    example: ["slower, but only a bit", " a bit"],
  },
  { type: "move.refused before", patterns: ["<move.refused>~"], example: ["but no darker", "no "] },
  { type: "move.or before", patterns: ["~<move.or>~"], example: ["not darker or slower", " or "] },
  { type: "seed.refused before", patterns: ["<seed.refused>~"], example: ["nothing like Moby", "nothing "] },
  {
    type: "seed.name after",
    patterns: ["<seed.lead>~[:]~(<seed.before name> )*", "<seed.lead>~[:]~"],
    example: ["more like the track Harbour", "more like the track "],
  },
  {
    type: "seed.weak name after",
    patterns: ["<seed.weak lead>~(<seed.before name> )*", "<seed.weak lead>~"],
    example: ["slower than Harbour", "than "],
  },
  {
    type: "seed.next name",
    patterns: ["~(,|/|[,]~<seed.joins>)~(<seed.before name> )*", "~(,|/|[,]~<seed.joins>)~"],
    example: ["Harbour and the track Lantern", " and the track "],
  },
  { type: "seed.by after", patterns: ["~[(,|-)]~<seed.by>~"], example: ["Harbour by Lumen Vale", " by "] },
  {
    type: "seed.turn after",
    patterns: ["~[,]~<seed.turn>", "~(,|<colon>)"],
    example: ["Harbour but slower", " but"],
  },
];
