import {
  listPartials,
  PARTIALS_FOLDER,
  partialBytes,
  partialPath,
  removePartial,
} from "../../blobs/partial.ts";
import type { Shelf } from "../../blobs/quarantine.ts";
import type { Deps } from "../../kernel/deps.ts";
import { HOUR_MS } from "../../kernel/time.ts";
import * as queries from "./queries.ts";

/** An upload that was announced and never begun gives its room back after this time. */
const NEVER_BEGUN_MS = HOUR_MS;

/** The uploads, named by their rows. */
export const uploadShelf: Shelf = {
  folder: PARTIALS_FOLDER,
  isOurs: isUploadId,
  isNamed: (db, id) => queries.findById(db, id) !== undefined,
};

/**
 * Deletes uploads whose day is over, and the files of submitted ones. The rows of submitted ones stay for their receipts,
 * without the sender's address once its day is over. A file without a row stays: its sender was told that it is kept, and
 * an older database lacks rows too. Returns how many uploads went.
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
    // What came before a crash is in the file and not in the row.
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
