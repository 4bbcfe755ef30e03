import type { Db } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { requestAnalysis } from "../analysis/service.ts";
import { getOwnedTrack, type OwnedTrack } from "../catalog/service.ts";
import { labelVersion, newestVersionOf, playVersion, readLabel, showOthers } from "../versions/service.ts";
import type { BulkDo } from "./bulk/shapes.ts";

/** What a bulk change did to the versions of a track. */
export type VersionStep =
  | { kind: "activate"; before: string; after: string }
  | { kind: "label"; versionId: string; before: string | null; after: string | null }
  | { kind: "others"; versionIds: string[]; visible: boolean };

type Place = Pick<Deps, "ffmpegPath"> & { track: OwnedTrack; at: number };

/** Applies a plan to the versions of a track. Call it inside a transaction. Returns the changed parts. */
export function changeVersions(
  tx: Db,
  { ffmpegPath, track: before, at }: Place,
  { active, label, othersVisible }: NonNullable<BulkDo["version"]>,
): VersionStep[] {
  const steps: VersionStep[] = [];
  const newest = active === "newest" ? newestVersionOf(tx, before.id) : undefined;
  const played = newest === undefined ? undefined : playVersion(tx, { ffmpegPath }, before, newest, at);
  if (newest !== undefined && played !== undefined) {
    // The track's facts are those of the version that plays.
    requestAnalysis(tx, before.id, at);
    steps.push({ kind: "activate", before: played, after: newest });
  }
  const track = played === undefined ? before : getOwnedTrack(tx, before.ownerId, before.id);
  const { activeVersionId: versionId } = track;
  if (label !== undefined) {
    const after = readLabel(label);
    const labelled = labelVersion(tx, track, versionId, { label: after });
    if (labelled) steps.push({ kind: "label", versionId, before: labelled.before, after });
  }
  if (othersVisible !== undefined) {
    const versionIds = showOthers(tx, track, { visible: othersVisible }, at);
    if (versionIds.length > 0) steps.push({ kind: "others", versionIds, visible: othersVisible });
  }
  return steps;
}

/** Takes back one step of versions, unless it was changed since; other steps do nothing. Call it inside a transaction. */
export function undoVersions(
  tx: Db,
  { ffmpegPath, track, at }: Place,
  step: VersionStep | { kind: string },
): void {
  if (isOf(step, "others")) showOthers(tx, track, { visible: !step.visible, ids: step.versionIds }, at);
  if (isOf(step, "label")) labelVersion(tx, track, step.versionId, { label: step.before, from: step.after });
  if (!isOf(step, "activate") || track.activeVersionId !== step.after) return;
  if (playVersion(tx, { ffmpegPath }, track, step.before, at) !== undefined)
    requestAnalysis(tx, track.id, at);
}

function isOf<Kind extends VersionStep["kind"]>(
  step: { kind: string },
  kind: Kind,
): step is Extract<VersionStep, { kind: Kind }> {
  return step.kind === kind;
}
