import type { Composition } from "./composition.ts";

/** Compositions that negate something, and those that end a negation. */
export const NEGATION: readonly Composition[] = [
  {
    type: "negation.opening",
    patterns: ["<not after a'-><negation.cue><not before '>"],
    example: ["we had enough of jazz", "had enough of"],
  },
  {
    type: "negation.opening until now",
    patterns: ["<not after a'-><negation.cue until now><not before '>"],
    example: ["we were going for jazz, now soul", "were going for"],
  },
  {
    type: "negation.removal",
    patterns: ["<not after a'-><negation.remover>=( <negation.removed> )"],
    example: ["drop the vocals", "drop"],
  },
  {
    type: "negation.ordering before",
    patterns: ["<negation.ordering>~"],
    example: ["please drop", "please "],
  },
  {
    type: "negation.preference",
    patterns: [
      "<negation.preferring> [<negation.determiner> ]!(<negation.any of it>)<letters>[ <letters>] =(<negation.preferred over> )",
    ],
    example: ["rather cello than violin", "rather cello "],
  },
  {
    type: "negation.wishing",
    patterns: ["<negation.wish>", "<negation.wish joint> <negation.joined wish>"],
    example: ["hates jazz and loves soul", "loves"],
  },
  {
    type: "negation.related before",
    patterns: ["<negation.related> "],
    example: ["jazz that uses", "that "],
  },
  {
    type: "negation.relative before",
    patterns: ["<after a> (that|which|who)[ (has|have|had|'s)] "],
    example: ["a track that was rejected", " that "],
  },
  {
    type: "negation.bare verdict",
    patterns: ["<after a> <negation.bare>=(<line>|~<before ^.,;!?|)>| <negation.after verdict>)"],
    example: ["brass not welcome, flutes are", " not welcome"],
  },
  {
    type: "negation.afterwards",
    patterns: [
      "<negation.contracted> (<negation.fully> )*<negation.permitted>",
      "<negation.judges>~(<negation.fully>~)*<negation.verdict>",
      "<negation.fails>",
      "<negation.leaves>=(<line>|~<before ^.,;!|)>| <negation.after verdict>)",
      "<negation.would> ((just|only|be|really|all) )*<negation.harm>",
      "[,~[(and|but|so) ]<negation.aside>],~(no|nope)=(<line>|~<before ^.;!>)",
      "(:|=|?|\\(|(~-))~[<negation.emphatic> ]<negation.answer>=( (thanks|thank you|way|please)|<line>|~<before ^.;,!|/)>)",
    ],
    example: ["trap is totally off the table", "is totally off the table"],
  },
  {
    type: "negation.of that",
    patterns: [
      "<negation.tired> <negation.that>!( <negation.that goes on>)",
      "<negation.dislikes> [(his|her|their) ]<negation.that>!( <negation.that goes on>)",
    ],
    example: ["ukulele again, and they hate it", "hate it"],
  },
  {
    type: "negation.unheeded",
    patterns: [
      "(i|we|they) (don't|do not|dont) [really ](care|mind)=(<line>|~<before ^.;,!)>)",
      "(it's|it is|that's|that is) (up to you|your call|all the same[ to (us|me)])",
    ],
    example: ["brass or no brass, we don't care", "we don't care"],
  },
  {
    type: "negation.paired",
    patterns: ["<after a> <negation.refuses>=(<line>|~<before ^.,;!>| (because|since|please|thanks))"],
    example: ["strings yes, brass no.", " no"],
  },
  {
    type: "negation.kept out",
    patterns: ["<negation.keeps> [(the|any|all|your) ]<letters>[ <letters>] <negation.elsewhere>"],
    example: ["keep the strings out of it", "keep the strings out"],
  },
  {
    type: "negation.free of it",
    patterns: ["!(<negation.no thing>)<letters>_free!( (to|of|from)|_<negation.free goes on>)"],
    example: ["a drum-free bed", "drum-free"],
  },
  {
    type: "negation.heading end",
    patterns: ["[ <negation.heading>]~(:|=|\\])"],
    example: ["avoid the following: drums", " the following:"],
  },
  {
    type: "negation.close",
    patterns: ["(.|;|:|!|?|<bar>|\\(|\\)|<comma>|<line>)", "(<line>| )(-|/)( |<line>)", "<negation.end>"],
    example: ["no drums but piano", "but"],
  },
  {
    type: "negation.swap close",
    patterns: ["(.|;|!|?|<line>|<comma>)", "<negation.swapped for>"],
    example: ["swap the drums for claps", "for"],
  },
  {
    type: "negation.past close",
    patterns: ["(.|;|!|?|<line>)", "<negation.past ends>"],
    example: ["it was jazz, now soul", "now"],
  },
  {
    type: "negation.lead",
    patterns: ["((~|:)*<negation.leading>=( |<line>|<comma>|:))*"],
    example: ["no more of the typical ukulele", " more of the typical"],
  },
  {
    type: "negation.voice only",
    patterns: [
      "~[(the|any|lead|main) ]<negation.voice alone>=(~!(<negation.voice goes on>)(<letters>|<digits>))",
    ],
    example: ["no vox lofi 72bpm", " vox"],
  },
  {
    type: "negation.turn",
    patterns: ["<comma>~[(and|but) ]<negation.turns>"],
    example: ["no drums, just piano", ", just"],
  },
  { type: "negation.pronoun before", patterns: ["<negation.pronoun>~"], example: ["that is out", "that "] },
];
