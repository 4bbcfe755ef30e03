/** Layer III is MP3, layer II is MP2. */
export type MpegLayer = 2 | 3;

/** One MPEG audio frame, as its four-byte header describes it. */
export type MpegHeader = {
  version: 1 | 2 | 2.5;
  sampleRateHz: number;
  channels: 1 | 2;
  bitrateBps: number;
  hasCrc: boolean;
  /** The whole frame, header included. */
  frameBytes: number;
  /** Samples per channel: 1152, or 576 in the half-rate versions. */
  frameSamples: number;
};

const BITRATES_KBPS_V1_LAYER2 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384];
const BITRATES_KBPS_V1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_KBPS_V2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLE_RATES_V1 = [44_100, 48_000, 32_000];
const VERSIONS = [2.5, undefined, 2, 1] as const;
const RATE_DIVISORS = { 1: 1, 2: 2, 2.5: 4 } as const;
const MONO = 3;
const RESERVED_EMPHASIS = 2;
/** The two bits of the layer, at their position in the header. */
const LAYER_BITS = { 2: 0x04, 3: 0x02 } as const;

/**
 * Reads the header of a layer III (or II) frame at `offset`; undefined when there is no frame. Free-format frames
 * (bit rate index 0) are not recognised: their length is not in the header.
 *
 * @see ISO/IEC 11172-3, 2.4.1.3 and 2.4.2.3; ISO/IEC 13818-3 for the half rates.
 */
export function parseMpegHeader(
  bytes: Uint8Array,
  offset: number,
  layer: MpegLayer = 3,
): MpegHeader | undefined {
  if (offset + 4 > bytes.length) return undefined;
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0] = bytes.subarray(offset, offset + 4);
  const isLayer = b0 === 0xff && (b1 & 0xe6) === (0xe0 | LAYER_BITS[layer]);
  const version = VERSIONS[(b1 >> 3) & 3];
  if (!isLayer || !version || (b3 & 3) === RESERVED_EMPHASIS) return undefined;

  const bitrates = layer === 3 ? BITRATES_KBPS_V1 : BITRATES_KBPS_V1_LAYER2;
  const kbps = (version === 1 ? bitrates : BITRATES_KBPS_V2)[b2 >> 4];
  const baseRateHz = SAMPLE_RATES_V1[(b2 >> 2) & 3];
  if (!kbps || !baseRateHz) return undefined;

  const sampleRateHz = baseRateHz / RATE_DIVISORS[version];
  const frameSamples = version === 1 || layer === 2 ? 1152 : 576;
  const padding = (b2 >> 1) & 1;
  return {
    version,
    sampleRateHz,
    channels: b3 >> 6 === MONO ? 1 : 2,
    bitrateBps: kbps * 1000,
    hasCrc: (b1 & 1) === 0,
    frameBytes: Math.floor(((frameSamples / 8) * kbps * 1000) / sampleRateHz) + padding,
    frameSamples,
  };
}

/** True when two frames can belong to one stream: same version and sample rate. */
export function isSameStream(a: MpegHeader, b: MpegHeader): boolean {
  return a.version === b.version && a.sampleRateHz === b.sampleRateHz;
}

/**
 * Returns the length in bytes of the ID3v2 tags at the start of `bytes`; 0 when there is no tag. The tag declares
 * the length, which may reach past the end of `bytes`.
 *
 * @see ID3v2.4.0 main structure, section 3.1 (sizes are four times seven bits).
 */
export function id3v2Bytes(bytes: Uint8Array): number {
  let end = 0;
  while (end + 10 <= bytes.length) {
    const [i, d, three, , , flags = 0, s0 = 0, s1 = 0, s2 = 0, s3 = 0] = bytes.subarray(end, end + 10);
    const isTag = i === 0x49 && d === 0x44 && three === 0x33 && (s0 | s1 | s2 | s3) < 0x80;
    if (!isTag) return end;
    const footerBytes = flags & 0x10 ? 10 : 0;
    end += 10 + footerBytes + ((s0 << 21) | (s1 << 14) | (s2 << 7) | s3);
  }
  return end;
}
