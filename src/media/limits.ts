/** What a child process that reads an untrusted file may use. A child that exceeds any limit is ended. */
export type MediaLimits = {
  /** From start to end, including the time that the consumer takes. */
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

/** Limits that allow six hours of 96 kHz stereo. */
export const DEFAULT_MEDIA_LIMITS: MediaLimits = Object.freeze({
  wallClockMs: 45 * 60_000,
  cpuSec: 20 * 60,
  memoryBytes: 1024 ** 3,
  outputSec: 6 * 3600,
  outputBytes: 17 * 1024 ** 3,
});

/** Time to start a program on a slow, busy machine. */
const START_CPU_SEC = 10;
/** For the slowest codec on the slowest supported machine. */
const CPU_SEC_PER_MB = 2;
const SOUND_SEC_PER_CPU_SEC = 10;
/** Only silence takes less. A header that declares more sound per byte is not trusted. */
const LEAST_BYTES_PER_SEC = 500;

/**
 * Returns the limits for one file. Processor time depends on its size and length, so a small file can never keep a
 * processor busy for long.
 *
 * @param lengthSec Declared by the file or measured; null when unknown.
 */
export function limitsFor(sizeBytes: number, lengthSec: number | null): MediaLimits {
  const most = Math.min(sizeBytes / LEAST_BYTES_PER_SEC, DEFAULT_MEDIA_LIMITS.outputSec);
  const forSound = Math.min(lengthSec ?? most, most) / SOUND_SEC_PER_CPU_SEC;
  const cpuSec = START_CPU_SEC + (sizeBytes / 1e6) * CPU_SEC_PER_MB + forSound;
  return { ...DEFAULT_MEDIA_LIMITS, cpuSec: Math.ceil(Math.min(cpuSec, DEFAULT_MEDIA_LIMITS.cpuSec)) };
}

/** More channels than any music format uses. A header that declares more is refused. */
export const MAX_CHANNELS = 64;

/** The highest accepted sample rate, in Hz: four times 192 kHz. */
export const MAX_SAMPLE_RATE_HZ = 768_000;
