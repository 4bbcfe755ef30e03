import { BLOCK_FRAMES, createDeinterleaver } from "../../audio/dsp/planar.ts";
import { createResampler } from "../../audio/dsp/resample.ts";
import { type DecodeRequest, openDecoder } from "../../media/decoder.ts";
import type { ModelProvider, Passages } from "../models/service.ts";

/**
 * Decodes a file and cuts mono passages from it, evenly spread over its length. A file shorter than one passage gives
 * one.
 *
 * @param durationSec As measured by an earlier decoding.
 * @throws The errors of {@link openDecoder}.
 */
export async function readPassages(
  request: DecodeRequest,
  durationSec: number,
  { sampleRateHz, passageSec, mostPassages }: ModelProvider["listening"],
): Promise<Passages> {
  const size = Math.round(passageSec * sampleRateHz);
  const cuts = startsOf(Math.round(durationSec * sampleRateHz), size, mostPassages).map((start) => ({
    start,
    samples: new Float32Array(size),
    filled: 0,
  }));
  let at = 0;
  const stream = await openDecoder(request);
  try {
    const resampler = createResampler(stream.sampleRateHz, sampleRateHz, (samples, count) => {
      for (const cut of cuts) copyInto(cut, samples.subarray(0, count), at);
      at += count;
    });
    const mono = new Float32Array(BLOCK_FRAMES);
    const input = createDeinterleaver(stream.channels, (planes, count) => {
      for (let i = 0; i < count; i++)
        mono[i] = planes.reduce((sum, plane) => sum + (plane[i] ?? 0), 0) / planes.length;
      resampler.push(mono, count);
    });
    for await (const frames of stream.frames) input.push(frames);
    input.finish();
    resampler.finish();
  } finally {
    await stream.close();
  }
  return cuts.filter(({ filled }) => filled > 0).map(({ samples, filled }) => samples.subarray(0, filled));
}

/** Returns where passages begin: as many as fit without overlap, up to `most`, each centred in its share. */
export function startsOf(length: number, size: number, most: number): number[] {
  const count = Math.max(1, Math.min(most, Math.floor(length / size)));
  return Array.from({ length: count }, (_, i) =>
    Math.max(0, Math.round((length * (i + 0.5)) / count - size / 2)),
  );
}

type Cut = { start: number; samples: Float32Array; filled: number };

function copyInto(cut: Cut, block: Float32Array, at: number): void {
  const from = Math.max(0, cut.start + cut.filled - at);
  const part = block.subarray(from, from + cut.samples.length - cut.filled);
  if (from >= block.length || part.length === 0) return;
  cut.samples.set(part, cut.filled);
  cut.filled += part.length;
}
