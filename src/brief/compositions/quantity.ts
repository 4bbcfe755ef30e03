import type { Composition } from "./composition.ts";

/** Compositions for numbers, and for the words around a number that make it a limit or a range. */
export const QUANTITY: readonly Composition[] = [
  {
    type: "number.under 60",
    patterns: ["<00-59>"],
    example: ["2:45", "45"],
  },
  {
    type: "number.in digits",
    patterns: ["<digits>[(.|<comma>)<digits>]"],
    example: ["2,5 minutes", "2,5"],
  },
  {
    type: "number.amount",
    patterns: [
      "<number.in digits>",
      "<9-99> <number.written fraction>",
      "[<9>]<number.fraction>",
      "(<digits>|<number.article>)_(<number.half more>|<number.quarter more>)",
      "(<number.article>|<number.half>)",
    ],
    example: ["about 2 and a half minutes", "2 and a half"],
  },
  { type: "number.side by side", patterns: ["<comma>~"], example: ["two, three minutes", ", "] },
  { type: "number.range", patterns: ["~<number.to>~[<comparison.definite> ]"], example: ["2 to 3", " to "] },

  {
    type: "limit.over",
    patterns: ["<comparison.over>~[<comparison.article>~]"],
    example: ["longer than 90", "longer than "],
  },
  {
    type: "limit.under",
    patterns: ["<comparison.under>~[<comparison.article>~]"],
    example: ["below the 90", "below the "],
  },
  {
    type: "limit.refused over",
    patterns: ["<comparison.refuses> (<comparison.moves> )*<limit.over>"],
    example: ["must not go over 3 minutes", "not go over "],
  },
  {
    type: "limit.refused under",
    patterns: ["<comparison.refuses> (<comparison.moves> )*<limit.under>"],
    example: ["never any slower than 90", "never any slower than "],
  },
  {
    type: "limit.just under",
    patterns: [
      "<comparison.just> <comparison.just under>~",
      "<comparison.barely under>~[<comparison.article>~]",
    ],
    example: ["just shy of 3 minutes", "just shy of "],
  },
  {
    type: "limit.just over",
    patterns: [
      "<comparison.just> <comparison.just over>~",
      "<comparison.barely over>~[<comparison.article>~]",
    ],
    example: ["a bit over 3 minutes", "a bit over "],
  },
  {
    type: "limit.most before",
    patterns: ["<comparison.most before>~[-~][<comparison.article>~]", "<limit.under>"],
    example: ["at the most 90", "at the most "],
  },
  {
    type: "limit.least before",
    patterns: ["<comparison.least before>~[<comparison.article>~]", "<limit.over>"],
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
    patterns: ["<comparison.about before>~[<comparison.article>~]"],
    example: ["in the region of 90", "in the region of "],
  },
  { type: "limit.about after", patterns: ["~[-~]<comparison.about after>"], example: ["90-ish", "-ish"] },
  {
    type: "limit.any before",
    patterns: [
      "(<limit.refused over>|<limit.refused under>|<limit.just under>|<limit.just over>)",
      "(<limit.most before>|<limit.least before>|<limit.about before>|<comparison.between> )",
    ],
    example: ["no less than 90", "no less than "],
  },
  {
    type: "limit.of length before",
    patterns: ["[<comparison.refuses> ](<comparison.moves> )*<comparison.of length>~"],
    example: ["no longer than 4", "no longer than "],
  },
  {
    type: "limit.of speed before",
    patterns: ["[<comparison.refuses> ](<comparison.moves> )*<comparison.of speed>~"],
    example: ["no slower than 140", "no slower than "],
  },
  {
    type: "limit.least lead",
    patterns: ["<limit.refused under>", "<limit.least before>"],
    example: ["no less than 3", "no less than "],
  },
  {
    type: "limit.most lead",
    patterns: ["<limit.refused over>", "<limit.most before>"],
    example: ["no more than 4", "no more than "],
  },
  {
    type: "limit.pair joint",
    patterns: ["[~<comma>]~[<comparison.pair joint>~]"],
    example: ["at least 3, but under 4", ", but "],
  },
  {
    type: "correction.lead",
    patterns: ["<correction.cue>(~[<comma>|-|:]~(<correction.cue>|<correction.goes on>))*~[<comma>|-|:|.]~"],
    example: ["110, no wait, make it 120", "no wait, make it "],
  },
  {
    type: "number.joint",
    patterns: ["<number.range>", "[~,]~[<comparison.pair joint>~]<limit.any before>"],
    example: ["at least 3 but no longer than 4", " but no longer than "],
  },
];
