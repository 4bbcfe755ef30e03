import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { NETWORKS } from "../../src/ears/layout.ts";
import { createNetwork, NETWORK_FLOATS } from "../../src/ears/network.ts";
import { HEARD_TAGS } from "../../src/ears/tags.ts";
import { createTileKernel } from "../../src/ears/tile-kernel.ts";
import { readWeights } from "../../src/ears/weights.ts";
import { fixedClips, levelsOf } from "./clips.ts";

describe("the networks hear what the published ones hear", () => {
  let heard: Record<string, number[]> = {};
  let published: Record<string, number[]> = {};
  beforeAll(async () => {
    // What musicnn 0.1.0 itself answered, with librosa's spectrogram, in TensorFlow.
    published = await Bun.file(join(import.meta.dir, "published.json")).json();
    const { kernel, room } = createTileKernel(NETWORKS.length * NETWORK_FLOATS);
    const networks = (await readWeights()).map((weights) => createNetwork(kernel, room, weights));
    const listen = (clip: Float32Array) => networks.flatMap((network) => [...network(levelsOf(clip)).tags]);
    heard = Object.fromEntries(
      Object.entries(fixedClips()).map(([name, clip]) => [name, listen(clip).map(probability)]),
    );
  });

  test.each(["chord", "beat", "glide"])("a network hears what the published one hears: %s", (name) => {
    const errors = heard[name]?.map((value, i) => Math.abs(value - (published[name]?.[i] ?? 9)));

    expect(errors?.length).toBe(HEARD_TAGS.length);
    expect(Math.max(...(errors ?? []))).toBeLessThan(1e-3);
  });
});

const probability = (logOdds: number) => 1 / (1 + Math.exp(-logOdds));
