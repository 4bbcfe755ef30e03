import {
  listPartials,
  PARTIALS_FOLDER,
  partialBytes,
  partialPath,
  removePartial,
} from "../../../blobs/partial.ts";
import type { Shelf } from "../../../blobs/quarantine.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import * as queries from "./queries.ts";

/** An upload that was announced but never begun releases its space after this time. */
const NEVER_BEGUN_MS = HOUR_MS;

/** The shelf of uploads; a row names each of them. */
export const uploadShelf: Shelf = {
  folder: PARTIALS_FOLDER,
  isOurs: isUploadId,
  isNamed: (db, id) => queries.findById(db, id) !== undefined,
};

/**
 * Deletes expired uploads and the files of submitted ones. The rows of submitted uploads stay for their receipts,
 * without the sender's address after a day. A file without a row stays, because its sender was told that it is kept,
 * and because a restored older database lacks rows too. Returns how many uploads were deleted.
 */
export async function pruneUploads({
  db,
  now,
  settings,
}: Pick<Deps, "db" | "now" | "settings">): Promise<{ removed: number }> {
  const at = now();
  let removed = 0;
  queries.forgetClients(db, at);
  for (const { id, expiresAt } of queries.listOver(db, at, at - NEVER_BEGUN_MS)) {
    const path = partialPath(settings, id);
    const bytes = (await partialBytes(path)) ?? 0;
    // Bytes that came before a crash are in the file but not in the row.
    if (expiresAt > at && bytes > 0) {
      queries.updateUpload(db, id, { receivedBytes: bytes });
      continue;
    }
    queries.deleteUpload(db, id);
    await removePartial(path);
    removed++;
  }
  for (const id of (await listPartials(settings)).filter(isUploadId))
    if (queries.findById(db, id)?.batchId) await removePartial(partialPath(settings, id));
  return { removed };
}

function isUploadId(name: string): boolean {
  return /^[\w-]{22}$/.test(name);
}
