/** What one child process that reads an untrusted file may use. Every limit ends the child when it is passed. */
export type MediaLimits = {
  /** From start to end, the time the consumer takes included. */
  wallClockMs: number;
  /** Processor time, seconds; enforced by the operating system where it has `ulimit`. */
  cpuSec: number;
  /** Address space of ffmpeg, resident memory of our own child; bytes. */
  memoryBytes: number;
  /** Decoded audio, seconds. */
  outputSec: number;
  /** Decoded audio, bytes of 32-bit samples over all channels. */
  outputBytes: number;
};

/** Limits that six hours of 96 kHz stereo stay within. */
export const DEFAULT_MEDIA_LIMITS: MediaLimits = Object.freeze({
  wallClockMs: 45 * 60_000,
  cpuSec: 20 * 60,
  memoryBytes: 1024 ** 3,
  outputSec: 6 * 3600,
  outputBytes: 17 * 1024 ** 3,
});

/** More channels than any format people make music in; a header that claims more is refused. */
export const MAX_CHANNELS = 64;

/** Highest sample rate that is read, Hz: four times 192 kHz. */
export const MAX_SAMPLE_RATE_HZ = 768_000;
