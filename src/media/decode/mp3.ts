import wasmPath from "minimp3-wasm/dist/decoder.opt.wasm" with { type: "file" };
import { MediaError } from "../media-error.ts";
import type { ByteReader } from "./byte-reader.ts";
import { type Mp3Frame, type Mp3Info, readFrames, readMp3Info, seekFirstFrame } from "./mp3-frames.ts";
import { halveGain } from "./mp3-gain.ts";
import type { PcmSource } from "./pcm-source.ts";
import { trimFrames } from "./trim.ts";

/** The exports of the WebAssembly build of minimp3 that are used here. */
type Minimp3 = {
  memory: WebAssembly.Memory;
  decoder_init: () => void;
  decoder_set_mp3_data_size: (bytes: number) => void;
  decoder_mp3_data_offset: () => number;
  decoder_decode: (seconds: number) => void;
  decoder_pcm_data_offset: () => number;
  decode_results_num_samples: () => number;
  decode_results_num_channels: () => number;
};

/** Longer than any frame, so a call decodes all its input. */
const WHOLE_FRAME_SEC = 1000;
/** The scale of 16-bit integers, doubled to undo {@link halveGain}. */
const SCALE = 2 / 0x8000;

/**
 * Opens an MP3 file. Finds the frames and decodes them one at a time, so the whole file is never in memory and
 * damage stays within its frame. Cuts off the encoder's delay and padding when the file gives them.
 *
 * @throws MediaError `corrupt` when there is no frame.
 */
export async function openMp3(reader: ByteReader): Promise<PcmSource> {
  seekFirstFrame(reader);
  const frames = readFrames(reader);
  const { value: first } = frames.next();
  if (!first) throw new MediaError("corrupt", "no MPEG frame");

  const { sampleRateHz, channels, frameSamples } = first.header;
  const info = readMp3Info(first);
  const total = info?.frames == null ? null : info.frames * frameSamples - info.delay - info.padding;
  const decoder = await loadDecoder();
  let framesOut = 0;
  function* decoded(): Generator<Float32Array> {
    if (!info) yield decodeFrame(decoder, first as Mp3Frame, channels); // checked above
    for (const frame of frames) {
      framesOut += frameSamples;
      yield decodeFrame(decoder, frame, channels);
    }
  }
  return {
    sampleRateHz,
    channels,
    declaredFrames: total,
    blocks: trimFrames(decoded(), channels, info?.delay ?? 0, trimmedLength(info, total)),
    isDamaged: () => info?.frames != null && framesOut < info.frames * frameSamples,
  };
}

/** A frame count that is too small (in a tag copied from another file) must not cut off sound. */
function trimmedLength(info: Mp3Info | undefined, total: number | null): number {
  return info && total !== null && info.padding > 0 ? Math.max(0, total) : Number.POSITIVE_INFINITY;
}

async function loadDecoder(): Promise<Minimp3> {
  const { instance } = await WebAssembly.instantiate(await Bun.file(wasmPath).arrayBuffer(), {});
  // The package has no types for its bare module. The names above are its exports.
  const decoder = instance.exports as unknown as Minimp3;
  decoder.decoder_init();
  return decoder;
}

/** The decoder keeps the bit reservoir between calls: frames must come in order, and each only once. */
function decodeFrame(decoder: Minimp3, { header, bytes }: Mp3Frame, channels: number): Float32Array {
  decoder.decoder_set_mp3_data_size(bytes.length);
  const input = new Uint8Array(decoder.memory.buffer, decoder.decoder_mp3_data_offset(), bytes.length);
  input.set(bytes);
  halveGain(input, header);
  decoder.decoder_decode(WHOLE_FRAME_SEC);

  const samples = new Float32Array(header.frameSamples * channels);
  const count = decoder.decode_results_num_samples();
  const got = new Int16Array(decoder.memory.buffer, decoder.decoder_pcm_data_offset(), count);
  const gotChannels = decoder.decode_results_num_channels();
  if (gotChannels === channels) {
    for (let i = 0; i < Math.min(count, samples.length); i += 1) samples[i] = (got[i] ?? 0) * SCALE;
  } else if (count > 0) fitChannels(got, gotChannels, samples, channels);
  return samples;
}

/** A stream may change between mono and stereo; the output keeps the number of channels at the start. */
function fitChannels(got: Int16Array, gotChannels: number, samples: Float32Array, channels: number): void {
  for (let i = 0; i < samples.length; i += 1) {
    const frame = Math.floor(i / channels);
    samples[i] = (got[frame * gotChannels + Math.min(i % channels, gotChannels - 1)] ?? 0) * SCALE;
  }
}
