import type { Db } from "../../../../../db/client.ts";
import { type Mirror, slotOf } from "../index/mirror.ts";
import type { Shard } from "../index/shard.ts";

/** Returns the slots of the account's analysed tracks that wait in the Inbox: they are not in the library yet. */
export function waitingSlots(db: Db, mirror: Mirror, shard: Shard): Set<number> {
  const rows = db.$client
    .query<{ seq: number }, [string]>(
      `SELECT seq FROM tracks INDEXED BY tracks_in_inbox
       WHERE owner_id = ? AND in_inbox = 1 AND analysis_version_id IS NOT NULL AND deleted_at IS NULL`,
    )
    .all(shard.ownerId);
  const slots = new Set(rows.map(({ seq }) => slotOf(mirror, shard, seq)));
  slots.delete(-1);
  return slots;
}
