/** Phrases of one type, put together from phrases of others. */
export type Composition = {
  type: string;
  patterns: readonly string[];
  /** A text, and the piece of it that is of this type. */
  example: readonly [input: string, phrase: string];
};

/** The types that the lexicon does not list form by form, the smaller before those that are made of them. */
export const COMPOSITIONS: readonly Composition[] = [
  // Numbers.
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

  // Limits: what the words before and after a number make of it.
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

  // Tempo.
  { type: "tempo.beats", patterns: ["<99-999>[.<digits>]"], example: ["at 92.5", "92.5"] },
  {
    type: "tempo.amount",
    patterns: ["<tempo.beats>", "<number.hundreds>"],
    example: ["one twenty eight", "one twenty eight"],
  },
  {
    type: "tempo.part",
    patterns: ["<tempo.part of ten>", "<tempo.part of decade>"],
    example: ["early 120s", "early"],
  },
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
    type: "tempo.bare end",
    patterns: ["=(<line>|~<before ^,.;|/)[]>|+|[ ][-]ish| - )!((.|<comma>|:)<digits>|~/~<digits>)"],
    example: ["at 132.", ""],
  },
  {
    type: "tempo.between end",
    patterns: ["=(<line>|~<before ^,.;|/)]>)!((.|<comma>|:)<digits>)"],
    example: ["between 90 and 100,", ""],
  },

  // Length.
  { type: "length.clock", patterns: ["[<9-99>]:<00-59>"], example: ["until 2:45", "2:45"] },
  {
    type: "length.unit",
    patterns: ["(<unit.second>|<unit.minute>|<unit.hour>)<not before a9>"],
    example: ["90 seconds", "seconds"],
  },
  {
    type: "length.marked",
    patterns: ["<9-99>~<unit.minute>~[<9-99>~<unit.second>]"],
    example: ["1m45s", "1m45s"],
  },
  {
    type: "length.half more",
    patterns: [" and [a ](half|quarter)"],
    example: ["2 minutes and a half", " and a half"],
  },
  {
    type: "length.odd seconds",
    patterns: ["<99>", "(<number.10>|<number.15>|<number.20>|<number.30>|<number.40>[ five])"],
    example: ["two minutes forty five", "forty five"],
  },
  {
    type: "length.spot after",
    patterns: ["~[-~][<length.medium>~][-~]<length.spot>"],
    example: ["30 second tv spot", " tv spot"],
  },
  {
    type: "length.part of it before",
    patterns: ["<length.place>( <length.place goes on>)*~[the~]"],
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

  // Negation.
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
    type: "negation.afterwards",
    patterns: [
      "<negation.judges>~(<negation.fully>~)*<negation.verdict>",
      "<negation.fails>",
      "<negation.would> ((just|only|be|really|all) )*<negation.harm>",
      ",~(no|nope)=(<line>|~<before ^.;!>)",
      "(:|=|?|(~-))~[<negation.emphatic> ]<negation.answer>=( (thanks|thank you|way|please)|<line>|~<before ^.;,!|/)>)",
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
    type: "negation.paired",
    patterns: ["<after a> no=(<line>|~<before ^.,;!>)"],
    example: ["strings yes, brass no.", " no"],
  },
  {
    type: "negation.kept out",
    patterns: ["<negation.keeps> [(the|any|all) ]<letters>[ <letters>] out"],
    example: ["keep the strings out of it", "keep the strings out"],
  },
  {
    type: "negation.free of it",
    patterns: ["!(<negation.no thing>)<letters>_free!( (to|of|from)|_<negation.free goes on>)"],
    example: ["a drum-free bed", "drum-free"],
  },
  {
    type: "negation.close",
    patterns: ["(.|;|:|!|?|<bar>|\\(|\\)|<comma>|<line>)", "(<line>| )(-|/)( |<line>)", "<negation.end>"],
    example: ["no drums but piano", "but"],
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

  // Voices.
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

  // How strongly.
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

  // What words are about.
  {
    type: "subject.talk about",
    patterns: ["<subject.talk> (on|about)~=(<letters>)"],
    example: ["a talk on grief", "talk on "],
  },
  { type: "subject.measure after", patterns: ["~<subject.measure>"], example: ["about 90 bpm", " 90"] },

  // Times.
  {
    type: "era.age before",
    patterns: ["<era.age>[ <era.part of age>][ <era.part of age>](-| )*"],
    example: ["in her late 20s", "in her late "],
  },
  { type: "era.no year before", patterns: ["<era.no year>~"], example: ["founded in 1972", "founded in "] },
  {
    type: "era.spelled",
    patterns: ["nineteen_<era.decade>"],
    example: ["nineteen-eighties pop", "nineteen-eighties"],
  },

  // Keys.
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
  { type: "key.no mode in front", patterns: ["<key.no mode before>~"], example: ["ursa major", "ursa "] },

  // References.
  {
    type: "reference.name after",
    patterns: ["<reference.lead>( |<line>)[\"|“|'](<reference.period>(-| )[(period|era) ])*"],
    example: ["sounds like early Radiohead", "sounds like early "],
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
