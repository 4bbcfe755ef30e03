import { createMoments } from "../dsp/moments.ts";
import { LIMIT, rawFrameDescriptors, scaledDescriptors } from "./descriptors.ts";
import { FRAME_FEATURES } from "./frame-features.ts";
import { MAX_PASSAGES, PASSAGE_DIMENSIONS, PASSAGE_SEC } from "./passages.ts";

/** A passage with less sound than this has none. */
const LEAST_SOUND_SEC = 1;
const STEP = 127 / LIMIT;

/** Describes every ten seconds of a recording. */
export type PassageMeter = {
  /** Takes the values of the next frame, by FRAME_FEATURES; undefined for a silent one. */
  push(values: Float64Array | undefined): void;
  /** Returns PASSAGE_DIMENSIONS numbers for each passage; all 0 for one without sound. */
  finish(): Int8Array<ArrayBuffer>;
};

/** Builds a meter for frames that are `periodSec` apart. */
export function createPassageMeter(periodSec: number): PassageMeter {
  const passages: Int8Array[] = [];
  let moments = createMoments(FRAME_FEATURES.length);
  let frames = 0;

  const end = () => {
    if (passages.length < MAX_PASSAGES)
      passages.push(described(moments.finish(), LEAST_SOUND_SEC / periodSec));
    moments = createMoments(FRAME_FEATURES.length);
  };

  return {
    push(values) {
      if (values) moments.push(values);
      frames++;
      if (frames * periodSec >= (passages.length + 1) * PASSAGE_SEC) end();
    },
    finish() {
      if (frames * periodSec - passages.length * PASSAGE_SEC >= PASSAGE_SEC / 2) end();
      const all = new Int8Array(passages.length * PASSAGE_DIMENSIONS);
      for (const [i, passage] of passages.entries()) all.set(passage, i * PASSAGE_DIMENSIONS);
      return all;
    },
  };
}

function described(frames: Parameters<typeof rawFrameDescriptors>[0], leastFrames: number): Int8Array {
  if (frames.count < leastFrames) return new Int8Array(PASSAGE_DIMENSIONS);
  const scaled = scaledDescriptors(rawFrameDescriptors(frames));
  return Int8Array.from(scaled, (value) => Math.round(value * STEP));
}
