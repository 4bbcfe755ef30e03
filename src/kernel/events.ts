import type { Db } from "../../db/client.ts";
import { events } from "../../db/schema.ts";
import { newId } from "./ids.ts";

type ShareholderLink = { trackId: string; shareholderId: string; share: number; role: string };
type PublisherLink = { trackId: string; shareholderId: string; publisher: string };

/** Events of specification section 6 with decisions 6.1 and 6.8. Receivers treat the set as open. */
export type EventData = {
  "track.audio_profile_completed": { trackId: string; activeVersionId: string; analysisStatus: string };
  "track.updated": { trackId: string; name: string; changed: string[] };
  "composer.created": { composerId: string; changed: string[] };
  "composer.updated": { composerId: string; changed: string[] };
  "shareholder.linked_to_track": ShareholderLink;
  "shareholder.track_updated": ShareholderLink;
  "shareholder.unlinked_from_track": ShareholderLink;
  "publisher.linked_to_track": PublisherLink;
  "publisher.track_updated": PublisherLink;
  "publisher.unlinked_from_track": PublisherLink;
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
