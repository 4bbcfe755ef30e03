import { basename } from "node:path";
import { type Db, prepared } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { sniffFile } from "../../../../media/formats/sniff.ts";
import { addTracks, discardTrackFile, keepTrackFiles, stageTrackFile } from "./create.ts";

/** The result of importing a file from this machine. */
export type Imported = { trackId: string; isNew: boolean };

/** True when a file's content is audio that the library accepts. */
export async function isAudioFile(path: string): Promise<boolean> {
  return (await sniffFile(path)) !== undefined;
}

/**
 * Imports a file from this machine into an account's library, like an upload. If the account already has a file with
 * the same bytes, that track is returned instead.
 *
 * @throws DomainError, as `stageTrackFile` and `addTracks` do.
 */
export async function importFile(
  deps: Pick<Deps, "db" | "now" | "settings">,
  ownerId: LibraryId,
  path: string,
): Promise<Imported> {
  const filename = basename(path);
  const file = await stageTrackFile(deps, { filename, bytes: Bun.file(path).stream() });
  try {
    const known = findTrackWithBytes(deps.db, ownerId, file.staged.sha256);
    if (known !== undefined) return { trackId: known, isNew: false };
    await keepTrackFiles(deps, [file]);
    const [created] = addTracks(deps, ownerId, [{ ...file, visible: true }]);
    if (!created) throw new Error("A file was added without a track");
    return { trackId: created.id, isNew: true };
  } finally {
    await discardTrackFile(file);
  }
}

const trackWithBytes = prepared((db) =>
  db.$client.prepare<{ id: string }, [string, string]>(
    `SELECT t.id FROM versions v INDEXED BY versions_by_blob CROSS JOIN tracks t ON t.id = v.track_id
     WHERE v.sha256 = ? AND t.owner_id = ? AND t.deleted_at IS NULL AND t.in_inbox = 0 LIMIT 1`,
  ),
);

/** Returns the account's track that has a version with these bytes. */
export function findTrackWithBytes(db: Db, ownerId: LibraryId, sha256: string): string | undefined {
  return trackWithBytes(db).get(sha256, ownerId)?.id;
}
