import { transact } from "../../../db/client.ts";
import type { Deps } from "../../kernel/deps.ts";
import { originalPath } from "../kept.ts";
import { isNamed } from "../named.ts";
import type { Removed } from "../originals.ts";
import type { DataDir } from "../paths.ts";
import { whileNothingHeld } from "../removal.ts";
import type { Bucket } from "./client.ts";
import { isOurs } from "./marker.ts";
import { beginDeleting, deleteRemoval, endDeleting, findRemoval, listDue } from "./removals.ts";

type EmptyDeps = Pick<Deps, "db" | "now">;
type Place = { settings: DataDir; bucket: Bucket };

/** Small enough that a backup waits only a moment. */
const BATCH = 8;

/**
 * Deletes the objects of a bucket that have waited for `olderThanMs`. None is deleted that a version names, while a backup
 * runs, or when another server has used the bucket since.
 *
 * @throws DomainError `storage_unavailable`. The next call finishes an interrupted one.
 */
export async function emptyBucket(deps: EmptyDeps, place: Place, olderThanMs = 0): Promise<Removed> {
  const removed: Removed = { deleted: 0, bytes: 0, heldBy: undefined };
  const due = { until: deps.now() - olderThanMs, limit: BATCH };
  let batch = listDue(deps.db, { ...due, after: "" });
  if (batch.length > 0 && !(await isOurs(deps, place.bucket)))
    return { ...removed, heldBy: "older_database" };
  while (batch.length > 0) {
    const current = batch;
    const sizes = await whileNothingHeld(place.settings, () =>
      Promise.all(current.map((sha256) => deleteOne(deps, place.bucket, sha256))),
    );
    if (!sizes) return { ...removed, heldBy: "backup" };
    for (const size of sizes)
      if (size !== undefined) {
        removed.deleted++;
        removed.bytes += size;
      }
    batch = listDue(deps.db, { ...due, after: batch.at(-1) ?? "" });
  }
  return removed;
}

/** Returns the size of the object that was deleted; undefined when there was none, or it stays. */
async function deleteOne(
  { db, now }: EmptyDeps,
  bucket: Bucket,
  sha256: string,
): Promise<number | undefined> {
  const at = now();
  const mayGo = transact(db, (tx) => {
    if (!findRemoval(tx, sha256)) return false;
    if (isNamed(tx, sha256)) deleteRemoval(tx, sha256);
    else beginDeleting(tx, sha256, at);
    return !isNamed(tx, sha256);
  });
  if (!mayGo) return undefined;
  const key = originalPath(sha256);
  const size = await bucket.sizeOf(key);
  await bucket.delete(key);
  transact(db, (tx) => endDeleting(tx, sha256, at));
  return size;
}
