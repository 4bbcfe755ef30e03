import {
  type Arrivals,
  appendToArrival,
  dropArrival,
  hashOfArrival,
  type Reached,
  resumeArrival,
} from "../../../blobs/arriving.ts";
import { adoptStaged, createPartial, partialPath } from "../../../blobs/partial.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { newToken } from "../../../kernel/ids.ts";
import { MAX_FILE_BYTES, MAX_FILE_SIZE } from "../../../kernel/limits.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import type { Turns } from "../../../kernel/turns.ts";
import { sniffFile } from "../../../media/formats/sniff.ts";
import type { StagedTrackFile } from "../../library/tracks/service.ts";
import type { Door } from "../briefs/service.ts";
import type { UploadRow } from "./queries.ts";
import * as queries from "./queries.ts";
import { checkDisk, checkRoom, type FreeBytes } from "./room.ts";
import { UPLOAD_KEPT_DAYS } from "./shapes.ts";

type UploadDeps = Pick<Deps, "db" | "now" | "settings">;
/** What the uploads of one server share. */
type Shared = { turns: Turns; freeBytes: FreeBytes };

/** A file that a visitor wants to send. */
export type Announced = { name: string; sizeBytes: number; client: string };

/**
 * Begins an upload of announced length; it expires after {@link UPLOAD_KEPT_DAYS}.
 *
 * @throws DomainError `validation_failed` when the file is empty; `file_too_large`; also as `checkRoom`.
 */
export async function beginUpload(
  deps: UploadDeps,
  freeBytes: FreeBytes,
  { briefId }: Pick<Door, "briefId">,
  { name, sizeBytes, client }: Announced,
): Promise<UploadRow> {
  if (sizeBytes === 0) throw invalidField("file", "empty", "must not be empty");
  if (sizeBytes > MAX_FILE_BYTES) throw tooLarge();
  checkRoom(deps, freeBytes, { client, briefId, sizeBytes });
  const row = queries.insertUpload(deps.db, newRow(deps, { briefId, name, sizeBytes, client }));
  try {
    await createPartial(partialPath(deps.settings, row.id));
  } catch (error) {
    queries.deleteUpload(deps.db, row.id);
    throw error;
  }
  return row;
}

/** Keeps a whole file from a form as a finished upload. */
export async function keepWholeFile(
  deps: UploadDeps,
  { briefId }: Pick<Door, "briefId">,
  { staged, filename }: StagedTrackFile,
  client: string,
): Promise<UploadRow> {
  const { sizeBytes, sha256 } = staged;
  const row = newRow(deps, { briefId, name: filename, sizeBytes, client });
  // The row comes first, because a file without a row is deleted.
  const kept = queries.insertUpload(deps.db, { ...row, receivedBytes: sizeBytes, sha256 });
  await adoptStaged(staged, partialPath(deps.settings, row.id));
  return kept;
}

function newRow({ now }: Pick<Deps, "now">, file: Announced & { briefId: string }) {
  const at = now();
  return { id: newToken(16), ...file, createdAt: at, expiresAt: at + UPLOAD_KEPT_DAYS * DAY_MS };
}

/** Returns an upload that can continue, and its offset; waits until a broken connection has released it. */
export const resumeUpload = (
  deps: UploadDeps,
  shared: Shared,
  door: Pick<Door, "briefId">,
  id: string,
): Promise<Reached<UploadRow>> => resumeArrival(arrivalsOf(deps, shared, door), id);

/** Adds to an upload, as `appendToArrival` does. */
export const appendToUpload = (
  deps: UploadDeps,
  shared: Shared,
  door: Pick<Door, "briefId">,
  piece: { id: string; offset: number; body: ReadableStream<Uint8Array> | null },
): Promise<Reached<UploadRow> & { isTaken: boolean }> =>
  appendToArrival(arrivalsOf(deps, shared, door), piece);

/** Drops an upload that was not submitted. @throws DomainError `not_found`. */
export const dropUpload = (
  deps: UploadDeps,
  shared: Shared,
  door: Pick<Door, "briefId">,
  id: string,
): Promise<void> => dropArrival(arrivalsOf(deps, shared, door), id);

/** Returns a finished upload's SHA-256 in lower-case hex; reads the file only the first time. */
export const hashOf = ({ db, settings }: UploadDeps, row: UploadRow): Promise<string> =>
  hashOfArrival({ settings, update: (id, change) => queries.updateUpload(db, id, change) }, row);

/** The uploads to one brief. */
function arrivalsOf(
  { db, now, settings }: UploadDeps,
  { turns, freeBytes }: Shared,
  { briefId }: Pick<Door, "briefId">,
): Arrivals<UploadRow> {
  return {
    settings,
    turns,
    find: (id) => {
      const row = queries.findUpload(db, briefId, id, now());
      return row?.batchId === null ? row : undefined;
    },
    update: (id, change) => queries.updateUpload(db, id, change),
    delete: (id) => queries.deleteUpload(db, id),
    checkDisk: (sizeBytes) => checkDisk({ settings }, freeBytes, sizeBytes),
    isAccepted: async (path) => (await sniffFile(path)) !== undefined,
  };
}

const tooLarge = () => new DomainError("file_too_large", `A file may be at most ${MAX_FILE_SIZE}`);
