import { DomainError, invalidField } from "../kernel/errors.ts";
import { errorResponse, toDomainError } from "./errors.ts";

const VERSION = "1.0.0";
const PATCH_TYPE = "application/offset+octet-stream";

/** An upload as the protocol sees it. */
export type TusUpload = { id: string; sizeBytes: number; expiresAt: number; offset: number };

/** What a sender announces: the length of the file, and texts about it by name. */
export type Announcement = { sizeBytes: number; texts: ReadonlyMap<string, string> };

/** One kind of upload. Every function throws a DomainError for what it refuses. */
export type TusDoor = {
  create: (announced: Announcement) => Promise<TusUpload>;
  find: (id: string) => Promise<TusUpload>;
  /** `isTaken` is false when the upload is not at this offset. */
  append: (
    id: string,
    offset: number,
    body: ReadableStream<Uint8Array> | null,
  ) => Promise<TusUpload & { isTaken: boolean }>;
  drop: (id: string) => Promise<void>;
};

/**
 * Answers requests of uploads that arrive in pieces and continue after a lost connection.
 *
 * @see https://tus.io/protocols/resumable-upload, version 1.0.0
 */
export const tus = {
  /** Lists the capabilities of this server. */
  options: (extensions: string, maxBytes: number): Response =>
    answer(204, {
      "tus-version": VERSION,
      "tus-extension": extensions,
      "tus-max-size": String(maxBytes),
    }),

  /** Begins an upload. `addressOf` returns the path of the upload with an id. A body is the file's first piece. */
  create: (request: Request, door: () => TusDoor, addressOf: (id: string) => string): Promise<Response> =>
    guarded(request, async () => {
      const { create, append } = door();
      const sizeBytes = readCount(request, "upload-length");
      const texts = textsIn(request.headers.get("upload-metadata") ?? "");
      const upload = await create({ sizeBytes, texts });
      const location = addressOf(upload.id);
      if (request.headers.get("content-type") !== PATCH_TYPE || upload.offset > 0)
        return answer(201, { location, ...offsetOf(upload) });
      return answer(201, { location, ...offsetOf(await append(upload.id, 0, request.body)) });
    }),

  /** Says how much of an upload is there. */
  head: (request: Request, door: () => TusDoor, id: string): Promise<Response> =>
    guarded(request, async () => {
      const upload = await door().find(id);
      return answer(200, { ...offsetOf(upload), "upload-length": String(upload.sizeBytes) });
    }),

  /** Adds the body to an upload. */
  patch: (request: Request, door: () => TusDoor, id: string): Promise<Response> =>
    guarded(request, async () => {
      if (request.headers.get("content-type") !== PATCH_TYPE) return answer(415);
      const offset = readCount(request, "upload-offset");
      const { isTaken, ...upload } = await door().append(id, offset, request.body);
      return isTaken
        ? answer(204, offsetOf(upload))
        : answer(409, { "upload-offset": String(upload.offset) });
    }),

  /** Ends an upload. */
  delete: (request: Request, door: () => TusDoor, id: string): Promise<Response> =>
    guarded(request, async () => {
      await door().drop(id);
      return answer(204);
    }),
};

/** Checks the protocol version, and turns refusals into answers that carry it. */
async function guarded(request: Request, handler: () => Promise<Response>): Promise<Response> {
  if (request.headers.get("tus-resumable") !== VERSION) return answer(412, { "tus-version": VERSION });
  try {
    return await handler();
  } catch (thrown) {
    const refusal = toDomainError(thrown);
    if (refusal.code === "internal_error") throw thrown;
    const response = errorResponse(refusal);
    response.headers.set("tus-resumable", VERSION);
    return response;
  }
}

function answer(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status,
    headers: { "tus-resumable": VERSION, "cache-control": "no-store", ...headers },
  });
}

const offsetOf = ({ offset, expiresAt }: TusUpload) => ({
  "upload-offset": String(offset),
  "upload-expires": new Date(expiresAt).toUTCString(),
});

/** Returns a header that is a whole number. @throws DomainError `validation_failed`. */
function readCount(request: Request, header: string): number {
  const text = request.headers.get(header) ?? "";
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalidField(header, "integer", "must be a whole number");
}

/** Returns the texts of an Upload-Metadata field: `filename bmlnaHQud2F2,filetype …`. */
function textsIn(metadata: string): Map<string, string> {
  const pairs = metadata.split(",").map((pair) => pair.trim().split(" "));
  if (pairs.some(([, value = ""]) => value.length > 8000))
    throw new DomainError("payload_too_large", "The name of this file is too long");
  return new Map(
    pairs.map(([name = "", value = ""]) => [name, Buffer.from(value, "base64").toString("utf8")]),
  );
}
