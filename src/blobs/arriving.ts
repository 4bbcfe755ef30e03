import { DomainError } from "../kernel/errors.ts";
import { HEAD_BYTES } from "../kernel/files.ts";
import type { Turns } from "../kernel/turns.ts";
import {
  appendPartial,
  cutPartial,
  partialBytes,
  partialHash,
  partialPath,
  removePartial,
} from "./partial.ts";
import type { DataDir } from "./paths.ts";

const CHECK_EVERY_BYTES = 64 * 1024 * 1024;

/** What the row of a file that arrives in pieces must say. */
export type ArrivingRow = { id: string; name: string; sizeBytes: number; sha256: string | null };

/** Where the rows of one sender's files are, and how they are read. */
export type Arrivals<Row extends ArrivingRow> = {
  settings: DataDir;
  turns: Turns;
  /** Returns an upload that can still continue. */
  find: (id: string) => Row | undefined;
  update: (id: string, change: { receivedBytes: number } | { sha256: string }) => void;
  delete: (id: string) => void;
  /** Throws when the disk has no room for so many more bytes. */
  checkDisk: (sizeBytes: number) => void;
  /** True when the first bytes of the file are those of a format that is accepted. */
  isAccepted: (path: string) => Promise<boolean>;
};

/** An upload, and how many of its bytes are on the disk. */
export type Reached<Row> = { row: Row; offset: number };

/** Returns an upload that can continue, and its offset; waits until a broken connection has released it. */
export async function resumeArrival<Row extends ArrivingRow>(
  arrivals: Arrivals<Row>,
  id: string,
): Promise<Reached<Row>> {
  return arrivals.turns.take(id, () => findOpen(arrivals, id));
}

/**
 * Adds to an upload; the last byte ends it. Every accepted byte is on the disk when this function returns or throws. It
 * checks the first bytes as soon as enough have arrived, and drops an upload that is not audio.
 *
 * @returns `isTaken` is false, and nothing was added, when the upload is not at the offset that the sender assumes.
 * @throws DomainError `not_found`, `invalid_file_type`, `insufficient_storage`.
 */
export async function appendToArrival<Row extends ArrivingRow>(
  arrivals: Arrivals<Row>,
  { id, offset, body }: { id: string; offset: number; body: ReadableStream<Uint8Array> | null },
): Promise<Reached<Row> & { isTaken: boolean }> {
  return arrivals.turns.take(id, async (signal) => {
    const { row, offset: length } = await findOpen(arrivals, id);
    if (length !== offset) return { row, offset: length, isTaken: false };
    const path = partialPath(arrivals.settings, id);
    const maxBytes = row.sizeBytes - offset;
    let reached = offset;
    let sha256: string | undefined;
    try {
      const checked = () => arrivals.checkDisk(Math.min(maxBytes, CHECK_EVERY_BYTES));
      if (body && maxBytes > 0)
        ({ sha256 } = await appendPartial(
          path,
          { offset, maxBytes },
          whileRoom(checked, until(signal, body)),
        ));
    } finally {
      reached = (await partialBytes(path)) ?? 0;
      arrivals.update(id, { receivedBytes: reached });
    }
    if (!arrivals.find(id)) {
      // It ended while this piece arrived, as when its sender was removed: the piece must not complete it.
      await cutPartial(path, offset);
      throw ended();
    }
    await inspect(arrivals, row, offset, reached);
    if (reached === row.sizeBytes) await keepHash(arrivals, row, sha256);
    return { row, offset: reached, isTaken: true };
  });
}

/** Drops an upload that was not used. @throws DomainError `not_found`. */
export async function dropArrival<Row extends ArrivingRow>(
  arrivals: Arrivals<Row>,
  id: string,
): Promise<void> {
  await arrivals.turns.take(id, async () => {
    await findOpen(arrivals, id);
    await removeArrival(arrivals, id);
  });
}

/** Returns a finished upload's SHA-256 in lower-case hex; reads the file only the first time. */
export async function hashOfArrival<Row extends ArrivingRow>(
  { settings, update }: Pick<Arrivals<Row>, "settings" | "update">,
  { id, sha256 }: Row,
): Promise<string> {
  if (sha256 !== null) return sha256;
  const read = await partialHash(partialPath(settings, id));
  update(id, { sha256: read });
  return read;
}

/** Deletes an upload's row and file. */
export async function removeArrival<Row extends ArrivingRow>(
  arrivals: Pick<Arrivals<Row>, "settings" | "delete">,
  id: string,
): Promise<void> {
  arrivals.delete(id);
  await removePartial(partialPath(arrivals.settings, id));
}

async function findOpen<Row extends ArrivingRow>(
  { settings, find }: Arrivals<Row>,
  id: string,
): Promise<Reached<Row>> {
  const row = find(id);
  const offset = row && (await partialBytes(partialPath(settings, id)));
  if (row && offset !== undefined) return { row, offset };
  throw ended();
}

const ended = () => new DomainError("not_found", "This upload has ended: choose the file again");

/** Checks an upload that has grown from `before` to `after` bytes. */
async function inspect<Row extends ArrivingRow>(
  arrivals: Arrivals<Row>,
  row: Row,
  before: number,
  after: number,
): Promise<void> {
  const enough = Math.min(HEAD_BYTES, row.sizeBytes);
  const path = partialPath(arrivals.settings, row.id);
  if (before < enough && after >= enough && !(await arrivals.isAccepted(path))) {
    await removeArrival(arrivals, row.id);
    throw new DomainError("invalid_file_type", `${row.name} is not an audio file in a supported format`);
  }
}

/** Notes a finished file's hash. A file that came in several pieces is read once more. */
async function keepHash<Row extends ArrivingRow>(
  arrivals: Arrivals<Row>,
  row: Row,
  sha256: string | undefined,
): Promise<void> {
  if (sha256 === undefined) await hashOfArrival(arrivals, row);
  else arrivals.update(row.id, { sha256 });
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
