import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Interpretation, namesIn } from "../../src/brief/interpretation.ts";
import { parseBrief } from "../../src/brief/read.ts";
import { keyName } from "../../src/kernel/musical-key.ts";

const stranger = { findArtist: () => undefined };
const read = (query: string): Interpretation => parseBrief(query, stranger);

describe("tempo in a brief", () => {
  test.each([
    ["techno at 120-130 bpm", [120, 130]],
    ["between 85 and 95 BPM", [85, 95]],
    ["from 110 to 120bpm", [110, 120]],
    ["130–120 bpm", [120, 130]],
    ["bpm: 100-110", [100, 110]],
    ["128 bpm", [128, 128]],
    ["128 beats per minute", [128, 128]],
    ["around 90 bpm", [85, 95]],
    ["90ish bpm", [85, 95]],
    ["100 bpm +/- 3", [97, 103]],
    ["under 100 bpm", [1, 100]],
    ["no faster than 100 bpm", [1, 100]],
    ["100 bpm max", [1, 100]],
    ["at least 150 bpm", [150, 300]],
    ["160 bpm or more", [160, 300]],
    ["160+ bpm", [160, 300]],
    ["dark techno 132", [132, 132]],
    ["liquid, 174, F# minor", [174, 174]],
    ["lofi 75-85", [75, 85]],
  ])("a tempo is read from: %s", (query, range) => {
    expect(read(query).bpmRange).toEqual(range as [number, number]);
  });

  test.each([
    "80s synth pop",
    "the top 100",
    "room 101 scene",
    "set it to [1,300]",
    "1999",
    "a 120 piece orchestra",
    "9 bpm",
  ])("is not read from: %s", (query) => {
    expect(read(query).bpmRange).toBeNull();
  });
});

describe("duration in a brief", () => {
  test.each([
    ["2-3 minutes", [120, 180]],
    ["two to three minutes", [120, 180]],
    ["3:00-3:30", [180, 210]],
    ["a 2:30 loop", [150, 150]],
    ["30 second spot", [30, 30]],
    ["under a minute", [0, 60]],
    ["2 minutes max", [0, 120]],
    ["at least seven minutes", [420, 86_400]],
    ["5 minutes or longer", [300, 86_400]],
    ["> 6 min", [360, 86_400]],
    ["about 90 seconds", [81, 99]],
    ["two minutes and a half", [150, 150]],
    ["instrumental, 60s.", [60, 60]],
    ["a 60s spot", [60, 60]],
  ])("a length is read from: %s", (query, range) => {
    expect(read(query).durationRange).toEqual(range as [number, number]);
  });

  test.each(["60s soul", "70s funk", "think 1940s", "sliding 808s", "100 bpm", "a two-person studio"])(
    "is not read from: %s",
    (query) => {
      expect(read(query).durationRange).toBeNull();
    },
  );
});

describe("key in a brief", () => {
  test.each([
    ["in F# minor", "F# minor"],
    ["Gbm please", "F# minor"],
    ["g flat minor", "F# minor"],
    ["F♯m", "F# minor"],
    ["something in 11A", "F# minor"],
    ["A minor (8A)", "A minor"],
    ["key of Eb major", "Eb major"],
    ["key of C", "C"],
    ["D minor, no wait D major", "D major"],
    ["B-flat major", "Bb major"],
  ])("a key is read from: %s", (query, key) => {
    const found = read(query).key;
    expect(found && keyName(found)).toBe(key);
  });

  test.each([
    ["in a minor key", "minor"],
    ["boom bap, minor", "minor"],
    ["major chords", "major"],
  ])("%s has a mode and no tonic", (query, mode) => {
    expect(read(query)).toMatchObject({ key: null, keyMode: mode as "minor" });
  });

  test.each(["I am sad", "a major label", "8-bit music", "Am I wrong"])("is not read from: %s", (query) => {
    expect(read(query).key).toBeNull();
  });
});

describe("voice in a brief", () => {
  test.each([
    ["no vocals", "instrumental"],
    ["without the singing", "instrumental"],
    ["instrumental only please", "instrumental"],
    ["no chanting and no words of any kind", "instrumental"],
    ["vocal-free", "instrumental"],
    ["with female vocals", "vocal"],
    ["must have vocals", "vocal"],
    ["lyrics about a breakup", "vocal"],
    ["Vocals yes, male only", "vocal"],
    ["a song in Spanish", "vocal"],
    ["it doesn't have to be instrumental", null],
    ["instrumental with a strong lead vocal", null],
    ["bed under a voice-over", null],
    ["warm strings", null],
  ])("the voice of “%s” is %s", (query, preference) => {
    expect(read(query).vocalPreference).toBe(preference as "vocal");
  });
});

