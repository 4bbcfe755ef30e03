import { DomainError } from "../../kernel/errors.ts";
import { attachment } from "./file-name.ts";
import { isRangeWanted, isUnchanged, parseRange, type Validators } from "./range.ts";

/** A file on disk, as offered to a client. */
export type Download = Validators & {
  path: string;
  sizeBytes: number;
  mediaType: string;
  /** The name under which the client saves it. */
  filename: string;
};

/**
 * Answers a GET or HEAD with the whole file (200), a part of it (206), or no bytes when it is unchanged (304). The
 * bytes go from disk to socket as the client takes them.
 *
 * @throws DomainError `range_not_satisfiable` for a range outside the file.
 */
export function fileResponse(request: Request, download: Download): Response {
  const headers = new Headers({
    "content-type": download.mediaType,
    "content-disposition": attachment(download.filename),
    "accept-ranges": "bytes",
    etag: download.etag,
    "last-modified": new Date(download.lastModifiedAt).toUTCString(),
    "cache-control": "private, max-age=3600",
    "x-content-type-options": "nosniff",
  });
  if (isUnchanged(request.headers, download)) return new Response(null, { status: 304, headers });

  const file = Bun.file(download.path);
  const range = rangeOf(request, download);
  if (!range) return bodyResponse(request, file, download.sizeBytes, 200, headers);
  headers.set("content-range", `bytes ${range.start}-${range.end - 1}/${download.sizeBytes}`);
  return bodyResponse(request, file.slice(range.start, range.end), range.end - range.start, 206, headers);
}

/** Ranges apply only to GET (RFC 9110, section 14.2). */
function rangeOf({ method, headers }: Request, download: Download) {
  if (method !== "GET" || !isRangeWanted(headers, download)) return undefined;
  const range = parseRange(headers.get("range"), download.sizeBytes);
  if (range !== "unsatisfiable") return range;
  throw new DomainError("range_not_satisfiable", "The requested range is outside the file", {
    headers: { "content-range": `bytes */${download.sizeBytes}`, "accept-ranges": "bytes" },
  });
}

function bodyResponse(request: Request, bytes: Blob, sizeBytes: number, status: 200 | 206, headers: Headers) {
  headers.set("content-length", String(sizeBytes));
  return new Response(request.method === "HEAD" ? null : bytes, { status, headers });
}

/** {@link fileResponse} for a route. */
export function servedFile(request: Request, file: Download): Response {
  const response = fileResponse(request, file);
  if (request.method !== "HEAD" || response.status !== 200) return response;
  return new Response(streamOfLength(file.sizeBytes), response);
}

/**
 * Returns a body that has only a length. Elysia answers HEAD by reading the body of the GET (decision 0033, 11). That
 * must not read a gigabyte from the disk.
 */
export function streamOfLength(byteLength: number): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ byteLength });
      controller.close();
    },
  });
}
