import { stateOf } from "../../../http/request-state.ts";
import type { AttemptLimit } from "../../../kernel/attempt-limit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { isHttps, pageRootOf } from "../../../pages/paths.ts";
import { cookie } from "../../../pages/respond.ts";
import type { Visitors } from "../../../pages/visitor.ts";
import { visitIdOf } from "../access/visit.ts";
import type { Counting } from "../counting/counting.ts";
import type { SharedEntity } from "../model.ts";
import type { ShareRow } from "../queries.ts";

/** What all pages of links use. */
export type SharePages = {
  deps: Deps;
  visitors: Visitors;
  counting: Counting;
  passwordLimit: AttemptLimit;
  commentLimit: AttemptLimit;
};
/** A request for a link's page or an address below it. */
export type ShareRequest = { request: Request; entity: SharedEntity; token: string };

/** Returns what is needed to recognise the sender of a request. */
export function clientOf({ deps, visitors }: SharePages, share: ShareRow, request: Request) {
  return {
    share,
    request,
    visitId: visitIdOf(deps, share, request.headers.get("cookie")),
    client: stateOf(request).ip,
    isOwner: () => visitors.sessionOf(request)?.accountId === share.ownerId,
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
