import { describe, expect, test } from "bun:test";
import { createWaveformMeter, WAVEFORM_BUCKETS } from "../../src/audio/waveform.ts";
import { joined, silence, sine } from "../support/signals.ts";

function outline(samples: Float32Array, chunk = samples.length): Int8Array {
  const meter = createWaveformMeter();
  for (let from = 0; from < samples.length; from += chunk) {
    const part = samples.subarray(from, from + chunk);
    meter.push(part, part.length);
  }
  return meter.finish().outline;
}

const pair = (waveform: Int8Array, bucket: number) => [waveform[2 * bucket], waveform[2 * bucket + 1]];

describe("waveform", () => {
  test.each([1, 500, 1000, 44_100, 300_000, 3_000_000])(
    "a waveform of %d samples has a thousand pairs",
    (length) => {
      const waveform = outline(new Float32Array(length).fill(0.5));

      expect(waveform.length).toBe(2 * WAVEFORM_BUCKETS);
      for (const bucket of [0, 499, 999]) expect(pair(waveform, bucket)).toEqual([64, 64]);
    },
  );

  test("shows loud and silent halves where they are", () => {
    const waveform = outline(joined(sine(44_100, 30, 440, 1), silence(44_100, 30)));

    expect(pair(waveform, 250)).toEqual([-127, 127]);
    expect(pair(waveform, 498)).toEqual([-127, 127]);
    expect(pair(waveform, 501)).toEqual([0, 0]);
    expect(pair(waveform, 999)).toEqual([0, 0]);
  });

  test("shows a click of one sample in the right place", () => {
    const samples = silence(44_100, 60);
    samples[Math.round(0.7 * samples.length)] = -0.9;

    const waveform = outline(samples);

    const hits = [...waveform.keys()].filter((i) => waveform[i] !== 0).map((i) => Math.floor(i / 2));
    expect(hits.length).toBeGreaterThan(0);
    for (const bucket of hits) expect(Math.abs(bucket - 700)).toBeLessThanOrEqual(1);
  });

  test("clips samples beyond full scale", () => {
    expect(pair(outline(Float32Array.of(2, -3)), 0)).toEqual([127, 127]);
    expect(pair(outline(Float32Array.of(2, -3)), 999)).toEqual([-127, -127]);
  });

  test("is the same however the stream is split", () => {
    const samples = sine(44_100, 10, 3, 0.8);
    expect(outline(samples, 771)).toEqual(outline(samples));
  });

  test("a waveform of no samples is flat", () => {
    expect(outline(new Float32Array(0)).every((value) => value === 0)).toBe(true);
  });
});
