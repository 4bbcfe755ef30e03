/** An opened file that yields samples, inside the decoding child. */
export type PcmSource = {
  sampleRateHz: number;
  channels: number;
  /** Samples per channel as declared by the file; null when it declares no length. */
  declaredFrames: number | null;
  /** Interleaved samples in whole frames, nominally -1 to 1; lossy codecs may exceed this range. Read it once. */
  blocks: Iterable<Float32Array>;
  /** Call it after the last block. True when the stream ended early or parts of it were unreadable. */
  isDamaged: () => boolean;
};
