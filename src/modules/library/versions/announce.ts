import type { Db } from "../../../../db/client.ts";
import { emit } from "../../../kernel/events.ts";
import { notify } from "../../people/notifications/service.ts";
import type { OwnedTrack } from "../catalog/service.ts";

/** Announces a change to a track, once per request; `changed` names the changed fields (decision 6.9). */
export function announceChange(tx: Db, track: OwnedTrack, changed: string[], at: number): void {
  emit(tx, track.ownerId, "track.updated", { trackId: track.id, name: track.name, changed }, at);
}

/** Announces a change, and notifies the owner that the track now plays another file (decision 3.8). */
export function announceAudio(tx: Db, track: OwnedTrack, changed: string[], at: number): void {
  announceChange(tx, track, changed, at);
  notify(
    tx,
    {
      accountId: track.ownerId,
      kind: "track.audio_replaced",
      title: `The audio of ${track.name} was replaced`,
      entityKey: "track",
      entityId: track.id,
    },
    at,
  );
}
