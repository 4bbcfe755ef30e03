import { stateOf } from "../../../../http/request-state.ts";
import type { AttemptLimit } from "../../../../kernel/attempt-limit.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { OURS, type PageBrand, pageBrand } from "../../../../pages/brand.ts";
import { asPage } from "../../../../pages/message.tsx";
import { isHttps, pageRootOf } from "../../../../pages/paths.ts";
import { cookie } from "../../../../pages/respond.ts";
import type { Visitors } from "../../../../pages/visitor.ts";
import { findOperator } from "../../../people/accounts/service.ts";
import { brandOf } from "../../../people/brand/service.ts";
import { visitIdOf } from "../access/visit.ts";
import type { Counting } from "../counting/counting.ts";
import { findByToken } from "../page-queries.ts";
import type { ShareRow } from "../queries.ts";
import type { SharedEntity } from "../shapes.ts";

/** What all pages of links use. */
export type SharePages = {
  deps: Deps;
  visitors: Visitors;
  counting: Counting;
  passwordLimit: AttemptLimit;
  commentLimit: AttemptLimit;
  /** Of what is said by a button alone. */
  answerLimit: AttemptLimit;
};
/** A request for a link's page or an address below it. */
export type ShareRequest = { request: Request; entity: SharedEntity; token: string };

/**
 * Runs the handler of a link's page. A refusal is a page with the brand of the account that shares, or of the operator where
 * there is no such link.
 */
export const asLinkPage = (
  { deps }: Pick<SharePages, "deps">,
  { entity, token }: Omit<ShareRequest, "request">,
  handler: () => Response | Promise<Response>,
): Promise<Response> =>
  asPage(pageRootOf(deps.settings), handler, () =>
    brandFor(deps, findByToken(deps.db, entity, token)?.ownerId ?? findOperator(deps)?.id),
  );

/** Returns what an account shows in place of our name and mark. */
export const brandFor = (deps: Pick<Deps, "db" | "settings">, ownerId: string | undefined): PageBrand =>
  ownerId === undefined ? OURS : pageBrand(pageRootOf(deps.settings), brandOf(deps, ownerId));

/** Returns the facts by which the sender of a request is recognised. */
export function clientOf({ deps, visitors }: SharePages, share: ShareRow, request: Request) {
  return {
    share,
    request,
    visitId: visitIdOf(deps, share, request.headers.get("cookie")),
    client: stateOf(request).ip,
    isOwner: () => visitors.memberOf(request, share.ownerId) !== undefined,
  };
}

/** Returns a cookie that only this link's pages receive. */
export function linkCookie(
  { settings }: Pick<Deps, "settings">,
  { request, entity, token }: ShareRequest,
  name: string,
  value: string,
  maxAgeSec?: number,
): string {
  const path = `${pageRootOf(settings)}/${entity}/${token}`;
  return cookie(name, value, { path, isSecure: isHttps(settings, request), ...(maxAgeSec && { maxAgeSec }) });
}
