import type { PcmEncoding } from "../../../media/decode/pcm.ts";

/** Returns noise in steps of the format, -1 to 1, triangular: the sum of two even ones. The same seed gives the same noise. */
export function createDither(seed: number): () => number {
  let state = seed >>> 0 || 1;
  /** Xorshift of 32 bits. @see Marsaglia 2003, "Xorshift RNGs", Journal of Statistical Software 8(14). */
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return () => next() + next() - 1;
}

/** Writes a marked sample in place of the original one; both are linear, full scale = 1. */
type WriteSample = (view: DataView, at: number, before: number, marked: number) => void;

/** Deeper formats need no dither: their steps are below the noise of every converter. */
const DITHERED_BYTES = 2;

/** Returns what writes samples of a format. One that did not change keeps its bits; where something was added, 16 bits get dither. */
export function sampleWriter(
  { bytesPerSample, isFloat, isLittleEndian, isUnsigned }: PcmEncoding,
  dither: () => number,
): WriteSample {
  if (isFloat && bytesPerSample === 8)
    return (view, at, before, marked) =>
      view.setFloat64(at, before + (marked - Math.fround(before)), isLittleEndian);
  if (isFloat) return (view, at, _, marked) => view.setFloat32(at, marked, isLittleEndian);
  const scale = 2 ** (8 * bytesPerSample - 1);
  const isDithered = bytesPerSample <= DITHERED_BYTES;
  const put = integerWriter(bytesPerSample, isLittleEndian, isUnsigned);
  return (view, at, before, marked) => {
    // The marker works on 32-bit floats, which do not hold every sample of 32 bits: only the difference is taken from it.
    const added = marked - Math.fround(before);
    const noise = added === 0 || !isDithered ? 0 : dither();
    const value = Math.round((before + added) * scale + noise);
    put(view, at, Math.max(-scale, Math.min(scale - 1, value)));
  };
}

function integerWriter(bytesPerSample: number, le: boolean, isUnsigned: boolean) {
  if (bytesPerSample === 1)
    return (view: DataView, at: number, value: number) => view.setUint8(at, value + (isUnsigned ? 128 : 0));
  if (bytesPerSample === 2)
    return (view: DataView, at: number, value: number) => view.setInt16(at, value, le);
  if (bytesPerSample === 4)
    return (view: DataView, at: number, value: number) => view.setInt32(at, value, le);
  const [high, low] = le ? [2, 0] : [0, 2];
  return (view: DataView, at: number, value: number) => {
    view.setUint8(at + high, value >> 16);
    view.setUint8(at + 1, value >> 8);
    view.setUint8(at + low, value);
  };
}
