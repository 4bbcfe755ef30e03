import { ascii, concat } from "./wave-bytes.ts";

const le = (bytes: number) => (value: number) =>
  Uint8Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i));
const [u16, u32, u64] = [le(2), le(4), le(8)];

const DSD_RATE_HZ = 2_822_400;
const DSF_BLOCK_BYTES = 4096;

/** Writes a DSF file, mono DSD64: a sine of 440 Hz at half amplitude, with a first-order modulator. */
export function dsfBytes(seconds: number): Uint8Array {
  const blocks = Math.ceil((seconds * DSD_RATE_HZ) / 8 / DSF_BLOCK_BYTES);
  const bits = new Uint8Array(blocks * DSF_BLOCK_BYTES);
  let error = 0;
  for (let i = 0; i < seconds * DSD_RATE_HZ; i += 1) {
    const sample = 0.5 * Math.sin((2 * Math.PI * 440 * i) / DSD_RATE_HZ) + error;
    const isHigh = sample >= 0;
    error = sample - (isHigh ? 1 : -1);
    // The first sample is the lowest bit.
    if (isHigh) bits[i >> 3] = (bits[i >> 3] ?? 0) | (1 << (i & 7));
  }
  const size = 28 + 52 + 12 + bits.length;
  const fmt = [u64(52), u32(1), u32(0), u32(1), u32(1), u32(DSD_RATE_HZ), u32(1)];
  const layout = [u64(seconds * DSD_RATE_HZ), u32(DSF_BLOCK_BYTES), u32(0)];
  return concat([
    ...[ascii("DSD "), u64(28), u64(size), u64(0)],
    ...[ascii("fmt "), ...fmt, ...layout],
    ...[ascii("data"), u64(12 + bits.length), bits],
  ]);
}

const APE_FRAME_SAMPLES = 73_728;
const APE_RATE_HZ = 44_100;

/** Writes a Monkey's Audio file: stereo silence, for which the format has a flag. */
export function apeBytes(seconds: number): Uint8Array {
  const samples = seconds * APE_RATE_HZ;
  const frames = Math.ceil(samples / APE_FRAME_SAMPLES);
  // A checksum whose highest bit announces flags, the flags, and padding; each word byte-swapped.
  const frame = concat([u32(0x8000_0000), u32(3), new Uint8Array(16)]);
  const soundAt = 52 + 24 + 4 * frames;
  const descriptor = [u16(3990), u16(0), u32(52), u32(24), u32(4 * frames), u32(0)];
  const lengths = [u32(frames * frame.length), u32(0), u32(0), new Uint8Array(16)];
  const header = [
    u16(1000),
    u16(0x20),
    u32(APE_FRAME_SAMPLES),
    u32(samples - (frames - 1) * APE_FRAME_SAMPLES),
  ];
  const shape = [u32(frames), u16(16), u16(2), u32(APE_RATE_HZ)];
  const seeks = Array.from({ length: frames }, (_, index) => u32(soundAt + index * frame.length));
  return concat([
    ascii("MAC "),
    ...descriptor,
    ...lengths,
    ...header,
    ...shape,
    ...seeks,
    ...Array.from({ length: frames }, () => frame),
  ]);
}
