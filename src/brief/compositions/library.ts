import type { Composition } from "./composition.ts";

/** Compositions for when a track came into the library, and for the order of what is found. */
export const LIBRARY: readonly Composition[] = [
  {
    type: "library.count",
    patterns: ["<digits>", "<library.count word>[-<library.count word>]"],
    example: ["3 days ago", "3"],
  },
  {
    type: "library.unit",
    patterns: ["<library.hour>", "<library.day>", "<library.week>", "<library.month>", "<library.year>"],
    example: ["two weeks ago", "weeks"],
  },
  {
    type: "library.whole",
    patterns: [
      ...["<library.day 0>", "<library.day 1>", "<library.day 2>", "<library.week 0>", "<library.week 1>"],
      ...["<library.month 0>", "<library.month 1>", "<library.year 0>", "<library.year 1>"],
      ...["<library.term 0>", "<library.term 1>", "<library.part -6 6>", "<library.part 0 12>"],
      ...["<library.part 12 18>", "<library.part 18 24>", "<library.weekend 0>", "<library.weekend 1>"],
    ],
    example: ["uploaded last week", "last week"],
  },
  {
    type: "library.rolling",
    patterns: [
      "<library.past> <library.count> <library.unit>",
      "<library.count> <library.past> <library.unit>",
      "<library.past unit> <library.unit>",
    ],
    example: ["the last 3 days", "last 3 days"],
  },
  {
    type: "library.then",
    patterns: [
      "(<library.count>|<library.one>) <library.unit> <library.ago>",
      "<library.ago before>~(<library.count>|<library.one>) <library.unit>",
    ],
    example: ["added two weeks ago", "two weeks ago"],
  },
  {
    type: "library.age",
    patterns: ["(<library.count>|<library.one>) <library.unit>", "<library.half year>"],
    example: ["older than a year", "a year"],
  },
  {
    type: "fact.age",
    patterns: ["<library.age>", "<library.unit>"],
    example: ["nieudostępniane od ponad roku", "roku"],
  },
  {
    type: "fact.period",
    patterns: ["<library.period>", "<library.feast>"],
    example: ["sent before Christmas", "Christmas"],
  },
  {
    type: "library.quarterly",
    patterns: ["<library.quarter>[ [<library.of year> ]<digits>]"],
    example: ["delivered in Q3 2025", "Q3 2025"],
  },
  {
    type: "library.seasonal",
    patterns: ["<library.season before> <library.season>", "<library.season> <digits>"],
    example: ["from last summer", "last summer"],
  },
  {
    type: "library.date",
    patterns: [
      "<9-99>[.|st|nd|rd|th|er][ of| de| di] <library.name>[[<comma>] [de ]<digits>]",
      "<library.name> <9-99>[st|nd|rd|th]!(<digits>)[[<comma>] <digits>]",
      "<library.name>[[<comma>] [de |of ]<digits>]",
      "<digits>-<99>-<99>",
      "<9-99>.<9-99>.<digits>",
      "<not after 9.:><digits><not before :%.>",
    ],
    example: ["since 12 March 2025", "12 March 2025"],
  },
  {
    type: "library.period",
    patterns: [
      ...["<library.whole>", "<library.rolling>", "<library.then>", "<library.date>"],
      ...["<library.seasonal>", "<library.season>", "<library.quarterly>"],
      ...["[last ]<library.weekday>", "<library.weekday> <library.past weekday>"],
    ],
    example: ["since last Monday", "last Monday"],
  },
  {
    type: "library.relative",
    patterns: [
      ...["<library.week 0>", "<library.week 1>", "<library.month 0>", "<library.month 1>"],
      ...[
        "<library.year 0>",
        "<library.year 1>",
        "<library.rolling>",
        "<library.then>",
        "<library.seasonal>",
      ],
      "last <library.weekday>",
    ],
    example: ["sad piano, last month", "last month"],
  },
  {
    type: "library.so many",
    patterns: ["[<library.top> ]<library.count> "],
    example: ["the five newest", "the five "],
  },
  {
    type: "library.compared",
    patterns: ["~<library.more than>~(<number.amount>|<digits>)"],
    example: ["plus long que 3 minutes", " que 3"],
  },
  {
    type: "library.uploads before",
    patterns: ["<library.uploads>~"],
    example: ["uploads since May", "uploads "],
  },
  {
    type: "library.uploads after",
    patterns: ["['s]~<library.uploads>"],
    example: ["last week's uploads", "'s uploads"],
  },
  {
    type: "library.thing before",
    patterns: ["<library.thing>~"],
    example: ["songs from last week", "songs "],
  },
  { type: "library.joined", patterns: ["~<library.to> [the ]"], example: ["fastest to slowest", " to "] },
  {
    type: "library.refused before",
    patterns: ["<library.no order>~"],
    example: ["not the newest", "not the "],
  },
  {
    type: "library.may follow",
    patterns: [
      "~[<digits>~](<library.thing>|<library.joint>|<library.uploaded>|<library.first>|<library.to>)",
      "~[<digits>~](<bar>|<line>|.|<comma>|;|:|!|?|\\)|-)",
      "~<before ^>",
    ],
    example: ["newest tracks", " tracks"],
  },
  {
    type: "library.length",
    patterns: ["[:]<digits>[[~|-]<length.unit>]"],
    example: ["a :30 cutdown", ":30"],
  },
  {
    type: "library.lengths",
    patterns: ["<library.length>[~(<comma>|<library.list>)~<library.length>]*"],
    example: ["15, 30 and 60 second edits", "15, 30 and 60 second"],
  },
  {
    type: "library.edit",
    patterns: [
      "[<library.a> ]<library.lengths>[~|-]<library.cut>",
      "[<library.a> ]<library.cut>~[<library.of>~]<library.lengths>",
    ],
    example: ["with a 30 second edit", "a 30 second edit"],
  },
  {
    type: "library.part",
    patterns: [
      ...[
        "<library.part instrumental>",
        "<library.part acapella>",
        "<library.part clean>",
        "<library.part tv>",
      ],
      ...["<library.part stems>", "<library.edit>"],
    ],
    example: ["a clean version on request", "a clean version"],
  },
  {
    type: "library.parts",
    patterns: ["<library.part>[~(<comma>|<library.list>)~[<library.list>~]<library.part>]*"],
    example: ["instrumental and stems available", "instrumental and stems"],
  },
  {
    type: "library.available",
    patterns: ["[<library.to be>~](<library.at hand>|<library.is needed>)"],
    example: ["stems are available", "are available"],
  },
  {
    type: "library.parts end",
    patterns: [
      "~(<library.joint>|<library.list>|<library.available>)<not before a9>",
      "~(<bar>|<line>|.|<comma>|;|:|!|?|\\)|-|<before ^>)",
    ],
    example: ["with stems, please", ","],
  },
  {
    type: "library.without before",
    patterns: ["<library.without>~[<library.a>~]"],
    example: ["without the stems", "without the "],
  },
];
