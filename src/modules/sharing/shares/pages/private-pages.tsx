/** @jsxRuntime automatic @jsxImportSource preact */
import { archiveResponse } from "../../../../http/files/archive.ts";
import { changed, servedFile } from "../../../../http/files/file-response.ts";
import { stateOf } from "../../../../http/request-state.ts";
import { type Route, route } from "../../../../http/route.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { asPage } from "../../../../pages/message.tsx";
import { pageRootOf } from "../../../../pages/paths.ts";
import { PlayerPage } from "../../../../pages/player/pages.tsx";
import { Rows } from "../../../../pages/player/tracks.tsx";
import { fragmentResponse, htmlResponse, redirect } from "../../../../pages/respond.ts";
import type { Visitors } from "../../../../pages/visitor.ts";
import { privatePagePath } from "../links.ts";
import { findPlaylistOwner } from "../page-queries.ts";
import { getOwnArchive } from "../player/archive.ts";
import { getOwnFile, getOwnWaveform } from "../player/media.ts";
import { type MusicSource, moreTracks, sharedMusic } from "../player/player-data.ts";
import { musicProps, rowsProps } from "../player/player-views.ts";
import { partsOf } from "../player/thread-views.ts";
import { brandFor } from "./request-pages.ts";

/** A request below the page of a playlist. */
type Asked = { request: Request; id: string };

/**
 * `/library/playlists/{id}/plain`: a playlist for its owner, by the session, as a page that needs no script; the console
 * is at `/library/playlists/{id}`. Other signed-in people get the same answer as for a playlist that does not exist.
 */
export const privatePages = (deps: Deps, visitors: Visitors): Route[] => {
  const root = pageRootOf(deps.settings);
  const open = (asked: Asked) => openPlaylist(deps, visitors, asked);
  return [
    route({
      at: "GET /library/playlists/:id/plain",
      run: ({ request, params: { id } }) =>
        asPage(root, () => {
          if (!visitors.personOf(request)) return signInFirst(root, request);
          return show(deps, request, open({ request, id }));
        }),
    }),
    route({
      at: "GET /library/playlists/:id/plain/tracks",
      run: ({ request, params: { id } }) => {
        const source = open({ request, id });
        const rows = rowsProps(root, source, moreTracks(deps, source, partsOf(request).after));
        return fragmentResponse(<Rows {...rows} />, request.headers.get("accept-encoding"));
      },
    }),
    route({
      at: "GET /library/playlists/:id/plain/listen/:version",
      run: ({ request, params: { id, version } }) =>
        serve(deps, request, open({ request, id }), { versionId: version, use: "listen" }),
    }),
    route({
      at: "GET /library/playlists/:id/plain/download/:version",
      run: ({ request, params: { id, version } }) =>
        asPage(root, () =>
          serve(deps, request, withOriginals(open({ request, id })), { versionId: version, use: "download" }),
        ),
    }),
    route({
      at: "GET /library/playlists/:id/plain/download",
      run: ({ request, params: { id } }) =>
        asPage(root, async () =>
          archiveResponse(request, await getOwnArchive(deps, withOriginals(open({ request, id })))),
        ),
    }),
    route({
      at: "GET /library/playlists/:id/plain/waveform/:version",
      run: ({ request, params: { id, version } }) => {
        const bytes = getOwnWaveform(deps, open({ request, id }), version);
        return new Response(bytes as Uint8Array<ArrayBuffer>, {
          headers: { "content-type": "application/octet-stream", ...PRIVATE },
        });
      },
    }),
  ];
};

const PRIVATE = {
  // Requested again each time: an ended session must not keep playing.
  "cache-control": "private, no-cache",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

function signInFirst(root: string, { url }: Request): Response {
  const { pathname, search } = new URL(url);
  return redirect(`${root}/signin?next=${encodeURIComponent(root + pathname + search)}`);
}

/**
 * @throws DomainError `invalid_session_token` without a session; `playlist_not_found`, also for another
 *   account's.
 */
function openPlaylist({ db }: Deps, visitors: Visitors, { request, id }: Asked): MusicSource {
  const person = visitors.personOf(request);
  if (!person) throw new DomainError("invalid_session_token", "You are no longer signed in");
  stateOf(request).sessionActor = person; // using it extends it
  // The addresses of the page name no library: the playlist does.
  const ownerId = findPlaylistOwner(db, id);
  const member = ownerId === undefined ? undefined : visitors.memberOf(request, ownerId);
  if (ownerId === undefined || !member?.allowed.needs.has("read:playlists"))
    throw new DomainError("playlist_not_found", "There is no such playlist in your library");
  return {
    entity: "playlist",
    entityId: id,
    ownerId,
    pagePath: `${privatePagePath(id)}/plain`,
    allowDownload: member.allowed.needs.has("download:originals"),
    showDetails: true,
    showLyrics: false,
    asksApproval: false,
    answers: undefined,
    hidesCredits: !member.allowed.needs.has("read:composers"),
    // The session is the proof.
    prove: () => "",
  };
}

/** @throws DomainError `insufficient_scope` for a member whose role opens no original files. */
function withOriginals(source: MusicSource): MusicSource {
  if (source.allowDownload) return source;
  throw new DomainError("insufficient_scope", "Your role in this library does not allow this");
}

/** The page does not report what is seen and heard: the owner's activity does not count. */
function show(deps: Deps, request: Request, source: MusicSource): Promise<Response> {
  const { after } = partsOf(request);
  const music = sharedMusic(deps, source, after);
  if (!music) throw new DomainError("playlist_not_found", "There is no such playlist in your library");
  return htmlResponse(<PlayerPage {...musicProps(deps, source, music, after)} />, {
    brand: brandFor(deps, source.ownerId),
    acceptEncoding: request.headers.get("accept-encoding"),
  });
}

function serve(
  deps: Deps,
  request: Request,
  source: MusicSource,
  { versionId, use }: { versionId: string; use: "listen" | "download" },
): Response | Promise<Response> {
  return changed(servedFile(request, getOwnFile(deps, source, use, { versionId, request })), (response) => {
    if (use === "listen") response.headers.set("content-disposition", "inline");
    for (const [name, value] of Object.entries(PRIVATE)) response.headers.set(name, value);
    return response;
  });
}
