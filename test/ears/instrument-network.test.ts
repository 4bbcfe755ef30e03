import { expect, test } from "bun:test";
import { join } from "node:path";
import { createInstrumentNetwork, INSTRUMENT_NETWORK_FLOATS } from "../../src/ears/instrument-network.ts";
import { HEARD_INSTRUMENTS } from "../../src/ears/tags.ts";
import { createTileKernel } from "../../src/ears/tile-kernel.ts";
import { readInstrumentNetworkWeights } from "../../src/ears/weights.ts";
import { fixedClips, levelsOf } from "./clips.ts";

test("the network of instruments hears what it heard where it was trained", async () => {
  // What NumPy makes of lab/train-network/network.npz, whose numbers are not rounded as those of the program are.
  const trained = await Bun.file(join(import.meta.dir, "trained.json")).json();
  const { kernel, room } = createTileKernel(INSTRUMENT_NETWORK_FLOATS);
  const network = createInstrumentNetwork(kernel, room, await readInstrumentNetworkWeights());

  for (const [name, clip] of Object.entries(fixedClips())) {
    const heard = [...network(levelsOf(clip))];

    expect(heard).toHaveLength(HEARD_INSTRUMENTS.length);
    expect(Math.max(...heard.map((value, i) => Math.abs(value - trained[name][i])))).toBeLessThan(1e-2);
  }
});
