import { expect, test } from "bun:test";
import { createDeinterleaver } from "../../src/audio/dsp/planar.ts";

const FRAMES = 10_001;
const ODD = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e9, -1e9, 1000.5, -0];

test.each([1, 2, 3])(
  "splits %i channels, however they are cut, into sane samples and their mean",
  (channels) => {
    const samples = Float32Array.from({ length: FRAMES * channels + channels - 1 }, (_, i) =>
      i % 97 === 0 ? (ODD[(i / 97) % ODD.length] ?? 0) : Math.sin(i * i),
    );
    const planes = Array.from({ length: channels }, () => [] as number[]);
    const means: number[] = [];
    const input = createDeinterleaver(channels, (blocks, count, mono) => {
      for (const [channel, block] of blocks.entries()) planes[channel]?.push(...block.subarray(0, count));
      means.push(...mono.subarray(0, count));
    });
    for (let from = 0, length = 1; from < samples.length; from += length, length = (length * 7) % 5003)
      input.push(samples.subarray(from, from + length));
    input.finish();

    const sane = samples.map((value) =>
      Number.isFinite(value) ? Math.max(-1000, Math.min(1000, value)) : 0,
    );
    for (const [channel, plane] of planes.entries())
      expect(plane).toEqual([...sane.filter((_, i) => i % channels === channel)].slice(0, FRAMES));
    expect(means.length).toBe(FRAMES);
    const sums = Float32Array.from(means, (_, frame) =>
      sane
        .subarray(frame * channels, (frame + 1) * channels)
        .reduce((sum, value) => Math.fround(sum + value)),
    );
    expect(means).toEqual([...sums.map((sum) => sum / channels)]);
  },
);
