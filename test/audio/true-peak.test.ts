import { describe, expect, test } from "bun:test";
import { createPeakMeter } from "../../src/audio/loudness/true-peak.ts";
import { joined, noise, silence, sine } from "../support/signals.ts";

const degrees = (angle: number) => (angle * Math.PI) / 180;

function measure(planes: readonly Float32Array[], sampleRateHz: number, chunk = 4096) {
  const meter = createPeakMeter({ sampleRateHz, channels: planes.length });
  const length = planes[0]?.length ?? 0;
  for (let from = 0; from < length; from += chunk) {
    const parts = planes.map((plane) => plane.subarray(from, from + chunk));
    meter.push(parts, parts[0]?.length ?? 0);
  }
  return meter.finish();
}

/** Returns a tone that swells and fades, because a step at its ends would overshoot. */
function swell(rate: number, hz: number, amplitude: number, phase: number): Float32Array {
  const samples = sine(rate, 1, hz, amplitude, phase);
  return samples.map((value, i) => value * Math.min(1, i / 4800, (samples.length - i) / 4800));
}

/**
 * Returns a tone of a sixth of the rate at half scale, with one full-scale period of a quarter of the rate in its
 * middle. It is made at four times the rate, limited to the band of the lower rate, scaled back to full scale, and
 * decimated from sample `offset` on.
 */
function fullScalePeriod(offset: number): Float32Array<ArrayBuffer> {
  const tone = (length: number, period: number, amplitude: number) =>
    Float64Array.from({ length }, (_, i) => amplitude * Math.sin((2 * Math.PI * i) / period));
  const [quiet, loud] = [tone(24 * 200, 24, 0.5), tone(16, 16, 1)];
  const made = Float64Array.of(...quiet, ...loud, ...quiet);
  const reach = 4 * 48;
  const taps = Float64Array.from({ length: 2 * reach + 1 }, (_, i) => {
    const x = (i - reach) / 4;
    const lowPass = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
    return (lowPass * (0.5 + 0.5 * Math.cos((Math.PI * (i - reach)) / reach))) / 4;
  });
  const limited = made.map((_, at) =>
    taps.reduce((sum, tap, i) => sum + tap * (made[at + i - reach] ?? 0), 0),
  );
  const peak = limited.reduce((highest, value) => Math.max(highest, Math.abs(value)), 0);
  return Float32Array.from(
    { length: Math.floor((limited.length - offset) / 4) },
    (_, i) => (limited[4 * i + offset] ?? 0) / peak,
  );
}

describe("true peak (EBU Tech 3341, cases 15 to 23: +0.2 / -0.4 dB)", () => {
  test.each([
    ["15: a quarter of the rate, peaks on samples", 4, 0, 0.5, -6],
    ["16: a quarter of the rate, peaks between samples", 4, 45, 0.5, -6],
    ["17: a sixth of the rate", 6, 60, 0.5, -6],
    ["18: an eighth of the rate", 8, 67.5, 0.5, -6],
    ["19: above full scale although no sample is", 4, 45, 1.41, 3],
  ])("the true peak is in tolerance in %s", (_, divisor, angle, amplitude, expected) => {
    for (const rate of [44_100, 48_000]) {
      const { truePeak } = measure([swell(rate, rate / divisor, amplitude, degrees(angle))], rate);
      const error = 20 * Math.log10(truePeak) - expected;
      expect(error).toBeLessThanOrEqual(0.2);
      expect(error).toBeGreaterThanOrEqual(-0.4);
    }
  });

  test.each([20, 21, 22, 23])(
    "%d: a full-scale period within a tone, decimated from four times the rate",
    (testCase) => {
      const offset = testCase - 20;
      const samples = joined(silence(48_000, 0.1), fullScalePeriod(offset), silence(48_000, 0.1));
      const error = 20 * Math.log10(measure([samples], 48_000).truePeak);
      expect(error).toBeLessThanOrEqual(0.2);
      expect(error).toBeGreaterThanOrEqual(-0.4);
    },
  );

  test("is found at 96 kHz with half the oversampling", () => {
    const { truePeak, samplePeak } = measure([swell(96_000, 24_000, 0.5, degrees(45))], 96_000);

    expect(20 * Math.log10(samplePeak)).toBeCloseTo(-9.03, 1);
    expect(Math.abs(20 * Math.log10(truePeak) + 6.02)).toBeLessThan(0.4);
  });

  test("the sample peak stays that of the samples", () => {
    const { samplePeak } = measure([swell(48_000, 12_000, 0.5, degrees(45))], 48_000);
    expect(samplePeak).toBeCloseTo(0.5 * Math.SQRT1_2, 4);
  });

  test("comes from the loudest channel", () => {
    const { truePeak } = measure([swell(48_000, 1000, 0.1, 0), swell(48_000, 1000, 0.8, 0)], 48_000);
    expect(truePeak).toBeCloseTo(0.8, 2);
  });

  test("does not depend on how the stream is split, or on earlier sound", () => {
    const samples = joined(noise(48_000, 0.3, 0.4), noise(48_000, 0.2, 0.8, 3), noise(48_000, 0.3, 0.7, 9));
    const whole = measure([samples], 48_000, samples.length);

    expect(measure([samples], 48_000, 37)).toEqual(whole);
    expect(measure([joined(silence(48_000, 0.1), samples)], 48_000).truePeak).toBeCloseTo(whole.truePeak, 6);
  });

  test("silence peaks at zero", () => {
    expect(measure([silence(48_000, 1)], 48_000)).toEqual({ truePeak: 0, samplePeak: 0 });
  });
});
