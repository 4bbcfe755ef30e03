import { DomainError } from "../../kernel/errors.ts";
import type { FileSource, RemoteFile } from "../../kernel/file-source.ts";
import { attachment } from "./file-name.ts";
import { isRangeWanted, isUnchanged, parseRange, type Validators } from "./range.ts";

/** A stored file, as offered to a client. */
export type Download = Validators & {
  source: FileSource;
  sizeBytes: number;
  mediaType: string;
  /** The name under which the client saves it. */
  filename: string;
  /** True where the client may be sent to the place that has the file: it is not part of a page. */
  mayRedirect?: boolean;
};

/**
 * Answers a GET or HEAD with the whole file (200), a part of it (206), or no bytes when it is unchanged (304). The
 * bytes go from the file to the socket as the client takes them. The answer is a promise only for a file that is not on
 * this machine; where that is allowed, it may be an address of the file (302).
 *
 * @throws DomainError `range_not_satisfiable` for a range outside the file, and as `RemoteFile.open` does.
 */
export function fileResponse(request: Request, download: Download & { source: string }): Response;
export function fileResponse(request: Request, download: Download): Response | Promise<Response>;
export function fileResponse(request: Request, download: Download): Response | Promise<Response> {
  const { source } = download;
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

  const range = rangeOf(request, download);
  const { start, end } = range ?? { start: 0, end: download.sizeBytes };
  const address = typeof source === "string" ? undefined : addressOf(request, source, download);
  if (address !== undefined) return redirected(address);
  const status = range ? 206 : 200;
  if (range) headers.set("content-range", `bytes ${start}-${end - 1}/${download.sizeBytes}`);
  headers.set("content-length", String(end - start));
  if (request.method === "HEAD") return new Response(null, { status, headers });
  if (typeof source !== "string")
    return source.open(range).then((body) => new Response(body, { status, headers }));
  const file = Bun.file(source);
  return new Response(range ? file.slice(start, end) : file, { status, headers });
}

/** A browser's audio element or script must not follow to another origin: the page's policy forbids it. */
function addressOf({ method, headers }: Request, file: RemoteFile, download: Download): string | undefined {
  const from = headers.get("sec-fetch-dest");
  if (!download.mayRedirect || method !== "GET" || (from !== null && from !== "document")) return undefined;
  return file.link({ mediaType: download.mediaType, disposition: attachment(download.filename) });
}

function redirected(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "private, no-store" } });
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

/** {@link fileResponse} for a route. */
export function servedFile(request: Request, file: Download): Response | Promise<Response> {
  const response = fileResponse(request, file);
  if (request.method !== "HEAD" || response instanceof Promise || response.status !== 200) return response;
  return new Response(streamOfLength(file.sizeBytes), response);
}

/** Calls `change` with a response of {@link servedFile}: at once, unless it is still on its way. */
export function changed(
  response: Response | Promise<Response>,
  change: (response: Response) => Response,
): Response | Promise<Response> {
  return response instanceof Promise ? response.then(change) : change(response);
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
