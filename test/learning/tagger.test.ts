import { describe, expect, test } from "bun:test";
import { DESCRIPTOR_DIMENSIONS } from "../../src/audio/analyzer.ts";
import { HEARD_NAMES, HEARD_TAGS } from "../../src/ears/tags.ts";
import { suggestion } from "../../src/modules/library/analysis/suggest/evidence.ts";
import { moodsUnderEars } from "../../src/modules/library/analysis/suggest/moods.ts";
import { priorsOf, type SuggestionBasis } from "../../src/modules/library/analysis/suggest/priors.ts";
import { suggestTags } from "../../src/modules/library/analysis/suggest/suggest.ts";
import { HEARD_WEIGHTS } from "../../src/modules/library/analysis/tagger/heard-weights.ts";
import { tagProbabilities, tagsTaught } from "../../src/modules/library/analysis/tagger/tagger.ts";
import { CENTRES, TAGGER_WEIGHTS, WIDTHS } from "../../src/modules/library/analysis/tagger/weights.ts";
import published from "../ears/published.json";

/** Returns descriptors that speak strongly for a tag, or against it. */
const towards = (name: string, side: 1 | -1) => {
  const weights = TAGGER_WEIGHTS.find((tag) => tag.name === name)?.weights ?? [];
  return Float32Array.from(
    weights,
    (weight, i) => (CENTRES[i] ?? 0) + side * Math.sign(weight) * (WIDTHS[i] ?? 1),
  );
};
const basis = {
  features: {},
  analysis: {
    durationSec: 180,
    loudness: { integratedLufs: -14, rangeLu: 6 },
    tempo: { bpm: null },
    key: { name: null, confidence: 0 },
  },
  embedded: {},
  filename: "a.wav",
  heard: null,
};

test("the small tagger has a weight for every descriptor", () => {
  expect([CENTRES.length, WIDTHS.length]).toEqual([DESCRIPTOR_DIMENSIONS, DESCRIPTOR_DIMENSIONS]);
  for (const { weights } of TAGGER_WEIGHTS) expect(weights.length).toBe(DESCRIPTOR_DIMENSIONS);
  expect(WIDTHS.every((width) => width > 0)).toBe(true);
});

test("the small tagger suggests only what it is sure of", () => {
  const at = (descriptors: Float32Array) => tagsTaught(descriptors).map(({ name }) => name);

  expect(at(towards("Strings", 1))).toContain("Strings");
  expect(at(towards("Strings", -1))).not.toContain("Strings");
  for (const { probability } of tagProbabilities(Float32Array.from(CENTRES)))
    expect(probability).toBeLessThan(0.7);
  expect(at(Float32Array.from(CENTRES))).toEqual([]);
});

test("a genre from the file's tags is kept, and sounds of a few seconds get no suggestions", () => {
  const descriptors = towards("Electronic", 1);
  const named = (rest: object) =>
    priorsOf({ ...basis, descriptors, ...rest }).map(({ name, category }) => `${category} ${name}`);

  expect(named({})).toContain("genres Electronic");
  expect(named({ embedded: { genres: ["Folk"] } })).toContain("genres Folk");
  expect(named({ embedded: { genres: ["Folk"] } })).not.toContain("genres Electronic");
  expect(named({ analysis: { ...basis.analysis, durationSec: 8 } })).toEqual([]);
});

