import { describe, expect, test } from "bun:test";
import { createAnalyzer } from "../../src/audio/analyzer.ts";
import { alignSections, offsetAt, type Section } from "../../src/audio/fingerprint/sections.ts";
import { silence } from "../support/signals.ts";
import { tune } from "../support/tune.ts";

const RATE_HZ = 22_050;
const SONG = tune(RATE_HZ, 60, 3).map((x) => 0.5 * x);

function analysed(samples: Float32Array) {
  const analyzer = createAnalyzer({ sampleRateHz: RATE_HZ, channels: 1 });
  analyzer.push(samples);
  return analyzer.finish();
}
const original = analysed(SONG);
const part = (fromSec: number, toSec: number) => SONG.subarray(fromSec * RATE_HZ, toSec * RATE_HZ);
const joined = (...parts: Float32Array[]) => Float32Array.from(parts.flatMap((each) => [...each]));

/** Returns where a moment of the song is in another recording, in seconds. */
function placeOf(sections: readonly Section[] | undefined, sec: number): number | undefined {
  const section = sections?.find(({ toSec }) => sec < toSec);
  const offset = section && offsetAt(section, sec);
  return offset === undefined ? undefined : sec + offset;
}

describe("a moment of a recording", () => {
  test.each([
    ["without its first 1.5 s", joined(part(1.5, 60)), 30, 28.5],
    ["begun later", joined(silence(RATE_HZ, 2), SONG), 30, 32],
    ["without 8 s in the middle, before them", joined(part(0, 24), part(32, 60)), 15, 15],
    ["without 8 s in the middle, after them", joined(part(0, 24), part(32, 60)), 45, 37],
    ["with its parts exchanged, in what was first", joined(part(30, 60), part(0, 30)), 12, 42],
    ["with its parts exchanged, in what was last", joined(part(30, 60), part(0, 30)), 50, 20],
  ])("is found in one %s", (_, samples, sec, wanted) => {
    const found = placeOf(alignSections(original, analysed(samples)), sec);

    expect(found).toBeWithin(wanted - 0.02, wanted + 0.02);
  });

  test("is not found where it was cut", () => {
    const sections = alignSections(original, analysed(joined(part(0, 20), part(36, 60))));

    expect(placeOf(sections, 28)).toBeUndefined();
    expect(sections?.map(({ isFine }) => isFine)).toEqual([true, false, true]);
  });

  test("is found in a faster recording, at each moment", () => {
    const faster = Float32Array.from({ length: Math.floor(SONG.length / 1.01) }, (_, i) => {
      const at = i * 1.01;
      const whole = Math.floor(at);
      return (SONG[whole] ?? 0) * (whole + 1 - at) + (SONG[whole + 1] ?? 0) * (at - whole);
    });
    const sections = alignSections(original, analysed(faster));

    for (const sec of [10, 30, 50])
      expect(placeOf(sections, sec)).toBeWithin(sec / 1.01 - 0.03, sec / 1.01 + 0.03);
  });

  test("is found where another sound took the place of the music around it", () => {
    const muted = alignSections(original, analysed(joined(part(0, 20), silence(RATE_HZ, 14), part(34, 60))));

    expect(muted).toHaveLength(1);
    expect(placeOf(muted, 28)).toBeWithin(27.98, 28.02);
  });

  test("is in no other piece", () => {
    const sections = alignSections(original, analysed(tune(RATE_HZ, 60, 4)));

    expect(sections).toEqual([
      { fromSec: 0, toSec: Number.POSITIVE_INFINITY, points: undefined, isFine: false },
    ]);
  });

  test("cannot be looked for in silence, and in what is too short", () => {
    expect(alignSections(original, analysed(silence(RATE_HZ, 30)))).toBeUndefined();
    expect(alignSections(original, analysed(part(0, 1)))).toBeUndefined();
  });
});
