/** An opened file on its way to samples, inside the decoding child. */
export type PcmSource = {
  sampleRateHz: number;
  channels: number;
  /** Samples a channel that the file says it has; null when it does not say. */
  declaredFrames: number | null;
  /** Interleaved samples in whole frames, nominally -1 to 1; lossy codecs overshoot. Read once. */
  blocks: Iterable<Float32Array>;
  /** After the last block: true when the stream ended in the middle or parts were unreadable. */
  isDamaged: () => boolean;
};
