import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { originalsOf } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { newId } from "../../../kernel/ids.ts";
import { requestMarking } from "../../sharing/marks/service.ts";
import { requestAnalysis } from "../analysis/service.ts";
import {
  getOwnedTrack,
  insertVersion,
  type OwnedTrack,
  reviewsOf,
  takeVersionOrder,
  updateTrack,
  type VersionRow,
} from "../catalog/service.ts";
import { deleteSuggestions } from "../tags/service.ts";
import type { StagedTrackFile } from "../tracks/service.ts";
import { announceAudio } from "./announce.ts";
import type { Version } from "./shapes.ts";
import { EDITOR, getVersionOf, toVersion } from "./version.ts";

/** A staged file, and the details of the version that it becomes. */
export type NewVersion = {
  file: StagedTrackFile;
  /** Default: the file's name. */
  name?: string | undefined;
  /** Default: `v2` for the second version, `v3` for the third; null: no label. */
  label?: string | null | undefined;
  /** True: the track plays this version from now on. */
  activate: boolean;
};

type AddDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/**
 * Adds a version to an account's track and, if asked to, makes it the active one. The track is then analysed again;
 * the old measurements stay in force until there are new ones (decision 4.54). File and rows are written in one
 * transaction. On success the staged file has been moved; otherwise the caller discards it.
 *
 * @throws DomainError `track_not_found`.
 */
export function addVersion(deps: AddDeps, ownerId: LibraryId, trackId: string, added: NewVersion): Version {
  const { db, settings } = deps;
  try {
    return transact(db, (tx) => {
      const at = deps.now();
      const track = getOwnedTrack(tx, ownerId, trackId);
      originalsOf(settings).place(tx, added.file.staged);
      const version = insert(tx, track, added, at);
      if (added.activate) playAdded(tx, track, version, at);
      const activeVersionId = added.activate ? version.id : track.activeVersionId;
      return toVersion(deps, EDITOR, version, { activeVersionId, reviews: reviewsOf(tx, trackId) });
    });
  } catch (error) {
    transact(db, (tx) => originalsOf(settings).takeBack(tx, added.file.staged));
    throw error;
  }
}

function insert(tx: Db, track: OwnedTrack, { file, name, label }: NewVersion, at: number): VersionRow {
  const { staged, format, filename } = file;
  const order = takeVersionOrder(tx, track.id);
  return insertVersion(tx, {
    id: newId("ver"),
    trackId: track.id,
    versionOrder: order,
    label: label === undefined ? `v${order + 1}` : label,
    name: name ?? filename,
    // Replacing the audio leaves the track shown or hidden as before; only PATCH changes that (decision 3.3).
    visible: getVersionOf(tx, track.id, track.activeVersionId).visible,
    sha256: staged.sha256,
    sizeBytes: staged.sizeBytes,
    mediaType: format.mediaType,
    container: format.container,
    createdAt: at,
  });
}

/**
 * Has a track play a version that it got. Suggestions for the old audio go at once, its measurements when the new one has been
 * analysed. Call it inside a transaction.
 */
export function playAdded(tx: Db, track: OwnedTrack, version: VersionRow, at: number): void {
  updateTrack(tx, track.id, { activeVersionId: version.id, cid: "" }); // unknown until it is analysed
  deleteSuggestions(tx, track.id);
  requestAnalysis(tx, track.id, at);
  requestMarking(tx, track.id, at);
  announceAudio(tx, track, ["audio"], at);
}
