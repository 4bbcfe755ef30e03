import {
  adoptStaged,
  appendPartial,
  createPartial,
  partialBytes,
  partialHash,
  partialPath,
  removePartial,
} from "../../blobs/partial.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError, invalidField } from "../../kernel/errors.ts";
import { HEAD_BYTES } from "../../kernel/files.ts";
import { newToken } from "../../kernel/ids.ts";
import { DAY_MS } from "../../kernel/time.ts";
import { sniffFile } from "../../media/formats/sniff.ts";
import type { Door } from "../briefs/service.ts";
import { MAX_FILE_BYTES, type StagedTrackFile } from "../tracks/service.ts";
import type { UploadRow } from "./queries.ts";
import * as queries from "./queries.ts";
import { checkDisk, checkRoom, type FreeBytes } from "./room.ts";
import type { Turns } from "./turns.ts";

const CHECK_EVERY_BYTES = 64 * 1024 * 1024;

type UploadDeps = Pick<Deps, "db" | "now" | "settings">;

/** A file that a visitor wants to send. */
export type Announced = { name: string; sizeBytes: number; client: string };

/**
 * Begins an upload of announced length; it expires after a day.
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
  return { id: newToken(16), ...file, createdAt: at, expiresAt: at + DAY_MS };
}

/** Returns an upload that can continue, and its offset; waits until a broken connection has released it. */
export async function resumeUpload(
  deps: UploadDeps,
  turns: Turns,
  door: Pick<Door, "briefId">,
  id: string,
): Promise<{ row: UploadRow; offset: number }> {
  return turns.take(id, () => findOpen(deps, door, id));
}

/**
 * Adds to an upload; the last byte ends it. Every accepted byte is on the disk when this function returns or throws. It
 * checks the first bytes as soon as enough have arrived, and drops an upload that is not audio.
 *
 * @throws DomainError `not_found`, `invalid_file_type`, `insufficient_storage`; OffsetError when `offset` differs from
 *   the upload's offset.
 */
export async function appendToUpload(
  deps: UploadDeps,
  { turns, freeBytes }: { turns: Turns; freeBytes: FreeBytes },
  door: Pick<Door, "briefId">,
  { id, offset, body }: { id: string; offset: number; body: ReadableStream<Uint8Array> | null },
): Promise<{ row: UploadRow; offset: number }> {
  return turns.take(id, async (signal) => {
    const { row, offset: length } = await findOpen(deps, door, id);
    if (length !== offset) throw new OffsetError(length);
    const path = partialPath(deps.settings, id);
    const maxBytes = row.sizeBytes - offset;
    let reached = offset;
    try {
      const checked = () => checkDisk(deps, freeBytes, Math.min(maxBytes, CHECK_EVERY_BYTES));
      if (body && maxBytes > 0)
        await appendPartial(path, { offset, maxBytes }, whileRoom(checked, until(signal, body)));
    } finally {
      reached = (await partialBytes(path)) ?? 0;
      queries.updateUpload(deps.db, id, { receivedBytes: reached });
    }
    await inspect(deps, row, offset, reached);
    return { row, offset: reached };
  });
}

/** Drops an upload that was not submitted. @throws DomainError `not_found`. */
export async function dropUpload(
  deps: UploadDeps,
  turns: Turns,
  door: Pick<Door, "briefId">,
  id: string,
): Promise<void> {
  await turns.take(id, async () => {
    await findOpen(deps, door, id);
    await remove(deps, id);
  });
}

/** Returns a finished upload's SHA-256 in lower-case hex; reads the file only the first time. */
export async function hashOf({ db, settings }: UploadDeps, row: UploadRow): Promise<string> {
  if (row.sha256 !== null) return row.sha256;
  const sha256 = await partialHash(partialPath(settings, row.id));
  queries.updateUpload(db, row.id, { sha256 });
  return sha256;
}

/** Thrown when the sender assumes another offset than the upload has. */
export class OffsetError extends Error {
  override readonly name = "OffsetError";
  readonly offset: number;

  constructor(offset: number) {
    super(`The upload is at offset ${offset}`);
    this.offset = offset;
  }
}

async function findOpen({ db, now, settings }: UploadDeps, { briefId }: Pick<Door, "briefId">, id: string) {
  const row = queries.findUpload(db, briefId, id, now());
  const offset = row && row.batchId === null ? await partialBytes(partialPath(settings, id)) : undefined;
  if (row && offset !== undefined) return { row, offset };
  throw new DomainError("not_found", "This upload has ended: choose the file again");
}

/** Checks before the first byte and regularly after it, so that many uploads at once cannot fill the disk together. */
async function* whileRoom(check: () => void, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let uncheckedBytes = 0;
  check();
  for await (const chunk of chunks) {
    uncheckedBytes += chunk.length;
    if (uncheckedBytes >= CHECK_EVERY_BYTES) {
      check();
      uncheckedBytes = 0;
    }
    yield chunk;
  }
}

/** Checks an upload that has grown from `before` to `after` bytes. */
async function inspect(deps: UploadDeps, row: UploadRow, before: number, after: number): Promise<void> {
  const enough = Math.min(HEAD_BYTES, row.sizeBytes);
  const path = partialPath(deps.settings, row.id);
  if (before < enough && after >= enough && !(await sniffFile(path))) {
    await remove(deps, row.id);
    throw new DomainError("invalid_file_type", `${row.name} is not an audio file in a supported format`);
  }
  if (after === row.sizeBytes) await hashOf(deps, row);
}

async function remove({ db, settings }: UploadDeps, id: string): Promise<void> {
  queries.deleteUpload(db, id);
  await removePartial(partialPath(settings, id));
}

/**
 * Yields a body's chunks until it ends, the connection breaks, or another request takes over the upload. A break is
 * not a failure: the bytes that arrived are kept, and the sender asks how many there are.
 */
async function* until(signal: AbortSignal, body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const next = await reader.read().catch(() => undefined);
      if (!next || next.done || signal.aborted) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

const tooLarge = () =>
  new DomainError("file_too_large", `A file may be at most ${MAX_FILE_BYTES / 2 ** 30} GB`);