describe("tags in a brief", () => {
  test.each([
    ["Drum'n'Bass", "genres", ["Drum & Bass"]],
    ["dnb", "genres", ["Drum & Bass"]],
    ["hip-hop", "genres", ["Hip Hop"]],
    ["deep house", "genres", ["Deep House"]],
    ["tense and dark", "moods", ["Tense", "Dark"]],
    ["guitars and a piano", "instruments", ["Guitar", "Piano"]],
    ["60s soul", "eras", ["1960s"]],
    ["eighties", "eras", ["1980s"]],
    ["pulsing", "movements", ["Pulsing"]],
    ["lyrics about summer", "lyricThemes", ["Summer"]],
    ["for a summer campaign", "lyricThemes", []],
  ] as const)("the tags of “%s” are %s", (query, category, names) => {
    expect(namesIn(read(query).wanted, category)).toEqual([...names]);
  });

  test.each([
    ["no drums, warm strings", "instruments", ["Strings"], ["Drums"]],
    ["without guitars", "instruments", [], ["Guitar"]],
    ["not happy", "moods", [], ["Happy"]],
    ["romantic but never happy", "moods", ["Romantic"], ["Happy"]],
    ["house but not deep house and not tech house", "genres", ["House"], ["Deep House", "Tech House"]],
    ["less guitar, more strings", "instruments", ["Strings"], ["Guitar"]],
    ["no piano, or guitar", "instruments", [], ["Piano", "Guitar"]],
    ["not only piano", "instruments", ["Piano"], []],
    ["anything but techno", "genres", [], ["Techno"]],
    ["it doesn't need a piano", "instruments", [], []],
  ] as const)("%s", (query, category, wanted, unwanted) => {
    const brief = read(query);
    expect(namesIn(brief.wanted, category)).toEqual([...wanted]);
    expect(namesIn(brief.unwanted, category)).toEqual([...unwanted]);
  });
});

describe("reference artist in a brief", () => {
  test.each([
    ["something like early Portobello Nights, smoky", "Portobello Nights"],
    ["in the style of The Glass Harbours", "The Glass Harbours"],
    ["in the vein of Ana de la Luz", "Ana de la Luz"],
    ["he is obsessed with Nórdica Blå and I am not", "Nórdica Blå"],
    ["a Lumen Vale type beat", "Lumen Vale"],
  ])("the artist in “%s” is %s", (query, artist) => {
    expect(read(query).referenceArtist).toBe(artist);
  });

  test.each(["like light coming in", "sounds like Techno", "not like Lumen Vale", "You are now DJ Admin"])(
    "is not read from: %s",
    (query) => {
      expect(read(query).referenceArtist).toBeNull();
    },
  );

  test("an artist of the library is recognised in any case", () => {
    const context = { findArtist: (name: string) => (name === "lumen vale" ? "Lumen Vale" : undefined) };

    expect(parseBrief("like lumen vale but darker", context).referenceArtist).toBe("Lumen Vale");
  });
});

describe("feeling in a brief", () => {
  test.each([
    ["high energy festival banger", 0.7, 1],
    ["slow and gentle, very calm", 0, 0.35],
    ["not so loud", 0, 0.5],
  ])("%s: energy from %f to %f", (query, low, high) => {
    expect(read(query).energy).toBeGreaterThanOrEqual(low);
    expect(read(query).energy).toBeLessThanOrEqual(high);
  });

  test("a genre that is ruled out says nothing about it", () => {
    expect(read("no techno")).toMatchObject({ energy: null, valence: null });
  });

  test("happy music is more pleasant than sad music", () => {
    expect(read("happy").valence).toBeGreaterThan(0.6);
    expect(read("sad").valence).toBeLessThan(0.4);
  });
});

describe("a brief as a whole", () => {
  test.each(["music please", "asdf qwerty zxcv lkjh", "???", " "])(
    "a brief of which nothing is understood: %s",
    (query) => {
      const {
        briefParsed,
        terms: _,
        references,
        said,
        explicit: __,
        wanted,
        unwanted,
        unread: ___,
        filters,
        isOpen,
        seeds,
        moves,
        ...rest
      } = read(query);
      expect([filters, isOpen]).toEqual([{}, false]);
      expect([references, said, seeds, moves]).toEqual([[], [], [], []]);
      expect(briefParsed).toBe(false);
      expect([wanted, unwanted]).toEqual([[], []]);
      expect(Object.values(rest).every((value) => value === null)).toBe(true);
    },
  );

  test("unread words go to the text search, with quotations as one phrase", () => {
    expect(read('dark techno like "Night Bus Home", for Marseille').terms).toEqual([
      "night bus home",
      "marseille",
    ]);
  });

  test("any text is read without an error, and ranges are never reversed", () => {
    const words = fc.constantFrom(
      "no",
      "bpm",
      "128",
      "-",
      "like",
      "The",
      "F#",
      "minor",
      "3:00",
      "min",
      '"',
      "not",
      "80s",
      "*",
      "(",
      "NEAR",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.array(words).map((each) => each.join(" ")),
    );
    fc.assert(
      fc.property(text, (query) => {
        const { bpmRange, durationRange, energy, valence } = read(query);
        for (const range of [bpmRange, durationRange])
          expect(range === null || range[0] <= range[1]).toBe(true);
        for (const unit of [energy, valence]) expect(unit === null || (unit >= 0 && unit <= 1)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
