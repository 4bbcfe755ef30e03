import type { Composition } from "./composition.ts";

/** Compositions for numbers, and for the words around a number that make it a limit or a range. */
export const QUANTITY: readonly Composition[] = [
  {
    type: "number.under 60",
    patterns: ["<00-59>"],
    example: ["2:45", "45"],
  },
  {
    type: "number.in words",
    patterns: [
      "<number.ones>",
      "<number.teens>",
      "<number.tens>",
      "<number.article>",
      "<number.few>",
      "<number.half>",
      "forty_five",
    ],
    example: ["two of them", "two"],
  },
  {
    type: "number.amount",
    patterns: [
      "<digits>[(.|<comma>)<digits>]",
      "<9-99> <number.written fraction>",
      "[<9>]<number.fraction>",
      "(<number.ones>|a|<digits>) <number.and a half>",
      "(twenty|thirty|forty|fifty)-<number.ones>",
      "<number.in words>",
    ],
    example: ["about two and a half minutes", "two and a half"],
  },
  {
    type: "number.tens and ones",
    patterns: ["(<number.10>|<number.tens>)[_<number.ones>]"],
    example: ["sixty-four", "sixty-four"],
  },
  {
    type: "number.hundreds",
    patterns: [
      "[a |one ]hundred[ and][ <number.tens and ones>]",
      "[one_]<number.tens>[_<number.ones>]",
      "one_(oh|ten)[[_](five|eight)]",
    ],
    example: ["a hundred and ten", "a hundred and ten"],
  },
  { type: "number.range", patterns: ["~<number.to>~"], example: ["2 to 3", " to "] },

  {
    type: "limit.refused over",
    patterns: ["<comparison.refuses> (<comparison.moves> )*<comparison.over>~[(the|a)~]"],
    example: ["must not go over 3 minutes", "must not go over "],
  },
  {
    type: "limit.refused under",
    patterns: [
      "<comparison.refuses> (<comparison.moves> )*<comparison.under>~[(the|a)~]",
      "<comparison.no less than>~",
    ],
    example: ["never any slower than 90", "never any slower than "],
  },
  {
    type: "limit.just under",
    patterns: ["<comparison.just> <comparison.just under>~"],
    example: ["just shy of 3 minutes", "just shy of "],
  },
  {
    type: "limit.just over",
    patterns: ["<comparison.just> <comparison.just over>~"],
    example: ["a bit over 3 minutes", "a bit over "],
  },
  {
    type: "limit.most before",
    patterns: ["(<comparison.most before>|<comparison.no more than>)~[-~][(the|a)~]"],
    example: ["at the most 90", "at the most "],
  },
  {
    type: "limit.least before",
    patterns: ["(<comparison.least before>|no (less|shorter|slower|lower) than)~[(the|a)~]"],
    example: ["upwards of 90", "upwards of "],
  },
  {
    type: "limit.most after",
    patterns: ["~[-~]<comparison.most after>"],
    example: ["90 or less", " or less"],
  },
  {
    type: "limit.least after",
    patterns: ["~[-~]<comparison.least after>"],
    example: ["90 and up", " and up"],
  },
  {
    type: "limit.about before",
    patterns: ["<comparison.about before>~[(the|a)~]"],
    example: ["in the region of 90", "in the region of "],
  },
  { type: "limit.about after", patterns: ["~[-~]<comparison.about after>"], example: ["90-ish", "-ish"] },
];
