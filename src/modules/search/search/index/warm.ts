import type { Keeper } from "./keeper.ts";
import { type Mirror, prepare } from "./mirror.ts";
import { listUnkept } from "./snapshots.ts";

/**
 * Reads the large accounts without an up-to-date file, the most recent searchers first, as long as there is room. The
 * keeper then writes their files. Searches do not wait for this.
 */
export async function warm(mirror: Mirror, keeper: Keeper | undefined): Promise<void> {
  let room = mirror.maxTracks;
  for (const ownerId of listUnkept(mirror.db)) {
    if (room <= 0) return;
    await prepare(mirror, ownerId);
    keeper?.note(ownerId);
    room -= mirror.shards.get(ownerId)?.length ?? 0;
  }
}
