import type { LibraryId } from "../../../../db/schema.ts";
import {
  type Arrivals,
  appendToArrival,
  dropArrival,
  type Reached,
  resumeArrival,
} from "../../../blobs/arriving.ts";
import { createPartial, partialPath } from "../../../blobs/partial.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { requireRoom } from "../../../kernel/disk.ts";
import { displayName } from "../../../kernel/display-name.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { newToken } from "../../../kernel/ids.ts";
import { MAX_FILE_BYTES, MAX_FILE_SIZE } from "../../../kernel/limits.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import type { Turns } from "../../../kernel/turns.ts";
import { sniffFile } from "../../../media/formats/sniff.ts";
import { getOwnedTrack } from "../catalog/service.ts";
import type { UploadRow } from "./queries.ts";
import * as queries from "./queries.ts";
import { ARRIVAL_KEPT_DAYS } from "./shapes.ts";

/** An upload lasts this long after its last byte, and a finished one as long after that. */
export const KEPT_MS = ARRIVAL_KEPT_DAYS * DAY_MS;

type ArrivalDeps = Pick<Deps, "db" | "now" | "settings">;

/** A file that an owner is about to send. */
export type Announced = {
  path: string;
  sizeBytes: number;
  /** The sender's own name for it: the same announcement again, after a lost answer, is the same upload. */
  senderKey?: string | undefined;
  /** The track whose new version it becomes; left out: it becomes a track. */
  trackId?: string | undefined;
};

/**
 * Begins an upload of announced length, or returns the one that its sender announced before.
 *
 * @throws DomainError `validation_failed` when the file is empty; `file_too_large`, `insufficient_storage`,
 *   `track_not_found`.
 */
export async function beginUpload(
  deps: ArrivalDeps,
  turns: Turns,
  accountId: LibraryId,
  { path, sizeBytes, senderKey, trackId }: Announced,
): Promise<Reached<UploadRow>> {
  if (sizeBytes === 0) throw invalidField("file", "empty", "must not be empty");
  if (sizeBytes > MAX_FILE_BYTES)
    throw new DomainError("file_too_large", `A file may be at most ${MAX_FILE_SIZE}`);
  const earlier = senderKey === undefined ? undefined : await findEarlier(deps, turns, accountId, senderKey);
  if (earlier?.row.sizeBytes === sizeBytes) return earlier;
  requireRoom(deps.settings, sizeBytes);
  if (trackId !== undefined) getOwnedTrack(deps.db, accountId, trackId);
  const at = deps.now();
  const row = queries.insertUpload(deps.db, {
    id: newToken(16),
    accountId,
    senderKey: earlier ? null : (senderKey ?? null),
    path,
    forTrackId: trackId ?? null,
    sizeBytes,
    createdAt: at,
    expiresAt: at + KEPT_MS,
  });
  // Another request with the same key was faster.
  if (!row) return beginUpload(deps, turns, accountId, { path, sizeBytes, senderKey, trackId });
  try {
    await createPartial(partialPath(deps.settings, row.id));
  } catch (error) {
    queries.deleteUpload(deps.db, row.id);
    throw error;
  }
  return { row, offset: 0 };
}

/** Returns an upload with the sender's key; one that has expired is deleted. */
async function findEarlier(
  deps: ArrivalDeps,
  turns: Turns,
  accountId: LibraryId,
  senderKey: string,
): Promise<Reached<UploadRow> | undefined> {
  const row = queries.findUploadByKey(deps.db, accountId, senderKey);
  if (!row) return undefined;
  if (row.outcome !== null) return { row, offset: row.sizeBytes };
  const reached = await resumeArrival(arrivalsOf(deps, turns, accountId), row.id).catch(() => undefined);
  if (!reached) queries.deleteUpload(deps.db, row.id);
  return reached;
}

/** Returns an account's upload that can continue, or is finished, and its offset. @throws DomainError `not_found`. */
export async function findUpload(
  deps: ArrivalDeps,
  turns: Turns,
  accountId: LibraryId,
  id: string,
): Promise<Reached<UploadRow>> {
  const row = queries.findUpload(deps.db, accountId, id, deps.now());
  if (row && row.outcome !== null) return { row, offset: row.sizeBytes };
  return resumeArrival(arrivalsOf(deps, turns, accountId), id);
}

/** Adds to an account's upload, as `appendToArrival` does. */
export const appendToUpload = (
  deps: ArrivalDeps,
  turns: Turns,
  accountId: LibraryId,
  piece: { id: string; offset: number; body: ReadableStream<Uint8Array> | null },
): Promise<Reached<UploadRow> & { isTaken: boolean }> =>
  appendToArrival(arrivalsOf(deps, turns, accountId), piece);

/** Drops an account's unfinished upload. @throws DomainError `not_found`. */
export const dropUpload = (
  deps: ArrivalDeps,
  turns: Turns,
  accountId: LibraryId,
  id: string,
): Promise<void> => dropArrival(arrivalsOf(deps, turns, accountId), id);

/** The unfinished uploads of an account. */
export function arrivalsOf(
  { db, now, settings }: ArrivalDeps,
  turns: Turns,
  accountId: LibraryId,
): Arrivals<UploadRow & { name: string }> {
  return {
    settings,
    turns,
    find: (id) => {
      const row = queries.findUpload(db, accountId, id, now());
      return row?.outcome === null ? { ...row, name: displayName(row.path) } : undefined;
    },
    update: (id, change) => queries.prolongUpload(db, id, { ...change, expiresAt: now() + KEPT_MS }, now()),
    delete: (id) => queries.deleteUpload(db, id),
    checkDisk: (sizeBytes) => requireRoom(settings, sizeBytes),
    isAccepted: async (path) => (await sniffFile(path)) !== undefined,
  };
}
