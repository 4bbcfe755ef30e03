import { MAX_FILE_SIZE } from "../../../kernel/limits.ts";
import { asRefusal } from "../../../kernel/refusals.ts";
import { discardTrackFile, stageTrackFile } from "../../library/tracks/service.ts";
import type { Door } from "../briefs/service.ts";
import type { Submissions } from "./context.ts";
import type { UploadRow } from "./queries.ts";
import { checkRoom } from "./room.ts";
import { keepWholeFile } from "./uploads.ts";

/** A file of a form: the kept upload, or a sentence that says why it was refused. */
export type ReceivedFile = { row: UploadRow } | { refusal: string };

/**
 * Receives a file of a form and keeps it, so the visitor need not send it again when another field needs correction. A
 * refused file is read to its end, and the other files are still accepted.
 *
 * @throws DomainError for a failure of the whole form, such as a lost connection.
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
    // Without `return`, so that the rest of a refused file can still be skipped.
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
      refusal:
        refusal.code === "file_too_large" ? `${filename} is larger than ${MAX_FILE_SIZE}` : refusal.message,
    };
  }
}

/** Refusals after which the other files may still be accepted. */
const OF_ONE_FILE: ReadonlySet<string> = new Set([
  "file_too_large",
  "invalid_file_type",
  "insufficient_storage",
  "rate_limit_exceeded",
]);
