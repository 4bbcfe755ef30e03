import type { Composition } from "./composition.ts";

/** Compositions for voices, strength, subjects, times, keys and references. */
export const DESCRIPTION: readonly Composition[] = [
  {
    type: "voice.said",
    patterns: ["<not after a-><voice.word>!(_(over|overs))"],
    example: ["female vocals, no voice over", "vocals"],
  },
  { type: "voice.texture after", patterns: ["~[-~]<voice.texture>"], example: ["vocal chops", " chops"] },
  {
    type: "voice.kind before",
    patterns: ["<voice.kind>( |<line>)"],
    example: ["no female vocals", "female "],
  },
  { type: "voice.kind behind", patterns: ["~<voice.kind after>"], example: ["lyrics about love", " about"] },

  {
    type: "strength.weak before",
    patterns: [
      "<strength.slightly>[ ][-][ ][<strength.slight link> ][<strength.slight link> ][<letters>[-<letters>] ]",
    ],
    example: ["a touch of warm piano", "a touch of warm "],
  },
  {
    type: "strength.strong before",
    patterns: ["<strength.strongly>[ ][-][ ][<strength.strong link> ][<strength.strong link> ]"],
    example: ["lots of the piano", "lots of the "],
  },
  {
    type: "strength.welcome after",
    patterns: ["(~|,)*[<strength.welcome joint>~]<strength.welcome>"],
    example: ["piano would be nice to have", " would be nice to have"],
  },

  {
    type: "subject.talk about",
    patterns: ["<subject.talk> (on|about)~=(<letters>)"],
    example: ["a talk on grief", "talk on "],
  },
  { type: "subject.measure after", patterns: ["~<subject.measure>"], example: ["about 90 bpm", " 90"] },

  {
    type: "era.age before",
    patterns: ["<era.age>[ <era.part of age>][ <era.part of age>](-| )*"],
    example: ["in her late 20s", "in her late "],
  },
  { type: "era.no year before", patterns: ["<era.no year>~"], example: ["founded in 1972", "founded in "] },
  {
    type: "era.year end",
    patterns: ["=(_<era.year goes on>|<line>|~<before ^,.;:)>| <letters>)"],
    example: ["circa 1974.", ""],
  },
  {
    type: "era.spelled",
    patterns: ["nineteen_<era.decade>"],
    example: ["nineteen-eighties pop", "nineteen-eighties"],
  },

  {
    type: "key.lead before",
    patterns: ["<key.lead>( |<line>)[of ]"],
    example: ["in the key of Eb", "key of "],
  },
  {
    type: "key.in ends",
    patterns: ["=(<line>|~<before ^,.;|)>|~<key.in goes on>)"],
    example: ["in A, please", ""],
  },
  {
    type: "key.in syllables",
    patterns: ["<key.syllable>[ (<key.sharp>|<key.flat>)] <key.solfege mode>!( <key.no key>)"],
    example: ["en la menor", "la menor"],
  },
  { type: "key.no mode in front", patterns: ["<key.no mode before>~"], example: ["ursa major", "ursa "] },

  {
    type: "reference.name after",
    patterns: ["<reference.lead>( |<line>)[\"|“|'](<reference.period>(-| )[(period|era) ])*"],
    example: ["sounds like early Radiohead", "sounds like early "],
  },
  {
    type: "reference.asked before",
    patterns: ["<reference.asked> "],
    example: ["something like lumen vale", "something "],
  },
  {
    type: "reference.name before",
    patterns: ["(-| )<reference.suffix>"],
    example: ["a Coldplay type beat", " type beat"],
  },
  {
    type: "reference.own name before",
    patterns: ["(-| )<reference.lower suffix>"],
    example: ["lumen vale vibes", " vibes"],
  },
  {
    type: "reference.next name",
    patterns: ["[\"|”|']~(,|/|+|&|x|[,]~<reference.joins>)~[\"|“|'](<reference.hedge> )*"],
    example: ["Air, and maybe Moby", ", and maybe "],
  },
  {
    type: "reference.cannot be had",
    patterns: ["<reference.unaffordable>~[(the|a|an|any|early) ]"],
    example: ["we can't afford the Beatles", "afford the "],
  },
  {
    type: "reference.put off",
    patterns: ["<reference.replaced>~[(the|more|another) ]"],
    example: ["instead of more Coldplay", "instead of more "],
  },
];
