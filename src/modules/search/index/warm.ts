import type { Keeper } from "./keeper.ts";
import { type Mirror, prepare } from "./mirror.ts";
import { listUnkept } from "./snapshots.ts";

/**
 * Reads the large accounts that have no file to read quickly, those that searched last first, as far as there is room;
 * the keeper then writes their files. A search does not wait for it.
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
