import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import * as queries from "./queries.ts";
import type { RecordingGroup } from "./recording.ts";

/** Groups of an account's tracks by the sound of their active versions, the largest first, then the oldest. */
export type RecordingGroups = {
  /** The same samples in files with different bytes. */
  sameAudio: RecordingGroup[];
  /** The same mix in files whose samples are not all the same; `similarity` is that of the weakest link. */
  similar: RecordingGroup[];
};

/** Finds both kinds of groups; each group has at least two tracks, oldest first. */
export function listRecordingGroups(db: Db, ownerId: LibraryId): RecordingGroups {
  const tracks = queries.listSharedTracks(db, ownerId);
  const byRecording = Map.groupBy(tracks, ({ recordingId }) => recordingId);
  const sameAudio = [...byRecording.values()].filter(
    (group) => new Set(group.map(({ cid }) => cid)).size > 1,
  );
  const links = queries
    .listPairs(db, ownerId)
    .filter(({ one, other }) => byRecording.has(one) && byRecording.has(other));
  return {
    sameAudio: ordered(sameAudio.map((group) => ({ trackIds: group.map(({ id }) => id), similarity: 1 }))),
    similar: ordered(similarGroups(tracks, links)),
  };
}

type Link = { one: number; other: number; similarity: number };

function similarGroups(tracks: readonly queries.RecordedTrack[], links: readonly Link[]): RecordingGroup[] {
  const parents = new Map<number, number>();
  const rootOf = (id: number): number => {
    const parent = parents.get(id) ?? id;
    if (parent === id) return id;
    const root = rootOf(parent);
    parents.set(id, root);
    return root;
  };
  for (const { one, other } of links) parents.set(rootOf(one), rootOf(other));
  const weakest = new Map<number, number>();
  for (const { one, similarity } of links)
    weakest.set(rootOf(one), Math.min(weakest.get(rootOf(one)) ?? 1, similarity));
  const groups = Map.groupBy(tracks, ({ recordingId }) => rootOf(recordingId));
  return [...weakest].map(([root, similarity]) => ({
    trackIds: (groups.get(root) ?? []).map(({ id }) => id),
    similarity,
  }));
}

const ordered = (groups: readonly RecordingGroup[]) =>
  groups.toSorted((a, b) => b.trackIds.length - a.trackIds.length);
