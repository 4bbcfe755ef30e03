/** @jsxRuntime automatic @jsxImportSource preact */
import { route } from "../../../../http/route.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { pageRootOf } from "../../../../pages/paths.ts";
import { CommentItems } from "../../../../pages/player/comments.tsx";
import { Rows } from "../../../../pages/player/tracks.tsx";
import { fragmentResponse } from "../../../../pages/respond.ts";
import type { Visitors } from "../../../../pages/visitor.ts";
import { checkGrant } from "../access/proofs.ts";
import { getShareByToken, requireOpen } from "../access/visit.ts";
import { findOwnerName } from "../page-queries.ts";
import { answersOf } from "../player/answer-views.ts";
import { askingOf } from "../player/approval-views.ts";
import { pitchOf } from "../player/pitch-views.ts";
import { moreTracks, sourceOf } from "../player/player-data.ts";
import { rowsProps } from "../player/player-views.ts";
import { commentList, partsOf } from "../player/thread-views.ts";
import type { SharedEntity } from "../shapes.ts";

/** Fragments that the script of a link's page requests: the next tracks, and older comments. */
export const listPages = (deps: Deps, visitors: Visitors) => [
  route({
    at: "GET /playlist/:token/tracks",
    run: ({ request, params: { token } }) => tracks(deps, visitors, request, token),
  }),
  route({
    at: "GET /track/:token/comments",
    run: ({ request, params: { token } }) => comments(deps, request, { entity: "track", token }),
  }),
  route({
    at: "GET /playlist/:token/comments",
    run: ({ request, params: { token } }) => comments(deps, request, { entity: "playlist", token }),
  }),
];

function tracks(deps: Deps, visitors: Visitors, request: Request, token: string): Promise<Response> {
  const { share, source } = openList(deps, request, { entity: "playlist", token });
  const { after } = partsOf(request);
  const slice = moreTracks(deps, source, after);
  const rows = rowsProps(pageRootOf(deps.settings), source, slice);
  const memberId = visitors.memberOf(request, share.ownerId)?.personId;
  const asking = askingOf(deps, share, source, { tracks: slice.tracks, after }, { memberId });
  const ownerName = findOwnerName(deps.db, share.ownerId) ?? "";
  const pitch = pitchOf(deps, share, source, { tracks: slice.tracks, after, ownerName }, { memberId });
  return fragmentResponse(
    <Rows {...rows} approval={asking} pitch={pitch} />,
    request.headers.get("accept-encoding"),
  );
}

function comments(
  deps: Deps,
  request: Request,
  asked: { entity: SharedEntity; token: string },
): Promise<Response> {
  const { share, source } = openList(deps, request, asked);
  if (!share.allowComments) throw new DomainError("invalid_link", "This link does not accept comments");
  const parts = partsOf(request);
  const elsewhere = share.allowReview ? answersOf(deps, share, source, parts).notes : [];
  const items = commentList(
    deps,
    share,
    source,
    parts,
    elsewhere.map(({ id }) => id),
  );
  return fragmentResponse(<CommentItems {...items} />, request.headers.get("accept-encoding"));
}

/** @throws DomainError `share_not_found`; `invalid_link` when the link has ended or the proof is not its page's. */
function openList(deps: Deps, { url }: Request, { entity, token }: { entity: SharedEntity; token: string }) {
  const share = getShareByToken(deps.db, entity, token);
  requireOpen(deps, share);
  checkGrant(deps, share, "read", "", new URL(url).searchParams);
  return { share, source: sourceOf(deps, share) };
}
