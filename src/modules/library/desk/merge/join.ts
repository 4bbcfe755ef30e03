import { transact } from "../../../../../db/client.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { binTrack } from "../../bin/service.ts";
import { getOwnedTrack } from "../../catalog/service.ts";
import { readPath } from "../../uploads/service.ts";
import { copyVersions } from "../../versions/service.ts";
import type { JoinedTracks, JoinTrack } from "./shapes.ts";

/**
 * Makes the versions of one track versions of another, and moves the first into the bin, as it was: restoring it takes nothing
 * from the other.
 *
 * @throws DomainError `track_not_found`; `validation_failed` for one track twice.
 */
export function joinTracks(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: string,
  trackId: string,
  { trackId: otherId, activate = true }: JoinTrack,
): JoinedTracks {
  return transact(db, (tx) => {
    const at = now();
    const labelOf = (name: string) => readPath(name)[0].label || null;
    const pair = { ownerId, trackId, otherId };
    const copied = copyVersions(tx, pair, { activate, labelOf, at });
    binTrack(tx, getOwnedTrack(tx, ownerId, otherId), at);
    return { trackId, binnedTrackId: otherId, ...copied };
  });
}
