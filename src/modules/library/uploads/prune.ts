import { removeArrival } from "../../../blobs/arriving.ts";
import { listPartials, partialBytes, partialPath, removePartial } from "../../../blobs/partial.ts";
import { inNameOf } from "../../../kernel/current-request.ts";
import { createTurns, type Turns } from "../../../kernel/turns.ts";
import { reachesAll } from "../../people/rooms/service.ts";
import { arrivalsOf, KEPT_MS } from "./arrivals.ts";
import { finishUploads } from "./finish.ts";
import type { UploadRow } from "./queries.ts";
import * as queries from "./queries.ts";

type PruneDeps = Parameters<typeof finishUploads>[0];

/**
 * Ends uploads that have expired. One that has not arrived whole is deleted. One that has, and that its sender did not
 * finish, goes into the library: nothing that was received whole is lost. Also deletes files that finished uploads left
 * in a crash. Returns how many uploads were deleted.
 */
export async function pruneOwnerUploads(deps: PruneDeps): Promise<{ removed: number }> {
  const { db, now, settings } = deps;
  let removed = 0;
  for (const row of queries.listExpired(db, now())) if (await end(deps, row)) removed++;
  for (const id of queries.finishedAmong(db, await listPartials(settings)))
    await removePartial(partialPath(settings, id));
  return { removed };
}

/** Returns true when the upload was deleted. */
async function end(deps: PruneDeps, row: UploadRow): Promise<boolean> {
  const { db, now, settings } = deps;
  const turns = createTurns();
  const isWhole =
    row.outcome === null && (await partialBytes(partialPath(settings, row.id))) === row.sizeBytes;
  if (isWhole) {
    // Nobody has said that it is no version of what was offered.
    queries.updateUpload(db, row.id, { expiresAt: now() + KEPT_MS, offeredTrackId: null });
    const sender = { accountId: row.accountId, personId: row.madeBy, keyId: null };
    await inNameOf(sender, now, () => finish(deps, turns, row));
    return false;
  }
  await removeArrival(arrivalsOf(deps, turns, row.accountId), row.id);
  return true;
}

async function finish(deps: PruneDeps, turns: Turns, row: UploadRow): Promise<void> {
  const item = { id: row.id, path: row.path };
  // What a guest sent in plays only when somebody of the library says so.
  const { accountId, madeBy } = row;
  const waits =
    madeBy !== null && !reachesAll(deps.db, accountId, madeBy, deps.now())
      ? { activate: false, sentBy: madeBy }
      : {};
  const asAnnounced = row.forTrackId === null ? item : { ...item, trackId: row.forTrackId, ...waits };
  const [first] = await finishUploads(deps, turns, row.accountId, [asAnnounced]);
  // Its track may have been deleted.
  if (first?.messageCode === "track_not_found") await finishUploads(deps, turns, row.accountId, [item]);
}
