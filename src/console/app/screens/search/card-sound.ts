import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Outline } from "../../player/outline.ts";
import { outlineOf, soundOf } from "../../player/sound.ts";
import { type Given, isGiven } from "./given.ts";

/** Enough for a wave, and the least that every browser decodes to. */
const RATE_HZ = 8000;
const FRAMES_PER_PAIR = 64;

/** The outline of a file, or of a track's active version; undefined while there is none, and where the browser cannot read the file. */
export function useReferenceOutline(id: string, given: Given | undefined): Signal<Outline | undefined> {
  const outline = useSignal<Outline | undefined>(undefined);
  useEffect(() => {
    let isOld = false;
    const read = isGiven(id) ? outlineOfGiven(given) : soundOf(id).then(outlineOf);
    read.then(
      (found) => {
        if (!isOld) outline.value = found;
      },
      // Without a wave it can be searched by too.
      () => undefined,
    );
    return () => {
      isOld = true;
      outline.value = undefined;
    };
  }, [id, given, outline]);
  return outline;
}

async function outlineOfGiven(given: Given | undefined): Promise<Outline | undefined> {
  if (!given || !("file" in given)) return undefined;
  const decoder = new OfflineAudioContext(1, 1, RATE_HZ);
  return drawnFrom(await decoder.decodeAudioData(await given.file.arrayBuffer()));
}

/** Draws the outermost samples of all channels. */
function drawnFrom(sound: AudioBuffer): Outline {
  const pairs = new Int8Array(2 * Math.ceil(sound.length / FRAMES_PER_PAIR));
  for (let channel = 0; channel < sound.numberOfChannels; channel++) {
    const samples = sound.getChannelData(channel);
    for (let at = 0; at < samples.length; at++) {
      const level = Math.max(-127, Math.min(127, Math.round(127 * (samples[at] ?? 0))));
      const low = 2 * Math.floor(at / FRAMES_PER_PAIR);
      if (level < (pairs[low] ?? 0)) pairs[low] = level;
      if (level > (pairs[low + 1] ?? 0)) pairs[low + 1] = level;
    }
  }
  const levels = [{ framesPerPair: FRAMES_PER_PAIR, pairs }];
  return { sampleRateHz: sound.sampleRate, frames: sound.length, levels };
}
