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

/** What the pages of links share. */
export type SharePages = {
  deps: Deps;
  visitors: Visitors;
  counting: Counting;
  passwordLimit: AttemptLimit;
  commentLimit: AttemptLimit;
};
/** A request to a link's page or what lies below it. */
export type ShareRequest = { request: Request; entity: SharedEntity; token: string };

/** Whose request it is, as far as anybody wants to know. */
export function clientOf({ deps, visitors }: SharePages, share: ShareRow, request: Request) {
  return {
    share,
    request,
    visitId: visitIdOf(deps, share, request.headers.get("cookie")),
    client: stateOf(request).ip,
    isOwner: () => visitors.sessionOf(request)?.accountId === share.ownerId,
  };
}

/** A cookie that only this link's pages see. */
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
