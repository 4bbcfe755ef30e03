import { describe, expect, test } from "bun:test";
import { frequencyOf, parseChord, parseKey, parsePitch } from "../../src/demo/harmony.ts";
import { chords, hits, melody, overChords, parseHarmony, type Song } from "../../src/demo/score.ts";

/** Makes a song to play along to. */
function song(keyName: string, harmony: string, bars: number, beatsPerBar = 4): Song {
  const key = parseKey(keyName);
  return { key, bars, beatsPerBar, chords: parseHarmony(harmony, key, bars) };
}

const pitchesOf = (notes: { midi: number }[]) => notes.map(({ midi }) => midi);

describe("note names", () => {
  test.each([
    ["C4", 60],
    ["Bb2", 46],
    ["F#5", 78],
    ["A-1", 9],
  ])("the note %s is MIDI %i", (name, midi) => expect(parsePitch(name)).toBe(midi));

  test("A4 is 440 Hz and middle C 261.63 Hz", () => {
    expect(frequencyOf(69)).toBe(440);
    expect(frequencyOf(60)).toBeCloseTo(261.626, 3);
  });

  test.each(["H4", "C", "c4"])("the note %s is refused", (name) =>
    expect(() => parsePitch(name)).toThrow(RangeError),
  );
});

describe("roman numerals", () => {
  test.each([
    ["F minor", "i9", 5, [0, 3, 7, 10, 14]],
    ["F minor", "VIM7", 1, [0, 4, 7, 11]],
    ["D major", "V7", 9, [0, 4, 7, 10]],
    ["D major", "viio", 1, [0, 3, 6]],
    ["C major", "bVII", 10, [0, 4, 7]],
    ["E minor", "VI5", 0, [0, 7, 12]],
    ["G major", "Isus4", 7, [0, 5, 7]],
  ])("in %s, the chord %s has its root on pitch class %i", (key, numeral, root, tones) => {
    expect(parseChord(numeral, parseKey(key))).toMatchObject({ root, tones });
  });

  test.each(["VIII", "x", "I13"])("the numeral %s is refused", (numeral) => {
    expect(() => parseChord(numeral, parseKey("C major"))).toThrow(RangeError);
  });
});

describe("a pattern of drum hits", () => {
  test("plays accents, hits and ghost notes where they are written, and repeats at its end", () => {
    const notes = hits("X.o. | ..x.")(song("C major", "I", 1));

    expect(notes.map(({ beat, velocity }) => [beat, velocity])).toEqual([
      [0, 1],
      [0.5, 0.4],
      [1.5, 0.8],
      [2, 1],
      [2.5, 0.4],
      [3.5, 0.8],
    ]);
  });
});

describe("chords", () => {
  test("fold into one octave, hold through dashes and change with the bar", () => {
    const notes = chords("x---", "C4", { stepsPerBeat: 1 })(song("C major", "I | IV", 2));

    expect(notes.map(({ beat, beats, midi }) => [beat, beats, midi])).toEqual([
      [0, 4, 60],
      [0, 4, 64],
      [0, 4, 67],
      [4, 4, 60],
      [4, 4, 65],
      [4, 4, 69],
    ]);
  });

  test("chords in the same bar split it evenly", () => {
    const notes = overChords("1", "C2", 1)(song("C major", "I V", 1));

    expect(pitchesOf(notes)).toEqual([36, 36, 43, 43]);
  });

  test("are strummed from the lowest string up", () => {
    const notes = chords("x...", "C4", { stepsPerBeat: 1, strumMs: 10 })(song("C major", "I", 1));

    expect(notes.map(({ lagMs }) => lagMs)).toEqual([0, 10, 20]);
  });
});

describe("a line over chords", () => {
  test("takes thirds, fifths and sevenths from the chord, other notes from the key", () => {
    const notes = overChords("1 3 5 b7 2 8 10 5,", "C3", 2)(song("C major", "IV", 1));

    expect(pitchesOf(notes)).toEqual([53, 57, 60, 63, 55, 65, 69, 48]);
  });
});

describe("a melody", () => {
  test("counts in the minor scale from its tonic, in three-four time", () => {
    const notes = melody("1 - 3 | 7, . 8!", "A3", 1)(song("A minor", "i", 2, 3));

    expect(notes).toEqual([
      { beat: 0, beats: 2, midi: 57, velocity: 0.8 },
      { beat: 2, beats: 1, midi: 60, velocity: 0.8 },
      { beat: 3, beats: 1, midi: 55, velocity: 0.8 },
      { beat: 5, beats: 1, midi: 69, velocity: 1 },
    ]);
  });

  test("refuses what is not a scale degree", () => {
    expect(() => melody("1 do re", "C4")(song("C major", "I", 1))).toThrow(RangeError);
  });
});
