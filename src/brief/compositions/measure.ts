import type { Composition } from "./composition.ts";

/** Compositions for tempos and lengths. */
export const MEASURE: readonly Composition[] = [
  {
    type: "tempo.beats",
    patterns: ["<99-999>[.<digits>]", "<99-999><comma><9><not before 9>"],
    example: ["at 92.5", "92.5"],
  },
  { type: "tempo.given", patterns: ["<tempo.beats>[~<unit.tempo>]"], example: ["at 128 bpm", "128 bpm"] },
  {
    type: "tempo.part",
    patterns: ["<tempo.part of ten>", "<tempo.part of decade>"],
    example: ["early 120s", "early"],
  },
  { type: "tempo.no era before", patterns: ["(low|lower|high|upper)_"], example: ["low 120s", "low "] },
  { type: "tempo.range", patterns: ["<number.range>", "~<tempo.to>~"], example: ["120/124", "/"] },
  {
    type: "tempo.lead",
    patterns: ["(<unit.tempo>|tempo|tempos)( <tempo.leads>|<tempo.leads closely>|~)*"],
    example: ["tempo: around 90", "tempo: around "],
  },
  {
    type: "tempo.no tempo before",
    patterns: ["(<tempo.not after>|#)[.]~"],
    example: ["scene 90", "scene "],
  },
  {
    type: "tempo.refused before",
    patterns: ["<tempo.refused> [at |around |about ]"],
    example: ["not at 90", "not at "],
  },
  { type: "tempo.speed before", patterns: ["<tempo.speaks of speed>~"], example: ["sits at 90", "sits at "] },
  {
    type: "tempo.no speed before",
    patterns: ["<tempo.no speed> [(<letters>|<digits>) ]"],
    example: ["budget about 120", "budget about "],
  },

  {
    type: "number.ends",
    patterns: [
      "[(<limit.most after>|<limit.least after>|<limit.about after>)](<line>|~<before ^,.;|/)[]?!>)",
    ],
    example: ["150 or faster, loud", " or faster"],
  },
  {
    type: "tempo.bare end",
    patterns: [
      "=(<number.ends>|+|[ ][-]ish| - )!((.|<comma>|:)<digits>|~/~<digits>|<number.unit of length>)",
    ],
    example: ["at 132.", ""],
  },
  {
    type: "tempo.joins",
    patterns: [" <tempo.continues> !([<limit.any before>]<number.amount>)"],
    example: ["around 130 with vocals", " with "],
  },
  {
    type: "tempo.between end",
    patterns: ["=(<line>|~<before ^,.;|/)]>)!((.|<comma>|:)<digits>)"],
    example: ["between 90 and 100,", ""],
  },

  { type: "length.clock", patterns: ["[<9-99>]:<00-59>"], example: ["until 2:45", "2:45"] },
  {
    type: "length.unit",
    patterns: ["(<unit.second>|<unit.minute>|<unit.hour>)<not before a9>"],
    example: ["90 seconds", "seconds"],
  },
  {
    type: "length.given",
    patterns: ["<number.amount>[[~|-]<length.unit>]"],
    example: ["at least 2 minutes", "2 minutes"],
  },
  {
    type: "length.marked",
    patterns: ["<9-99>~<unit.minute>~[<9-99>~<unit.second>]"],
    example: ["1m45s", "1m45s"],
  },
  {
    type: "length.more",
    patterns: [" (<number.half more>|<number.quarter more>)"],
    example: ["2 minutes and a half", " and a half"],
  },
  {
    type: "length.minute",
    patterns: ["(<unit.minute>|min.|mins.)~[(<comparison.pair joint>|&)~]"],
    example: ["2 minutes and 5 seconds", "minutes and "],
  },
  { type: "number.minutes between", patterns: ["[~|-]<length.minute>"], example: ["2 min 30", " min "] },
  {
    type: "number.minutes before",
    patterns: ["<number.amount>[~|-]<length.minute>"],
    example: ["a minute twenty", "a minute "],
  },
  {
    type: "number.unit of length",
    patterns: ["<limit.about after>~<length.unit>", "[~|-|~+~]<length.unit>"],
    example: ["2 minutes", " minutes"],
  },
  {
    type: "number.next",
    patterns: ["[(<number.unit of length>|<number.unit of tempo>)]<number.joint>"],
    example: ["at least 2 minutes, at most 3", " minutes, at most "],
  },
  {
    type: "number.measure after",
    patterns: [
      "(<number.unit of length>|<number.unit of tempo>)[<length.more>][(<limit.most after>|<limit.least after>)]",
      "(<limit.most after>|<limit.least after>|<limit.about after>)",
    ],
    example: ["2 minutes or less", " minutes or less"],
  },
  {
    type: "number.unit of tempo",
    patterns: ["<limit.about after>~<unit.tempo>", "[~|-|~+~](<unit.tempo>|tempo)"],
    example: ["90-ish bpm", "-ish bpm"],
  },
  {
    type: "length.spot after",
    patterns: ["~[-~][<length.medium>~][-~]<length.spot>"],
    example: ["30 second tv spot", " tv spot"],
  },
  {
    type: "length.next item",
    patterns: ["~[<comma>]~(<number.and>|&)~", "~<comma>~"],
    example: ["hits at :15 and :30", " and "],
  },
  {
    type: "length.items",
    patterns: [
      "(<length.clock><length.next item>)*=(<length.clock>)",
      "(<digits><length.next item>)*=(<digits>!(:))",
    ],
    example: ["hits at :15, :20 and :30", ":15, :20 and "],
  },
  {
    type: "length.between before",
    patterns: ["<comparison.between> [<comparison.article> ]"],
    example: ["between 2:30 and 3:00", "between "],
  },
  {
    type: "number.alone",
    patterns: ["=(<line>|~<before ^,.;|/)>| <number.goes on>)!((.|<comma>|:)<digits>)"],
    example: ["no longer than 4,", ""],
  },
  {
    type: "length.part of it before",
    patterns: ["<length.place>( <length.place goes on>)*~[the~][<length.items>]"],
    example: ["within the first 10 seconds", "within the first "],
  },
  {
    type: "length.part of it after",
    patterns: ["~<length.part after>"],
    example: ["45 seconds into it", " into"],
  },
  { type: "length.in before", patterns: ["<length.is a limit in>~"], example: ["in 90 seconds", "in "] },
  { type: "length.within before", patterns: ["within~"], example: ["within 90 seconds", "within "] },
  {
    type: "length.range before",
    patterns: ["<length.starts a range> "],
    example: ["from 3 to 5 min", "from "],
  },
  {
    type: "length.decade start",
    patterns: ["<length.decade before>~[-~][']"],
    example: ["the '60s", "the '"],
  },
  {
    type: "length.whole of it before",
    patterns: ["<length.whole before>( <length.whole goes on>)*[:]~"],
    example: ["runs for about 3 minutes", "runs for about "],
  },
  {
    type: "length.whole of it after",
    patterns: ["~[-~]<length.whole after>"],
    example: ["in the 2 to 3 minute range", " range"],
  },
];
