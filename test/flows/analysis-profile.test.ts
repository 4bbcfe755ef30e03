import { describe, expect, test } from "bun:test";
import { parseEmbeddedKey } from "../../src/modules/library/analysis/embedded-key.ts";
import { chooseTempo } from "../../src/modules/library/analysis/tempo-octave.ts";

describe("the tempo shown, from the measured one and the one in the file", () => {
  const measured = { bpm: 86.02, candidates: [{ bpm: 86.02 }, { bpm: 172.04 }, { bpm: 114.7 }] };

  test.each([
    ["nothing in the file", undefined, 86.02],
    ["the same tempo, rounded", 86, 86.02],
    ["another candidate", 172, 172.04],
    ["another candidate, at three to four", 115, 114.7],
    ["half of the measured tempo", 43, 43.01],
    ["one and a half of it", 129, 129.03],
    ["two thirds of it", 57.3, 57.346],
    ["a third of it, outside the 2 % tolerance", 29.5, 86.02],
    ["an unrelated tempo", 100, 86.02],
    ["nonsense", 999, 86.02],
    ["a tempo of 0", 0, 86.02],
  ])("a tempo is shown beside the measured one: %s", (_, embedded, expected) => {
    expect(chooseTempo(measured, embedded)).toBeCloseTo(expected, 2);
  });

  test.each([
    ["replaces a measurement that failed", 92, 92],
    ["is ignored below 30", 12, null],
    ["is ignored above 300", 301, null],
    ["is ignored when it is not a number", Number.NaN, null],
  ])("a tempo in the file %s", (_, embedded, expected) => {
    expect(chooseTempo({ bpm: null, candidates: [] }, embedded)).toBe(expected);
  });
});

describe("a key as files carry it", () => {
  test.each([
    ["Am", "A minor"],
    ["a minor", "A minor"],
    ["A", "A major"],
    ["AM", "A major"],
    ["C#m", "C# minor"],
    ["Dbm", "C# minor"],
    ["d♭ moll", "C# minor"],
    ["Gb", "F# major"],
    ["G flat major", "F# major"],
    ["F sharp min", "F# minor"],
    ["Cb", "B major"],
    ["B#", "C major"],
    ["bb", "Bb major"],
    ["Bbmin", "Bb minor"],
    ["8A", "A minor"],
    ["8B", "C major"],
    ["08b", "C major"],
    ["1A", "Ab minor"],
    ["12B", "E major"],
    ["1d", "C major"],
    ["1m", "A minor"],
    ["12m", "D minor"],
    [" Eb major ", "Eb major"],
  ])("the key %s of a file is %s", (text, name) => {
    expect(parseEmbeddedKey(text)).toBe(name);
  });

  test.each([["o"], ["H minor"], ["13A"], ["0A"], [""], ["Am7"], ["atonal"], ["C dorian"]])(
    "%p is not a key",
    (text) => {
      expect(parseEmbeddedKey(text)).toBeUndefined();
    },
  );
});
