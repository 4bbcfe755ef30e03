import { transact } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { invalidField } from "../../../../kernel/errors.ts";
import { newId } from "../../../../kernel/ids.ts";
import { MINUTE_MS } from "../../../../kernel/time.ts";
import { forgetMixFound } from "../../../people/notifications/service.ts";
import { copyNotes } from "../../../sharing/comments/service.ts";
import { binTrack } from "../../bin/service.ts";
import { getOwnedTrack } from "../../catalog/service.ts";
import { takePlace } from "../../families/service.ts";
import { countMixOffers, declineMix, moveOffers } from "../../recordings/service.ts";
import { readPath } from "../../uploads/service.ts";
import { copyVersions } from "../../versions/service.ts";
import { insertSteps, insertUndo } from "../undo-queries.ts";
import type { JoinedTracks, JoinTrack, KeepApart, KeptApart } from "./shapes.ts";

/** How long a join can be undone. */
const UNDO_MS = 10 * MINUTE_MS;

/**
 * Makes the versions of one track versions of another, with what was said of them and its place in a set, and moves the first into the bin, as it was:
 * restoring it takes nothing from the other. The whole can be undone.
 *
 * @throws DomainError `track_not_found`; `validation_failed` for one track twice.
 */
export function joinTracks(
  { db, now, ffmpegPath }: Pick<Deps, "db" | "now" | "ffmpegPath">,
  ownerId: LibraryId,
  trackId: string,
  { trackId: otherId, activate = true }: JoinTrack,
): JoinedTracks {
  return transact(db, (tx) => {
    const at = now();
    const labelOf = (name: string) => readPath(name)[0].label || null;
    const [pair, how] = [
      { ownerId, trackId, otherId },
      { activate, labelOf, at },
    ];
    const { versionAfter, versions, ...copied } = copyVersions(tx, { ffmpegPath }, pair, how);
    const notes = copyNotes(tx, { from: otherId, to: trackId, versions, at });
    binTrack(tx, getOwnedTrack(tx, ownerId, otherId), at);
    moveOffers(tx, otherId, trackId);
    const family = takePlace(tx, { from: otherId, to: trackId });
    forgetMixFound(tx, { accountId: ownerId, trackId: otherId, count: countMixOffers(tx, ownerId) });
    const undoId = newId("undo");
    insertUndo(tx, { id: undoId, accountId: ownerId, createdAt: at, until: at + UNDO_MS });
    insertSteps(tx, undoId, trackId, [
      { kind: "join", binnedTrackId: otherId, versionAfter, notes, ...copied, ...(family && { family }) },
    ]);
    return { trackId, binnedTrackId: otherId, undoId, ...copied };
  });
}

/**
 * Remembers that two tracks are not versions of one: nobody asks again.
 *
 * @throws DomainError `track_not_found`; `validation_failed` for one track twice.
 */
export function keepApart(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  trackId: string,
  { trackId: otherId }: KeepApart,
): KeptApart {
  return transact(db, (tx) => {
    const at = now();
    for (const id of [trackId, otherId]) getOwnedTrack(tx, ownerId, id);
    if (trackId === otherId) throw invalidField("trackId", "same", "must be another track");
    declineMix(tx, { trackId, otherId, ownerId, at });
    forgetMixFound(tx, { accountId: ownerId, trackId, count: countMixOffers(tx, ownerId) });
    return { ok: true as const, id: trackId };
  });
}
