import type { Db } from "../../db/client.ts";
import { events } from "../../db/schema.ts";
import { newId } from "./ids.ts";

/** Events of specification section 6 with decisions 6.1 and 6.8. Receivers treat the set as open. */
export type EventData = {
  "track.audio_profile_completed": { trackId: string; activeVersionId: string; analysisStatus: string };
  "track.updated": { trackId: string; name: string; changed: string[] };
};

/** Puts an event into the outbox. Call it inside the transaction that makes it true. */
export function emit<Type extends keyof EventData>(
  tx: Db,
  ownerId: string,
  type: Type,
  data: EventData[Type],
  at: number,
): void {
  tx.insert(events)
    .values({ id: newId("evt"), ownerId, type, data, at })
    .run();
}
