import type { DecodedStream } from "./decoder.ts";

/** A part of a recording; what there is of it may end sooner. */
type Part = { fromSec: number; toSec: number };

/**
 * Passes on the samples of a part of a stream, interleaved, and decodes nothing after it.
 *
 * @returns Where reading ended, and whether that was the end of the recording.
 * @throws MediaError, and the signal's reason, as the stream does.
 */
export async function readPart(
  { frames, sampleRateHz, channels }: DecodedStream,
  { fromSec, toSec }: Part,
  push: (interleaved: Float32Array) => void,
): Promise<{ endSec: number; isToEnd: boolean }> {
  const first = Math.round(fromSec * sampleRateHz) * channels;
  const end = Math.round(toSec * sampleRateHz) * channels;
  let at = 0;
  for await (const samples of frames) {
    if (at + samples.length > first)
      push(samples.subarray(Math.max(0, first - at), Math.min(samples.length, end - at)));
    at += samples.length;
    if (at >= end) break;
  }
  return { endSec: Math.min(at, end) / (sampleRateHz * channels), isToEnd: at < end };
}
