import { MAX_CHANNELS, MAX_SAMPLE_RATE_HZ } from "./limits.ts";
import { MediaError } from "./media-error.ts";

const MIN_SAMPLE_RATE_HZ = 1000;

/** Refuses a sample rate or number of channels that real audio never has. @throws MediaError `unsupported`. */
export function checkShape(sampleRateHz: number, channels: number): void {
  const isRateSane = sampleRateHz >= MIN_SAMPLE_RATE_HZ && sampleRateHz <= MAX_SAMPLE_RATE_HZ;
  if (isRateSane && channels >= 1 && channels <= MAX_CHANNELS) return;
  throw new MediaError("unsupported", `${channels} channels at ${sampleRateHz} Hz`);
}
