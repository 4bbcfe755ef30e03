import { Elysia } from "elysia";
import { errorResponse, toDomainError } from "../../http/errors.ts";
import { displayName } from "../../http/files/file-name.ts";
import { rateLimitKey } from "../../http/front/client-ip.ts";
import { stateOf } from "../../http/request-state.ts";
import { DomainError, invalidField } from "../../kernel/errors.ts";
import { pageRootOf } from "../../pages/paths.ts";
import { MAX_FILE_BYTES } from "../tracks/service.ts";
import { getOpenDoor, type Submissions } from "./context.ts";
import type { UploadRow } from "./queries.ts";
import { appendToUpload, beginUpload, dropUpload, OffsetError, resumeUpload } from "./uploads.ts";

const VERSION = "1.0.0";
const EXTENSIONS = "creation,expiration,termination";
const PATCH_TYPE = "application/offset+octet-stream";

/** A request about the uploads of a page, or about one of them. */
type Asked = { request: Request; token: string };

/**
 * `/submit/{token}/uploads`: uploads that arrive in pieces and continue after a lost connection.
 *
 * @see https://tus.io/protocols/resumable-upload, version 1.0.0 with creation, expiration and termination.
 */
export const submissionUploadRoutes = (submissions: Submissions) =>
  new Elysia({ prefix: "/submit/:token/uploads" })
    .options("", () => answer(204, capabilities()))
    .options("/:id", () => answer(204, capabilities()))
    .post(
      "",
      ({ request, params: { token } }) => tus(request, () => create(submissions, { request, token })),
      {
        parse: "none",
      },
    )
    .head("/:id", ({ request, params: { token, id } }) =>
      tus(request, async () => {
        const { row, offset } = await resumeUpload(
          submissions.deps,
          submissions.turns,
          getOpenDoor(submissions, token),
          id,
        );
        return answer(200, { ...offsetOf(row, offset), "upload-length": String(row.sizeBytes) });
      }),
    )
    .patch(
      "/:id",
      ({ request, params: { token, id } }) => tus(request, () => append(submissions, { request, token }, id)),
      { parse: "none" },
    )
    .delete("/:id", ({ request, params: { token, id } }) =>
      tus(request, async () => {
        await dropUpload(submissions.deps, submissions.turns, getOpenDoor(submissions, token), id);
        return answer(204);
      }),
    );

async function create(submissions: Submissions, { request, token }: Asked): Promise<Response> {
  const { deps, freeBytes } = submissions;
  const door = getOpenDoor(submissions, token);
  const sizeBytes = readCount(request, "upload-length");
  const name = displayName(nameIn(request.headers.get("upload-metadata") ?? ""));
  const client = rateLimitKey(stateOf(request).ip);
  const row = await beginUpload(deps, freeBytes, door, { name, sizeBytes, client });
  const location = `${pageRootOf(deps.settings)}/submit/${token}/uploads/${row.id}`;
  return answer(201, { location, "upload-expires": new Date(row.expiresAt).toUTCString() });
}

async function append(submissions: Submissions, { request, token }: Asked, id: string): Promise<Response> {
  const { deps } = submissions;
  const state = stateOf(request);
  state.hasNoTimeout = true;
  if (request.headers.get("content-type") !== PATCH_TYPE) return answer(415);
  const offset = readCount(request, "upload-offset");
  const door = getOpenDoor(submissions, token);
  const reached = await appendToUpload(deps, submissions, door, { id, offset, body: request.body });
  return answer(204, offsetOf(reached.row, reached.offset));
}

/** Checks the protocol version, and turns refusals into answers that carry it. */
async function tus(request: Request, handler: () => Promise<Response>): Promise<Response> {
  if (request.headers.get("tus-resumable") !== VERSION) return answer(412, { "tus-version": VERSION });
  try {
    return await handler();
  } catch (thrown) {
    if (thrown instanceof OffsetError) return answer(409, { "upload-offset": String(thrown.offset) });
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

const capabilities = () => ({
  "tus-version": VERSION,
  "tus-extension": EXTENSIONS,
  "tus-max-size": String(MAX_FILE_BYTES),
});

const offsetOf = (row: UploadRow, offset: number) => ({
  "upload-offset": String(offset),
  "upload-expires": new Date(row.expiresAt).toUTCString(),
});

/** Returns a header that is a whole number. @throws DomainError `validation_failed`. */
function readCount(request: Request, header: string): number {
  const text = request.headers.get(header) ?? "";
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalidField(header, "integer", "must be a whole number");
}

/** Returns the file name in an Upload-Metadata field: `filename bmlnaHQud2F2,filetype …`. */
function nameIn(metadata: string): string {
  const pair = metadata.split(",").find((each) => each.trim().startsWith("filename "));
  const [, value = ""] = pair?.trim().split(" ") ?? [];
  if (value.length > 4000) throw new DomainError("payload_too_large", "The name of this file is too long");
  return Buffer.from(value, "base64").toString("utf8");
}
