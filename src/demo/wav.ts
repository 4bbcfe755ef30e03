import { SAMPLE_RATE_HZ, type Stereo } from "./dsp/audio.ts";
import { randomFrom } from "./dsp/random.ts";

const PCM = 1;
const CHANNELS = 2;
const BYTES_PER_SAMPLE = 2;
const FULL_SCALE = 32_768;

/** A RIFF chunk: a four-letter name and its content. */
export type Chunk = { name: string; content: Uint8Array };

/**
 * Returns a WAV file: 16-bit stereo at 44.1 kHz, and after the sound any `extra` chunks.
 *
 * @see Microsoft & IBM 1991, "Multimedia Programming Interface and Data Specifications 1.0", chapter 2.
 */
export function encodeWav(audio: Stereo, extra: readonly Chunk[]): Uint8Array {
  const format = new DataView(new ArrayBuffer(16));
  format.setUint16(0, PCM, true);
  format.setUint16(2, CHANNELS, true);
  format.setUint32(4, SAMPLE_RATE_HZ, true);
  format.setUint32(8, SAMPLE_RATE_HZ * CHANNELS * BYTES_PER_SAMPLE, true);
  format.setUint16(12, CHANNELS * BYTES_PER_SAMPLE, true);
  format.setUint16(14, 8 * BYTES_PER_SAMPLE, true);
  return joinChunks("RIFF", "WAVE", [
    { name: "fmt ", content: new Uint8Array(format.buffer) },
    { name: "data", content: encodeSamples(audio) },
    ...extra,
  ]);
}

/** Returns a LIST chunk of INFO texts, from their four-letter names, as in { INAM: "Title" }. */
export function infoChunk(texts: Readonly<Record<string, string>>): Chunk {
  const fields = Object.entries(texts).map(([name, text]) => ({
    name,
    content: new TextEncoder().encode(`${text}\0`),
  }));
  return { name: "LIST", content: joinChunks("", "INFO", fields) };
}

/** Joins chunks after a form type; a `container` name also adds that name and the total size in front. */
function joinChunks(container: string, form: string, chunks: readonly Chunk[]): Uint8Array {
  const body = chunks.flatMap(({ name, content }) => [
    header(name, content.length),
    content,
    new Uint8Array(content.length % 2), // chunks start at even offsets
  ]);
  const size = body.reduce((sum, piece) => sum + piece.length, form.length);
  const start = container === "" ? new Uint8Array(0) : header(container, size);
  return new Uint8Array(Buffer.concat([start, new TextEncoder().encode(form), ...body]));
}

function header(name: string, size: number): Uint8Array {
  const bytes = new Uint8Array(8);
  bytes.set(new TextEncoder().encode(name));
  new DataView(bytes.buffer).setUint32(4, size, true);
  return bytes;
}

/** Interleaved 16-bit samples, with a triangular dither of one step so that fades stay smooth. */
function encodeSamples({ left, right }: Stereo): Uint8Array {
  // Int16Array is little-endian, as WAV wants it, on every processor Bun runs on.
  const samples = new Int16Array(left.length * CHANNELS);
  const random = randomFrom("dither");
  for (let i = 0; i < left.length; i++) {
    // `as number`: the channels are equally long; the loop is hot.
    const dither = random() - random();
    samples[2 * i] = quantize(left[i] as number, dither);
    samples[2 * i + 1] = quantize(right[i] as number, dither);
  }
  return new Uint8Array(samples.buffer);
}

const quantize = (sample: number, dither: number) =>
  Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, Math.round(sample * FULL_SCALE + dither)));
