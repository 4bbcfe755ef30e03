import { expect, test } from "bun:test";
import { createRandom } from "../../lab/eval-audio/random.ts";
import { analyseRhythm } from "../../src/audio/tempo/rhythm.ts";
import { estimateTempo } from "../../src/audio/tempo/tempo.ts";

const RATE_HZ = 100;
const SECONDS = 60;
const BANDS = 4;

/** Returns the tempo of onsets whose strength at a time in seconds is `strength`, above a little noise. */
function tempoOf(strength: (atSec: number) => number) {
  const random = createRandom(1);
  const bands = Array.from({ length: BANDS }, () =>
    Float32Array.from({ length: RATE_HZ * SECONDS }, (_, i) =>
      Math.max(0, strength(i / RATE_HZ) + random.normal(0.05)),
    ),
  );
  return estimateTempo(analyseRhythm({ rateHz: RATE_HZ, bands }));
}

test.each([66, 70])("faint swells at %d BPM are a beat when they go on", (bpm) => {
  const swell = (atSec: number) => {
    const beats = (atSec * bpm) / 60;
    const offSec = ((beats - Math.round(beats)) * 60) / bpm;
    return 0.4 * Math.exp(-((offSec / 0.06) ** 2));
  };

  expect(tempoOf(swell).bpm).toBe(bpm);
});

test.each([3.1, 4.2])("a tremolo of %d Hz that begins anew with every note is no beat", (hz) => {
  const random = createRandom(2);
  const turns = Array.from({ length: SECONDS }, () => random.between(0, 2 * Math.PI));
  const tremolo = (atSec: number) =>
    0.12 * (1 + Math.sin(2 * Math.PI * hz * atSec + (turns[Math.floor(atSec / 3)] ?? 0)));

  expect(tempoOf(tremolo).bpm).toBeNull();
});
