import { amplitude, SAMPLE_RATE_HZ, type Stereo } from "./audio.ts";

/** The highest sample peak allowed, dBFS. */
const CEILING_DBFS = -1;
/** Samples that share one limiter decision: 1.5 ms. */
const BLOCK_FRAMES = 64;
/** The weight of each neighbour, near to far, in the level halfway between two samples: a Hann-windowed sinc. */
const HALFWAY = Float64Array.from({ length: 6 }, (_, tap) => {
  const distance = tap + 0.5;
  const sinc = Math.sin(Math.PI * distance) / (Math.PI * distance);
  return sinc * Math.cos((Math.PI * distance) / 13) ** 2;
});
/** How fast the limiter lets go: about 6 dB in 100 ms. */
const RECOVERY_PER_BLOCK = 1.01;
/** How early it starts to turn down: about 6 dB in 5 ms. */
const ANTICIPATION_PER_BLOCK = 1.22;

/** Overdrives `samples` in place, like a valve amplifier: `driveDb` is how hard it is pushed. */
export function applyDrive(samples: Float32Array, driveDb: number): void {
  const push = amplitude(driveDb);
  // `as number`: the index is inside the array.
  for (let i = 0; i < samples.length; i++) samples[i] = Math.tanh(push * (samples[i] as number));
}

/** Dips `samples` in place at every beat by the share `depth` (0-1), as a kick drum pumps a compressor. */
export function applyPump(samples: Float32Array, beatSeconds: number, depth: number): void {
  for (let i = 0; i < samples.length; i++) {
    const phase = (i / SAMPLE_RATE_HZ / beatSeconds) % 1;
    const dip = Math.cos(Math.min(1, phase * 1.6) * Math.PI) * 0.5 + 0.5;
    samples[i] = (samples[i] as number) * (1 - depth * dip); // inside the array
  }
}

/**
 * Brings a mix to its final level in place: turned up or down until its loud parts (blocks of 400 ms within
 * 10 dB of the mean) average `rmsDbfs`, then held under -1 dBFS by a limiter that looks ahead.
 */
export function master(mix: Stereo, rmsDbfs: number): void {
  const gain = amplitude(rmsDbfs) / Math.max(1e-9, loudRms(mix));
  for (const channel of [mix.left, mix.right]) {
    for (let i = 0; i < channel.length; i++) channel[i] = (channel[i] as number) * gain; // inside the array
  }
  limit(mix);
}

/** Root mean square, both channels, of the 400 ms blocks within 10 dB of the mean of all. */
function loudRms({ left, right }: Stereo): number {
  const block = Math.round(0.4 * SAMPLE_RATE_HZ);
  const powers = Array.from({ length: Math.floor(left.length / block) }, (_, index) => {
    let sum = 0;
    for (let i = index * block; i < (index + 1) * block; i++) {
      sum += (left[i] as number) ** 2 + (right[i] as number) ** 2; // inside the arrays
    }
    return sum / block / 2;
  });
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const gate = mean(powers) / 10;
  return Math.sqrt(mean(powers.filter((power) => power >= gate)));
}

/**
 * Keeps a mix below the ceiling, in place. Each block sets how far it must be turned down. The gain falls before a
 * peak and recovers slowly after it, in straight lines between blocks that never exceed any block's limit.
 */
function limit({ left, right }: Stereo): void {
  const blocks = Math.ceil(left.length / BLOCK_FRAMES);
  const ceiling = amplitude(CEILING_DBFS);
  const wanted = Float64Array.from({ length: blocks }, (_, block) =>
    Math.min(1, ceiling / blockPeak(left, right, block)),
  );
  // The gain at the edge between two blocks suits both; `as number`: every index is inside its array.
  const edges = Float64Array.from({ length: blocks + 1 }, (_, edge) =>
    Math.min(wanted[edge - 1] ?? 1, wanted[edge] ?? 1),
  );
  for (let i = 1; i <= blocks; i++) {
    edges[i] = Math.min(edges[i] as number, (edges[i - 1] as number) * RECOVERY_PER_BLOCK);
  }
  for (let i = blocks - 1; i >= 0; i--) {
    edges[i] = Math.min(edges[i] as number, (edges[i + 1] as number) * ANTICIPATION_PER_BLOCK);
  }
  for (let i = 0; i < left.length; i++) {
    const block = Math.floor(i / BLOCK_FRAMES);
    const along = (i % BLOCK_FRAMES) / BLOCK_FRAMES;
    const gain = (edges[block] as number) * (1 - along) + (edges[block + 1] as number) * along;
    left[i] = (left[i] as number) * gain;
    right[i] = (right[i] as number) * gain;
  }
}

/** Largest level of one block in either channel; never 0, so that it can be divided by. */
function blockPeak(left: Float32Array, right: Float32Array, block: number): number {
  const first = block * BLOCK_FRAMES;
  return Math.max(1e-9, channelPeak(left, first), channelPeak(right, first));
}

/** Largest level of a block from sample `first`, at its samples and halfway between them. */
function channelPeak(samples: Float32Array, first: number): number {
  const end = Math.min(samples.length, first + BLOCK_FRAMES);
  let peak = 0;
  for (let i = first; i < end; i++) {
    let between = 0;
    for (let tap = 0; tap < HALFWAY.length; tap++) {
      const weight = HALFWAY[tap] as number; // inside the array
      between += weight * ((samples[i - tap] ?? 0) + (samples[i + tap + 1] ?? 0));
    }
    peak = Math.max(peak, Math.abs(samples[i] as number), Math.abs(between)); // inside the array
  }
  return peak;
}
