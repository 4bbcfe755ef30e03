import { describe, expect, test } from "bun:test";
import {
  createExcerptMeter,
  type ExcerptCodes,
  type ExcerptPlace,
  findPart,
  partsOf,
} from "../../src/audio/fingerprint/excerpt.ts";
import { chordProgression, drumLoop, noise, silence } from "../support/signals.ts";
import { tune } from "../support/tune.ts";

const RATE_HZ = 22_050;
const SECONDS = 40;

/** Another song for each number. */
function song(number: number, seconds = SECONDS): Float32Array {
  const melody = tune(RATE_HZ, seconds, number);
  const drums = drumLoop(RATE_HZ, seconds, 80 + 7 * number);
  const chords = chordProgression(RATE_HZ, seconds, { tonic: number, minor: number % 2 === 0 });
  return melody.map((x, at) => 0.4 * x + 0.2 * (drums[at] as number) + 0.3 * (chords[at] as number));
}

function codesOf(samples: Float32Array): ExcerptCodes {
  const meter = createExcerptMeter();
  meter.push(samples, samples.length);
  return meter.finish();
}

function placeOf(excerpt: ExcerptCodes, recording: Uint32Array): ExcerptPlace | undefined {
  return partsOf(excerpt)
    .flatMap((part) => findPart(part, recording) ?? [])
    .toSorted((one, other) => one.bitErrorRate - other.bitErrorRate)[0];
}

const SONGS = [1, 2, 3, 4].map((number) => song(number));
const RECORDINGS = SONGS.map((samples) => codesOf(samples)[0] as Uint32Array);
const RUSTLE = noise(RATE_HZ, SECONDS, 0.02);
const part = (samples: Float32Array, fromSec: number, seconds: number) =>
  samples.slice(Math.round(fromSec * RATE_HZ), Math.round((fromSec + seconds) * RATE_HZ));
/** As a small speaker in a room sounds: no bass, an echo, and noise. */
const recorded = (samples: Float32Array) =>
  samples.map((x, at) => {
    const high = x - (samples[at - 1] ?? 0) * 0.9;
    return (
      high + 0.4 * ((samples[at - 900] ?? 0) - 0.9 * (samples[at - 901] ?? 0)) + 0.1 * (RUSTLE[at] as number)
    );
  });

describe("an excerpt", () => {
  test.each([
    ["15 s", 15, (x: Float32Array) => x],
    ["5 s", 5, (x: Float32Array) => x],
    ["15 s from a speaker in a room", 15, recorded],
  ])("of %s is found where it is, cut anywhere", (_, seconds, changed) => {
    for (const [index, samples] of SONGS.entries()) {
      const fromSec = 3.21 + 4.07 * index;
      const excerpt = codesOf(changed(part(samples, fromSec, seconds)));

      const places = RECORDINGS.map((recording) => placeOf(excerpt, recording));

      expect(places.map((place) => place?.isSure === true)).toEqual(RECORDINGS.map((__, at) => at === index));
      expect(Math.abs((places[index]?.offsetSec ?? 0) - fromSec)).toBeLessThan(0.07);
    }
  });

  test("is found between something else", () => {
    const [before, after] = [song(7, 20), song(8, 20)] as [Float32Array, Float32Array];
    const excerpt = codesOf(
      Float32Array.from([...before, ...part(SONGS[0] as Float32Array, 10, 25), ...after]),
    );

    const place = placeOf(excerpt, RECORDINGS[0] as Uint32Array);

    expect(place?.isSure).toBe(true);
    expect(Math.abs((place?.offsetSec ?? 0) + 10)).toBeLessThan(0.07);
  });

  test("of another song, of silence and of a moment is not found", () => {
    expect(RECORDINGS.some((recording) => placeOf(codesOf(song(9, 20)), recording)?.isSure)).toBe(false);
    expect(partsOf(codesOf(silence(RATE_HZ, 20)))).toEqual([]);
    expect(partsOf(codesOf(part(SONGS[0] as Float32Array, 5, 3)))).toEqual([]);
  });
});
