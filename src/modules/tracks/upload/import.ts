import { basename } from "node:path";
import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { tracks, versions } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { sniffFile } from "../../../media/formats/sniff.ts";
import { addTracks, discardTrackFile, stageTrackFile } from "./create.ts";

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
  ownerId: string,
  path: string,
): Promise<Imported> {
  const filename = basename(path);
  const file = await stageTrackFile(deps, { filename, bytes: Bun.file(path).stream() });
  try {
    const known = findTrackWithBytes(deps.db, ownerId, file.staged.sha256);
    if (known !== undefined) return { trackId: known, isNew: false };
    const [created] = addTracks(deps, ownerId, [{ ...file, visible: true }]);
    if (!created) throw new Error("A file was added without a track");
    return { trackId: created.id, isNew: true };
  } finally {
    await discardTrackFile(file);
  }
}

/** Returns the account's track that has a version with these bytes. Served by index `versions_by_blob`. */
export function findTrackWithBytes(db: Db, ownerId: string, sha256: string): string | undefined {
  return db
    .select({ id: tracks.id })
    .from(versions)
    .innerJoin(tracks, eq(tracks.id, versions.trackId))
    .where(and(eq(versions.sha256, sha256), eq(tracks.ownerId, ownerId), isNull(tracks.deletedAt)))
    .get()?.id;
}
