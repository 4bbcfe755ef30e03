import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { requestAnalysis } from "../analysis/service.ts";
import {
  getOwnedTrack,
  insertVersion,
  type OwnedTrack,
  takeVersionOrder,
  type VersionRow,
} from "../catalog/service.ts";
import { copyTimed } from "../lyrics/service.ts";
import { playAdded } from "./add.ts";
import { playVersion } from "./many.ts";
import { listVersions } from "./queries.ts";
import { getVersionOf } from "./version.ts";

/** The versions that a track got, oldest first; the one that it played before, and the one that it plays now. */
export type CopiedVersions = {
  versionIds: string[];
  versionBefore: string;
  versionAfter: string;
  /** Which version of the track has the bytes of each version of the other. */
  versions: ReadonlyMap<string, string>;
};

type Pair = { ownerId: LibraryId; trackId: string; otherId: string };
type Copying = { activate: boolean; labelOf: (name: string) => string | null; at: number };

/**
 * Gives a track the versions of another one, behind its own, without those whose bytes it has. With `activate` it plays what the
 * other plays. A version whose label is taken, or that has none, is called by its number. The other track stays as it is. Call
 * it inside a transaction.
 *
 * @throws DomainError `track_not_found`; `validation_failed` for one track twice.
 */
export function copyVersions(
  tx: Db,
  deps: Pick<Deps, "ffmpegPath">,
  { ownerId, trackId, otherId }: Pair,
  { activate, labelOf, at }: Copying,
): CopiedVersions {
  const track = getOwnedTrack(tx, ownerId, trackId);
  const other = getOwnedTrack(tx, ownerId, otherId);
  if (trackId === otherId)
    throw new DomainError("validation_failed", "A track cannot be a version of itself");
  const { visible } = getVersionOf(tx, trackId, track.activeVersionId);
  const own = listVersions(tx, trackId);
  const copies: VersionRow[] = [];
  const versions = new Map<string, string>();
  for (const row of listVersions(tx, otherId)) {
    const same = own.find(({ sha256 }) => sha256 === row.sha256);
    if (same) {
      versions.set(row.id, same.id);
      continue;
    }
    const versionOrder = takeVersionOrder(tx, trackId);
    const named = row.label ?? labelOf(row.name);
    const isTaken = [...own, ...copies].some(({ label }) => label === named);
    const label = named === null || isTaken ? `v${versionOrder + 1}` : named;
    const place = { id: newId("ver"), trackId, versionOrder, visible, analysedAt: null };
    copies.push(insertVersion(tx, { ...row, ...place, label }));
    copyTimed(tx, row.id, place.id);
    versions.set(row.id, place.id);
  }
  const { sha256 } = getVersionOf(tx, otherId, other.activeVersionId);
  const wanted = [...copies, ...own].find((version) => version.sha256 === sha256);
  if (activate && wanted) play(tx, deps, { track, version: wanted, isCopy: copies.includes(wanted) }, at);
  return {
    versionIds: copies.map(({ id }) => id),
    versionBefore: track.activeVersionId,
    versionAfter: activate && wanted ? wanted.id : track.activeVersionId,
    versions,
  };
}

type Wanted = { track: OwnedTrack; version: VersionRow; isCopy: boolean };

function play(tx: Db, deps: Pick<Deps, "ffmpegPath">, { track, version, isCopy }: Wanted, at: number): void {
  if (isCopy) playAdded(tx, track, version, at);
  else if (playVersion(tx, deps, track, version.id, at) !== undefined) requestAnalysis(tx, track.id, at);
}
