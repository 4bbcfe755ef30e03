import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { type CopiedNotes, dropCopies } from "../../../sharing/comments/service.ts";
import { requestAnalysis } from "../../analysis/service.ts";
import { unbinTrack } from "../../bin/service.ts";
import {
  deleteVersion,
  findOwnedTrack,
  findVersion,
  getOwnedTrack,
  giveBackVersionOrders,
} from "../../catalog/service.ts";
import { type FormerPlace, givePlaceBack } from "../../families/service.ts";
import { playVersion } from "../../versions/service.ts";

/** What joining two tracks did. */
export type JoinStep = {
  kind: "join";
  binnedTrackId: string;
  versionIds: string[];
  versionBefore: string;
  versionAfter: string;
  /** Left out: in steps of earlier programs. */
  notes?: CopiedNotes;
  /** The place in a set that the track got. */
  family?: FormerPlace;
};

/**
 * Separates two tracks that were joined: the one in the bin comes back, and the other one loses the versions that it got, and plays
 * what it played before unless it plays something else by now. Copies of notes that somebody has replied to since stay. Call it inside a transaction.
 *
 * @throws DomainError `changed_since` when one of the tracks is gone for good, or has nothing else to play; `track_not_found`.
 */
export function separate(
  tx: Db,
  deps: Pick<Deps, "ffmpegPath">,
  { ownerId, trackId, at }: { ownerId: LibraryId; trackId: string; at: number },
  { binnedTrackId, versionIds, versionBefore, versionAfter, notes, family }: JoinStep,
): void {
  const isBack = unbinTrack(tx, ownerId, binnedTrackId, at) || findOwnedTrack(tx, ownerId, binnedTrackId);
  const track = getOwnedTrack(tx, ownerId, trackId);
  const isPlaying = track.activeVersionId === versionAfter || versionIds.includes(track.activeVersionId);
  const isPlayable = findVersion(tx, versionBefore)?.trackId === trackId;
  if (!isBack || (isPlaying && !isPlayable))
    throw new DomainError("changed_since", "This was changed again since, so it is not undone");
  if (isPlaying && playVersion(tx, deps, track, versionBefore, at) !== undefined)
    requestAnalysis(tx, trackId, at);
  giveBack(tx, { binnedTrackId, notes, family }, trackId);
  // The track that is back has the same bytes: no file goes.
  const copies = versionIds.map((id) => findVersion(tx, id)).filter((copy) => copy?.trackId === trackId);
  for (const copy of copies) if (copy) deleteVersion(tx, copy.id);
  if (copies[0]) giveBackVersionOrders(tx, trackId, copies[0].versionOrder);
}

function giveBack(
  tx: Db,
  {
    binnedTrackId,
    notes,
    family,
  }: Pick<JoinStep, "binnedTrackId"> & {
    notes: CopiedNotes | undefined;
    family: FormerPlace | undefined;
  },
  trackId: string,
): void {
  if (notes) dropCopies(tx, notes);
  if (family) givePlaceBack(tx, family, { from: binnedTrackId, to: trackId });
}
