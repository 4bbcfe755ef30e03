import { route } from "../../../../http/route.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import type { Visitors } from "../../../../pages/visitor.ts";
import { getShareByToken, openShare, requireOpen } from "../access/visit.ts";
import { renewedGrant } from "../player/media.ts";
import type { SharedEntity } from "../shapes.ts";

/**
 * `/track/{token}/renewed/{version}`, and the same for a playlist: new proofs for pages left open for more than a
 * day.
 */
export const renewalPages = (deps: Deps, visitors: Visitors) => [
  route({
    at: "GET /track/:token/renewed/:version",
    run: ({ request, params: { token, version } }) =>
      renew(deps, visitors, { request, entity: "track", token }, version),
  }),
  route({
    at: "GET /playlist/:token/renewed/:version",
    run: ({ request, params: { token, version } }) =>
      renew(deps, visitors, { request, entity: "playlist", token }, version),
  }),
];

/** Answers with a new right to listen for visitors who could open the link again without using up another visit. */
function renew(
  deps: Deps,
  visitors: Visitors,
  { request, entity, token }: { request: Request; entity: SharedEntity; token: string },
  versionId: string,
): Response {
  const share = getShareByToken(deps.db, entity, token);
  requireOpen(deps, share);
  const { state } = openShare(deps, share, {
    cookies: request.headers.get("cookie"),
    isOwner: visitors.memberOf(request, share.ownerId) !== undefined,
    isMachine: true,
    isPrefetch: false,
  });
  if (state !== "open")
    throw new DomainError("invalid_link", "This page is out of date: open the link again");
  return new Response(renewedGrant(deps, share, { versionId, request }), {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}
