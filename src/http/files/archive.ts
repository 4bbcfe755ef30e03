import { bodyOf } from "../../kernel/byte-stream.ts";
import { type ZipEntry, zip, zipSize } from "../../kernel/zip.ts";
import { stateOf } from "../request-state.ts";
import { attachment } from "./file-name.ts";
import { streamOfLength } from "./file-response.ts";

/**
 * Answers with an archive of files; its bytes go from disk to socket as the client takes them.
 *
 * @param onBegun As {@link zip} has it.
 */
export function archiveResponse<Entry extends ZipEntry>(
  request: Request,
  { filename, files }: { filename: string; files: readonly Entry[] },
  onBegun?: (entry: Entry) => () => void,
): Response {
  return zipResponse(request, { filename, sizeBytes: zipSize(files), bytes: () => zip(files, onBegun) });
}

/** Answers with an archive whose length is known before its bytes are. */
export function zipResponse(
  request: Request,
  {
    filename,
    sizeBytes,
    bytes,
  }: { filename: string; sizeBytes: number; bytes: () => AsyncGenerator<Uint8Array> },
): Response {
  stateOf(request).hasNoTimeout = true;
  return new Response(request.method === "HEAD" ? streamOfLength(sizeBytes) : bodyOf(bytes()), {
    headers: {
      "content-type": "application/zip",
      "content-length": String(sizeBytes),
      "content-disposition": attachment(filename),
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
