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

/** To start a program on a slow machine that is busy. */
const START_CPU_SEC = 10;
/** Of the slowest codec and the slowest machine that is thought of. */
const CPU_SEC_PER_MB = 2;
const SOUND_SEC_PER_CPU_SEC = 10;
/** Only silence takes less. A header that claims more sound than that is not believed. */
const LEAST_BYTES_PER_SEC = 500;

/**
 * Returns the limits for one file: processor time follows its size and length, so that a small file cannot keep a
 * processor busy for long, whatever is in it.
 *
 * @param lengthSec As the file says, or as it was measured; null when neither is known.
 */
export function limitsFor(sizeBytes: number, lengthSec: number | null): MediaLimits {
  const most = Math.min(sizeBytes / LEAST_BYTES_PER_SEC, DEFAULT_MEDIA_LIMITS.outputSec);
  const forSound = Math.min(lengthSec ?? most, most) / SOUND_SEC_PER_CPU_SEC;
  const cpuSec = START_CPU_SEC + (sizeBytes / 1e6) * CPU_SEC_PER_MB + forSound;
  return { ...DEFAULT_MEDIA_LIMITS, cpuSec: Math.ceil(Math.min(cpuSec, DEFAULT_MEDIA_LIMITS.cpuSec)) };
}

/** More channels than any format people make music in; a header that claims more is refused. */
export const MAX_CHANNELS = 64;

/** Highest sample rate that is read, Hz: four times 192 kHz. */
export const MAX_SAMPLE_RATE_HZ = 768_000;
