import { stat } from "node:fs/promises";
import { ANALYSIS_HZ } from "../../../audio/analyzer.ts";
import { createMonoMix } from "../../../audio/dsp/mono.ts";
import { openDecoder } from "../../../media/decoder.ts";
import { sniffFile } from "../../../media/formats/sniff.ts";
import { limitsFor } from "../../../media/limits.ts";
import { MediaError } from "../../../media/media-error.ts";
import type { SoundFile } from "./task.ts";

/** Of all files of a comparison together, and of all that are kept for the next one. */
export const MAX_SOUND_SEC = 600;
/** Of a file. */
const MAX_CPU_SEC = 30;

/** The sounds of files, as one channel at ANALYSIS_HZ. The last ones are kept: a track is compared with several others. */
export type Sounds = {
  /**
   * Returns the beginning of a file.
   *
   * @throws MediaError for faults in the file, and the signal's reason.
   */
  of(file: SoundFile, maxSec: number, signal: AbortSignal): Promise<Float32Array>;
};

type Kept = { samples: Float32Array; isWhole: boolean };

/** Returns sounds of which none is kept yet. */
export function createSounds(): Sounds {
  const kept = new Map<string, Kept>();
  const keep = (sha256: string, sound: Kept) => {
    kept.delete(sha256);
    kept.set(sha256, sound);
    let sum = Array.from(kept.values()).reduce((all, { samples }) => all + samples.length, 0);
    for (const [oldest, { samples }] of kept) {
      if (sum <= MAX_SOUND_SEC * ANALYSIS_HZ) break;
      kept.delete(oldest);
      sum -= samples.length;
    }
  };
  return {
    async of(file, maxSec, signal) {
      const most = Math.ceil(maxSec * ANALYSIS_HZ);
      const known = kept.get(file.sha256);
      const isEnough = known && (known.isWhole || known.samples.length >= most);
      const sound = isEnough ? known : await decode(file, maxSec, signal);
      keep(file.sha256, sound);
      return sound.samples.length > most ? sound.samples.subarray(0, most) : sound.samples;
    },
  };
}

async function decode(file: SoundFile, maxSec: number, signal: AbortSignal): Promise<Kept> {
  const format = await sniffFile(file.path);
  if (!format) throw new MediaError("unsupported");
  const { size } = await stat(file.path);
  const limits = limitsFor(size, maxSec);
  const { path, ffmpegPath, selfCommand } = file;
  const stream = await openDecoder({
    ...{ path, ffmpegPath, selfCommand, format, signal },
    limits: { ...limits, cpuSec: Math.min(limits.cpuSec, MAX_CPU_SEC) },
  });
  const mono = new Float32Array(Math.ceil(maxSec * ANALYSIS_HZ));
  let filled = 0;
  const mix = createMonoMix(stream, ANALYSIS_HZ, (samples, count) => {
    const taken = Math.min(count, mono.length - filled);
    mono.set(samples.subarray(0, taken), filled);
    filled += taken;
  });
  for await (const frames of stream.frames) {
    mix.push(frames);
    if (filled === mono.length) break;
  }
  mix.finish();
  return { samples: mono.slice(0, filled), isWhole: filled < mono.length };
}
