import type { Db } from "../../../../db/client.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { getOwnedTrack, insertVersion, takeVersionOrder } from "../catalog/service.ts";
import { playAdded } from "./add.ts";
import { listVersions } from "./queries.ts";
import { getVersionOf } from "./version.ts";

/** The versions that a track got, oldest first, and the one that it played before. */
export type CopiedVersions = { versionIds: string[]; versionBefore: string };

type Pair = { ownerId: string; trackId: string; otherId: string };

/**
 * Gives a track the versions of another one, behind its own, without those whose bytes it has. With `activate` it plays what the
 * other played, if that was copied. The other track stays as it is. Call it inside a transaction.
 *
 * @throws DomainError `track_not_found`; `validation_failed` for one track twice.
 */
export function copyVersions(
  tx: Db,
  { ownerId, trackId, otherId }: Pair,
  { activate, labelOf, at }: { activate: boolean; labelOf: (name: string) => string | null; at: number },
): CopiedVersions {
  const track = getOwnedTrack(tx, ownerId, trackId);
  const other = getOwnedTrack(tx, ownerId, otherId);
  if (trackId === otherId)
    throw new DomainError("validation_failed", "A track cannot be a version of itself");
  const { visible } = getVersionOf(tx, trackId, track.activeVersionId);
  const known = new Set(listVersions(tx, trackId).map(({ sha256 }) => sha256));
  const versionIds: string[] = [];
  for (const row of listVersions(tx, otherId)) {
    if (known.has(row.sha256)) continue;
    const id = newId("ver");
    const place = { id, trackId, versionOrder: takeVersionOrder(tx, trackId), visible, analysedAt: null };
    const copy = insertVersion(tx, { ...row, ...place, label: row.label ?? labelOf(row.name) });
    versionIds.push(id);
    if (activate && row.id === other.activeVersionId) playAdded(tx, track, copy, at);
  }
  return { versionIds, versionBefore: track.activeVersionId };
}
