import { createMarker } from "../../../audio/watermark/embed.ts";
import { READING_RATE_HZ } from "../../../audio/watermark/grid.ts";
import type { Sound } from "../../../audio/watermark/levels.ts";
import { codeOf, patternOf } from "../../../audio/watermark/pattern.ts";

const HEADER_BYTES = 44;
const CHANNELS = 4;
const FLOAT_BYTES = 4;
const FORMAT_FLOAT = 3;

/**
 * Returns a sound beside itself with a mark of nobody, for a listening test: WAV, 44.1 kHz, 32-bit floats, the sound's two channels and
 * then the marked ones.
 */
export function markedBeside({ left, right }: Sound): Uint8Array<ArrayBuffer> {
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
  const bytes = new Uint8Array(HEADER_BYTES + CHANNELS * FLOAT_BYTES * left.length);
  const samples = new Float32Array(bytes.buffer, HEADER_BYTES);
  writeHeader(bytes);
  put(samples, [left, right], { frame: 0, channel: 0, count: left.length });
  let frame = 0;
  const options = {
    sampleRateHz: READING_RATE_HZ,
    channels: 2,
    pattern: patternOf(random(32)),
    code: codeOf(random(16)),
  };
  const marker = createMarker(options, (planes, count) => {
    put(samples, planes, { frame, channel: 2, count });
    frame += count;
  });
  marker.push([left, right], left.length);
  marker.finish();
  return bytes;
}

type Place = { frame: number; channel: number; count: number };

function put(samples: Float32Array, planes: readonly Float32Array[], { frame, channel, count }: Place): void {
  for (const [index, plane] of planes.entries())
    for (let at = 0; at < count; at++)
      samples[(frame + at) * CHANNELS + channel + index] = plane[at] as number;
}

function writeHeader(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer);
  const text = (offset: number, word: string) => bytes.set(new TextEncoder().encode(word), offset);
  text(0, "RIFF");
  view.setUint32(4, bytes.length - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, FORMAT_FLOAT, true);
  view.setUint16(22, CHANNELS, true);
  view.setUint32(24, READING_RATE_HZ, true);
  view.setUint32(28, READING_RATE_HZ * CHANNELS * FLOAT_BYTES, true);
  view.setUint16(32, CHANNELS * FLOAT_BYTES, true);
  view.setUint16(34, 8 * FLOAT_BYTES, true);
  text(36, "data");
  view.setUint32(40, bytes.length - HEADER_BYTES, true);
}
