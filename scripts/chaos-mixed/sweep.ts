import { emptyQuarantine } from "../../src/blobs/empty.ts";
import { sweepUnnamed } from "../../src/blobs/sweep.ts";
import { SHELVES } from "../../src/shelves.ts";
import { openLibraryIn } from "../bench/library.ts";

/** Sweeps a library and empties its quarantine again and again, until it is killed. */
export async function sweep({ dataDir }: { dataDir: string }): Promise<never> {
  const deps = openLibraryIn(dataDir);
  while (true) {
    await sweepUnnamed(deps, SHELVES);
    await emptyQuarantine(deps, SHELVES);
  }
}
