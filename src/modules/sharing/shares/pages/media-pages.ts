import { archiveResponse } from "../../../../http/files/archive.ts";
import { changed, servedFile } from "../../../../http/files/file-response.ts";
import { type Route, route } from "../../../../http/route.ts";
import { formReader } from "../../../../pages/form.ts";
import { noteLeaving } from "../../marks/service.ts";
import { getShareByToken, requireOpen, visitIdOf } from "../access/visit.ts";
import { isMachineName, isPrefetch } from "../counting/audience.ts";
import { readAt, readHeard } from "../counting/notes.ts";
import { getArchive } from "../player/archive.ts";
import {
  getDownloadFile,
  getHeard,
  getListenFile,
  getWaveform,
  isComparing,
  type SharedMedia,
} from "../player/media.ts";
import type { ShareRow } from "../queries.ts";
import type { SharedEntity } from "../shapes.ts";
import { asLinkPage, clientOf, type SharePages, type ShareRequest } from "./request-pages.ts";

const readHeardForm = formReader("parts", "at");

/**
 * The addresses below a link's page: audio to hear and download, waveforms, and reports of what was seen and heard.
 */
export const mediaPages = (pages: SharePages, entity: SharedEntity): Route[] => [
  route({
    at: `GET /${entity}/:token/listen/:version`,
    run: ({ request, params: { token, version } }) =>
      serve(pages, { request, entity, token }, version, "listen"),
  }),
  route({
    at: `GET /${entity}/:token/download/:version`,
    run: ({ request, params: { token, version } }) =>
      asLinkPage(pages, { entity, token }, () =>
        serve(pages, { request, entity, token }, version, "download"),
      ),
  }),
  route({
    at: `GET /${entity}/:token/download`,
    run: ({ request, params: { token } }) =>
      asLinkPage(pages, { entity, token }, () => serveAll(pages, { request, entity, token })),
  }),
  route({
    at: `GET /${entity}/:token/waveform/:version`,
    run: ({ request, params: { token, version } }) => outline(pages, { request, entity, token }, version),
  }),
  // The page's script uses POST; without a script, the page's image uses GET.
  route({
    at: `GET /${entity}/:token/seen`,
    run: ({ request, params: { token } }) => see(pages, { request, entity, token }),
  }),
  route({
    at: `POST /${entity}/:token/seen`,
    run: ({ request, params: { token } }) => see(pages, { request, entity, token }),
  }),
  route({
    at: `POST /${entity}/:token/heard/:version`,
    run: ({ request, params: { token, version } }) => hear(pages, { request, entity, token }, version),
  }),
];

function serve(
  pages: SharePages,
  asked: ShareRequest,
  versionId: string,
  use: "listen" | "download",
): Response | Promise<Response> {
  const { deps } = pages;
  const { request, entity, token } = asked;
  const share = getShareByToken(deps.db, entity, token);
  const find = use === "listen" ? getListenFile : getDownloadFile;
  const file = find(deps, share, { versionId, request });
  const answer = (found: SharedMedia) => answerWith(pages, share, request, { file: found, versionId, use });
  return file instanceof Promise ? file.then(answer) : answer(file);
}

function answerWith(
  pages: SharePages,
  share: ShareRow,
  request: Request,
  { file, versionId, use }: { file: SharedMedia; versionId: string; use: "listen" | "download" },
): Response | Promise<Response> {
  return changed(servedFile(request, file), (response) => {
    if (use === "listen") {
      response.headers.set("content-disposition", "inline");
      response.headers.append("vary", "accept, user-agent");
    }
    // Requested again each time, mostly answered with a 304: a revoked link ends at once.
    response.headers.set("cache-control", "private, no-cache");
    response.headers.set("cross-origin-resource-policy", "same-origin");
    response.headers.set("x-robots-tag", "noindex, nofollow");
    if (request.method === "GET" && response.ok) noteCopy(pages, file);
    // What is heard of an earlier version is not listening to the track as it is.
    if (use === "listen" && isComparing(request)) return response;
    return pages.counting.serve({ ...file, ...clientOf(pages, share, request), use, versionId }, response);
  });
}

/** Records that a marked copy begins to leave. */
function noteCopy({ deps }: SharePages, { copyId }: SharedMedia): void {
  if (copyId !== undefined) noteLeaving(deps, copyId);
}

/** Answers with the originals of a playlist; each counts as a download when it has been sent. */
async function serveAll(pages: SharePages, { request, entity, token }: ShareRequest): Promise<Response> {
  const { deps, counting } = pages;
  const share = getShareByToken(deps.db, entity, token);
  const archive = await getArchive(deps, share, request);
  const client = clientOf(pages, share, request);
  return archiveResponse(request, archive, (file) => {
    noteCopy(pages, file);
    return counting.onPacked({ ...file, ...client, use: "download" });
  });
}

/** Receives the report of a page's script about what was heard. */
async function hear(
  pages: SharePages,
  { request, entity, token }: ShareRequest,
  versionId: string,
): Promise<Response> {
  const { deps, counting } = pages;
  const share = getShareByToken(deps.db, entity, token);
  const file = getHeard(deps, share, { versionId, request });
  const form = await readHeardForm(request);
  if (isComparing(request)) return noted();
  const parts = readHeard(form.get("parts") ?? "");
  const atSec = readAt(form.get("at"));
  counting.onHeard({ ...file, ...clientOf(pages, share, request), versionId, parts, atSec });
  return noted();
}

/** Receives the report of a browser that it shows the page of its visit. */
function see({ deps, counting }: SharePages, { request, entity, token }: ShareRequest): Response {
  const share = getShareByToken(deps.db, entity, token);
  requireOpen(deps, share);
  const visitId = visitIdOf(deps, share, request.headers.get("cookie"));
  const isMachineRequest = request.method === "HEAD" || isMachineName(request.headers.get("user-agent"));
  if (visitId !== undefined && !isMachineRequest && !isPrefetch(request)) counting.onSeen(share, visitId);
  return noted();
}

const noted = () => new Response(null, { status: 204, headers: { "cache-control": "no-store" } });

function outline(
  { deps }: SharePages,
  { request, entity, token }: ShareRequest,
  versionId: string,
): Response {
  const share = getShareByToken(deps.db, entity, token);
  const bytes = getWaveform(deps, share, { versionId, request });
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": "application/octet-stream",
      "cache-control": "private, max-age=86400",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    },
  });
}
