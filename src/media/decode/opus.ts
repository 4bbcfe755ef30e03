import * as opusPackage from "opus-decoder";
import { MediaError } from "../media-error.ts";
import { checkShape } from "../shape.ts";
import type { ByteReader } from "./byte-reader.ts";
import { type OggPacket, readPackets } from "./ogg.ts";
import type { PcmSource } from "./pcm-source.ts";
import { trimFrames } from "./trim.ts";

/** The copy uses every export. Otherwise Bun's bundler drops one that the package's own start code needs. */
const PACKAGE = { ...opusPackage };

/** Opus always decodes at this rate, whatever the rate of the source. */
const SAMPLE_RATE_HZ = 48_000;

type OpusHead = {
  channels: number;
  preSkip: number;
  /** The header's gain (Q7.8 decibels) as a linear factor. */
  gain: number;
  streamCount: number;
  coupledStreamCount: number;
  channelMappingTable: number[];
};

/**
 * Opens an Ogg Opus file.
 *
 * @throws MediaError `corrupt` when the identification header is missing.
 * @see RFC 7845, sections 4 (granule position, pre-skip, end trimming) and 5 (headers).
 */
export async function openOpus(reader: ByteReader): Promise<PcmSource> {
  const packets = readPackets(reader, isOpusHead);
  const { value: first } = packets.next();
  packets.next(); // the comments
  if (!first) throw new MediaError("corrupt", "no OpusHead");
  const { gain, preSkip, ...options } = parseHead(first.bytes);
  checkShape(SAMPLE_RATE_HZ, options.channels);
  const decoder = new PACKAGE.OpusDecoder({ ...options, preSkip: 0 });
  await decoder.ready;

  let isDamaged = true;
  function* decoded(): Generator<Float32Array> {
    let framesOut = 0;
    for (const packet of packets) {
      const block = decodePacket(decoder, packet, options.channels, gain);
      const end =
        packet.isLastPage && packet.granule !== undefined ? packet.granule : Number.POSITIVE_INFINITY;
      const keep = Math.max(0, end - framesOut) * options.channels;
      framesOut += block.length / options.channels;
      isDamaged = !packet.isLastPage;
      yield block.subarray(0, Math.min(block.length, keep));
    }
  }
  return {
    sampleRateHz: SAMPLE_RATE_HZ,
    channels: options.channels,
    declaredFrames: null,
    blocks: trimFrames(decoded(), options.channels, preSkip, Number.POSITIVE_INFINITY),
    isDamaged: () => isDamaged,
  };
}

const isOpusHead = (packet: Uint8Array): boolean =>
  packet.length >= 19 && String.fromCharCode(...packet.subarray(0, 8)) === "OpusHead";

function parseHead(bytes: Uint8Array): OpusHead {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const channels = view.getUint8(9);
  const family = view.getUint8(18);
  const shared = {
    channels,
    preSkip: view.getUint16(10, true),
    gain: 10 ** (view.getInt16(16, true) / 5120),
  };
  if (family === 0) {
    if (channels > 2) throw new MediaError("corrupt", `${channels} channels in mapping family 0`);
    const channelMappingTable = channels === 1 ? [0] : [0, 1];
    return { ...shared, streamCount: 1, coupledStreamCount: channels - 1, channelMappingTable };
  }
  if (bytes.length < 21 + channels) throw new MediaError("corrupt", "short channel mapping");
  return {
    ...shared,
    streamCount: view.getUint8(19),
    coupledStreamCount: view.getUint8(20),
    channelMappingTable: [...bytes.subarray(21, 21 + channels)],
  };
}

function decodePacket(
  decoder: opusPackage.OpusDecoder,
  { bytes }: OggPacket,
  channels: number,
  gain: number,
): Float32Array {
  const { channelData, samplesDecoded } = decoder.decodeFrame(bytes);
  const block = new Float32Array(samplesDecoded * channels);
  channelData.forEach((data, index) => {
    for (let i = 0; i < samplesDecoded; i += 1) block[i * channels + index] = (data[i] ?? 0) * gain;
  });
  return block;
}