describe("the ears", () => {
  /** Returns what would be heard if some of the networks' tags were loud and clear, and the others hardly there. */
  const hearing = (...names: string[]) =>
    Float32Array.from(HEARD_TAGS, (tag) => (names.some((name) => name === tag) ? 1 : -4));
  const suggested = (rest: Partial<SuggestionBasis>) =>
    suggestTags({ ...basis, descriptors: usual, ...rest }).map(({ name }) => name);
  const usual = new Float32Array(DESCRIPTOR_DIMENSIONS);
  const metal = hearing("metal", "heavy metal", "hard rock", "rock", "loud");
  // What the published networks heard in clips of a drum machine and of a gliding tone.
  const club = Float32Array.from(published.beat, (value) => Math.log(value / (1 - value)));
  const glide = Float32Array.from(published.glide, (value) => Math.log(value / (1 - value)));

  test("have a weight for everything that is heard and measured", () => {
    for (const { weights, measured } of HEARD_WEIGHTS) {
      expect(weights).toHaveLength(HEARD_TAGS.length);
      expect(measured).toHaveLength(DESCRIPTOR_DIMENSIONS);
    }
  });

  test("suggest what they hear, and no genre for music unlike all they know", () => {
    expect(suggested({ heard: metal })).toContain("Distorted Guitar");
    expect(suggested({ heard: metal })).not.toContain("Electronic");
    expect(suggested({ heard: club })).toContain("Electronic");
    expect(suggested({ heard: club })).not.toContain("Metal");
    const genres = HEARD_WEIGHTS.filter(({ category }) => category === "genres").map(({ name }) =>
      String(name),
    );
    expect(suggested({ heard: glide }).filter((name) => genres.includes(name))).toEqual([]);
  });

  test("leave the genres to a file that names one, and say nothing about a sound of a few seconds", () => {
    expect(suggested({ heard: metal, embedded: { genres: ["Folk"] } })).toContain("Folk");
    expect(suggested({ heard: club, embedded: { genres: ["Folk"] } })).not.toContain("Electronic");
    expect(suggested({ heard: metal, analysis: { ...basis.analysis, durationSec: 8 } })).toEqual([]);
  });

  test("the ears have the last word: a tag of the small tagger alone is not suggested", () => {
    const descriptors = towards("Electronic", 1);
    expect(suggested({ descriptors })).toContain("Electronic");
    expect(suggested({ descriptors: usual, heard: metal })).not.toContain("Electronic");
    const strings = towards("Strings", 1);
    expect(suggested({ descriptors: strings })).toContain("Strings");
    expect(suggested({ descriptors: strings, heard: hearing() })).not.toContain("Strings");
  });

  describe("hear instruments", () => {
    /** Returns what would be heard if some instruments were sure to be there, and the others not. */
    const playing = (...names: string[]) =>
      Float32Array.from([
        ...hearing("no vocals", "no voice", "instrumental"),
        ...HEARD_NAMES.map((name) => (names.includes(name) ? 4 : -4)),
      ]);

    test.each([
      ["a piano, which plays alone", ["Piano"], ["Piano", "Solo Piano"]],
      ["a violin, which is strings", ["Violin"], ["Strings", "Violin"]],
      ["a saxophone, which is of the woodwinds", ["Saxophone", "Drums"], ["Saxophone", "Woodwinds"]],
      ["what they often get wrong, and so do not suggest it", ["Harmonica"], []],
      ["a genre that follows from who plays", ["Harp", "Flute"], ["Classical", "Flute", "Harp", "Woodwinds"]],
      ["a jazz trio", ["Piano", "Double Bass", "Drums"], ["Double Bass", "Jazz", "Piano"]],
    ])("the ears hear instruments: %s", (_, names, expected) => {
      const heard = playing(...names);
      // An older version heard the first numbers only.
      const older = new Set(suggested({ heard: heard.slice(0, HEARD_TAGS.length) }));

      expect(
        suggested({ heard })
          .filter((name) => !older.has(name))
          .sort(),
      ).toEqual(expected);
    });

    test("a bass is named where it may be one of several, and not beside the one that it is", () => {
      const bass = playing();
      for (const name of ["Bass Guitar", "Synth Bass"] as const)
        bass[HEARD_TAGS.length + HEARD_NAMES.indexOf(name)] = 0.5;

      expect(suggested({ heard: bass })).toContain("Bass");
      expect(suggested({ heard: playing("Double Bass") })).not.toContain("Bass");
      expect(suggested({ heard: playing("Flute") })).not.toContain("Bass");
    });

    test("a choir is heard, and is no instrumental", () => {
      const vocals = (...names: string[]) =>
        suggestTags({
          ...basis,
          descriptors: usual,
          heard: playing(...names),
          features: { voiceLikelihood: 0.05 },
        })
          .filter(({ category }) => category === "vocals")
          .map(({ name }) => name);

      expect(vocals("Piano")).toEqual(["Instrumental"]);
      expect(vocals("Choir")).toEqual(["Choir"]);
    });

    test("music that may be a choir is not called instrumental", () => {
      const heard = playing();
      heard[HEARD_TAGS.length + HEARD_NAMES.indexOf("Choir")] = -0.7;
      const features = { voiceLikelihood: 0.05 };

      expect(suggested({ heard: playing(), features })).toContain("Instrumental");
      expect(suggested({ heard, features })).not.toContain("Instrumental");
    });
  });

  test("the ears contradict moods: music that rests is not energetic, and music that moves is not calm", () => {
    const moods = ["Energetic", "Calm", "Dark"].map((name) => suggestion("moods", name, 0.6));
    const left = (...names: string[]) =>
      moodsUnderEars(moods, hearing(...names)).flatMap(({ name, confidence }) =>
        confidence > 0 ? [name] : [],
      );

    expect(left("loud", "fast", "beat", "dance")).toEqual(["Energetic", "Dark"]);
    expect(left("slow", "quiet", "soft", "new age")).toEqual(["Calm", "Dark"]);
  });

  describe("tell voices apart", () => {
    const [without, with_] = [
      ["no vocals", "no voice", "instrumental"],
      ["vocals", "singing", "guitar", "rock"],
    ];
    // As in speech: it has no beat, and no scale.
    const said = { pulseClarity: 0.05, scaleFit: 0.4 };

    test.each([
      ["nobody", without, {}, ["Instrumental"]],
      [
        "a woman who sings",
        [...with_, "female vocal", "female vocalists"],
        {},
        ["Female Vocals", "Lead Vocals"],
      ],
      ["a man who sings", [...with_, "male vocal", "man"], {}, ["Lead Vocals", "Male Vocals"]],
      ["a singer, man or woman", [...with_, "male vocal", "female vocal"], {}, ["Lead Vocals"]],
      ["somebody who speaks", ["voice", "man", "male voice", "choir"], said, ["Spoken Word"]],
      [
        "somebody who sings alone, as free as speech",
        ["voice", "man", "male voice", "solo"],
        said,
        ["Lead Vocals", "Male Vocals"],
      ],
      [
        "somebody who sings vowels alone, like a choir",
        ["voice", "choir", "opera", "solo"],
        {},
        ["Lead Vocals"],
      ],
      ["a choir, which may be speech over music", ["voice", "choir", "choral"], {}, []],
      ["perhaps somebody", ["vocals", "no vocals"], {}, []],
    ])("the ears tell voices apart: %s", (_, heard, features, vocals) => {
      const measured = { voiceLikelihood: 0.5, pulseClarity: 0.6, scaleFit: 0.9, ...features };
      const all = suggestTags({ ...basis, descriptors: usual, heard: clearly(...heard), features: measured });
      const names = all.filter(({ category }) => category === "vocals").map(({ name }) => name);
      expect(names.sort()).toEqual(vocals);
    });

    test("consonants of somebody who speaks alone are no drums, those of a singer may be", () => {
      const drums = HEARD_NAMES.map((name) => (name === "Drums" ? 4 : -4));
      const measured = { voiceLikelihood: 0.5, ...said };
      const named = (...tags: string[]) =>
        suggested({ heard: Float32Array.from([...clearly(...tags), ...drums]), features: measured });

      expect(named("voice", "man", "male voice", "choir")).not.toContain("Drums");
      expect(named("voice", "man", "male voice", "solo")).toContain("Drums");
    });

    test("a band that plays while somebody speaks is named", () => {
      const band = HEARD_NAMES.map((name) => (["Drums", "Piano", "Double Bass"].includes(name) ? 4 : -4));
      const heard = Float32Array.from([...clearly("voice", "man", "male voice", "choir"), ...band]);
      const names = suggested({ heard, features: { voiceLikelihood: 0.5, ...said } });

      expect(names).toEqual(expect.arrayContaining(["Spoken Word", "Piano"]));
      expect(names).not.toContain("Drums");
    });

    /** Choirs and soloists are rare: their tags are further below the others, where nothing is heard of them. */
    function clearly(...names: string[]) {
      return Float32Array.from(HEARD_TAGS, (tag) =>
        names.includes(tag) ? 1 : ["choir", "choral", "opera", "solo"].includes(tag) ? -9 : -4,
      );
    }
  });
});
