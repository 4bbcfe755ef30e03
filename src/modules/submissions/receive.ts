import { asRefusal } from "../../kernel/refusals.ts";
import type { Door } from "../briefs/service.ts";
import { discardTrackFile, stageTrackFile } from "../tracks/service.ts";
import type { Submissions } from "./context.ts";
import type { UploadRow } from "./queries.ts";
import { checkRoom } from "./room.ts";
import { keepWholeFile } from "./uploads.ts";

/** A file of a form: kept, or a sentence that says why not. */
export type ReceivedFile = { row: UploadRow } | { refusal: string };

/**
 * Receives a file of a form and keeps it, so that it need not be sent again when something else is wrong. A file that
 * cannot be taken is read to its end, and the others are still taken.
 *
 * @throws DomainError for what concerns the whole form, such as a client that has gone.
 */
export async function receiveFile(
  { deps, freeBytes }: Submissions,
  door: Door,
  { filename, bytes }: { filename: string; bytes: AsyncIterable<Uint8Array> },
  client: string,
): Promise<ReceivedFile> {
  const chunks = bytes[Symbol.asyncIterator]();
  try {
    checkRoom(deps, freeBytes, { client, briefId: door.briefId, sizeBytes: 0 });
    // Without `return`, so that a refusal leaves the rest of the file to be skipped.
    const kept = { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) };
    const staged = await stageTrackFile(deps, { filename, bytes: kept });
    try {
      const { sizeBytes } = staged.staged;
      checkRoom(deps, freeBytes, { client, briefId: door.briefId, sizeBytes });
      return { row: await keepWholeFile(deps, door, staged, client) };
    } finally {
      await discardTrackFile(staged);
    }
  } catch (error) {
    const refusal = asRefusal(error);
    if (!refusal || !OF_ONE_FILE.has(refusal.code)) throw error;
    while (!(await chunks.next()).done);
    return {
      refusal: refusal.code === "file_too_large" ? `${filename} is larger than 1 GB` : refusal.message,
    };
  }
}

/** Refusals after which the other files may still be taken. */
const OF_ONE_FILE: ReadonlySet<string> = new Set([
  "file_too_large",
  "invalid_file_type",
  "insufficient_storage",
  "rate_limit_exceeded",
]);
