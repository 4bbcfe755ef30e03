import { bodyOf } from "../../kernel/byte-stream.ts";
import { stateOf } from "../request-state.ts";
import { attachment } from "./file-name.ts";
import { streamOfLength } from "./file-response.ts";
import { type ZipEntry, zip, zipSize } from "./zip.ts";

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
  stateOf(request).hasNoTimeout = true;
  const sizeBytes = zipSize(files);
  return new Response(request.method === "HEAD" ? streamOfLength(sizeBytes) : bodyOf(zip(files, onBegun)), {
    headers: {
      "content-type": "application/zip",
      "content-length": String(sizeBytes),
      "content-disposition": attachment(filename),
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
