/** @jsxRuntime automatic @jsxImportSource preact */
import { STATUS, toDomainError } from "../../../../http/errors.ts";
import { rateLimitKey } from "../../../../http/front/client-ip.ts";
import { stateOf } from "../../../../http/request-state.ts";
import { type Route, route } from "../../../../http/route.ts";
import { createAttemptLimit } from "../../../../kernel/attempt-limit.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../../kernel/time.ts";
import { formReader } from "../../../../pages/form.ts";
import { messageResponse } from "../../../../pages/message.tsx";
import { pageRootOf } from "../../../../pages/paths.ts";
import { PlayerPage } from "../../../../pages/player/pages.tsx";
import { htmlResponse, redirect } from "../../../../pages/respond.ts";
import type { Visitors } from "../../../../pages/visitor.ts";
import { provePassword } from "../../../people/people/service.ts";
import { checkGrant, passOf, proofOf } from "../access/proofs.ts";
import {
  endOf,
  getShareByToken,
  type Opening,
  openShare,
  PASS_COOKIE,
  VISIT_COOKIE,
} from "../access/visit.ts";
import { isMachine, isPrefetch } from "../counting/audience.ts";
import type { Counting } from "../counting/counting.ts";
import { sharedMusic, sourceOf } from "../player/player-data.ts";
import { playerProps, previewOf } from "../player/player-views.ts";
import { partsOf } from "../player/thread-views.ts";
import type { ShareRow } from "../queries.ts";
import { ANSWERS_MINUTES, MAX_ANSWERS, PASSWORD_KEPT_DAYS, type SharedEntity } from "../shapes.ts";
import { answerPages } from "./answer-pages.ts";
import { comment } from "./comment-form-pages.ts";
import { listPages } from "./list-pages.tsx";
import { mediaPages } from "./media-pages.ts";
import { renewalPages } from "./renewal-pages.ts";
import { asLinkPage, brandFor, linkCookie, type SharePages, type ShareRequest } from "./request-pages.ts";
import { reviewPages } from "./review-pages.ts";
import { EarlyPage, EndedPage, PasswordPage, PreviewPage } from "./share-views.tsx";

const readEntry = formReader("e", "s", "password");

/** How long a correct password is remembered, unless it changes. */
const PASS_AGE_SEC = (PASSWORD_KEPT_DAYS * DAY_MS) / SECOND_MS;

/** What the pages need besides {@link Deps}. */
export type SharePageParts = { counting: Counting };

/**
 * `/track/{token}` and `/playlist/{token}`: the page, its password, its audio and downloads, and its comments.
 * `counting` is told about every page and file.
 */
export const sharePages = (deps: Deps, visitors: Visitors, counting: Counting): Route[] => {
  const pages: SharePages = {
    deps,
    visitors,
    counting,
    passwordLimit: createAttemptLimit(deps.now),
    commentLimit: createAttemptLimit(deps.now),
    answerLimit: createAttemptLimit(deps.now, {
      attempts: MAX_ANSWERS,
      windowMs: ANSWERS_MINUTES * MINUTE_MS,
    }),
  };
  return [
    ...entityPages(pages, "track"),
    ...entityPages(pages, "playlist"),
    ...mediaPages(pages, "track"),
    ...mediaPages(pages, "playlist"),
    ...reviewPages(pages, "track"),
    ...reviewPages(pages, "playlist"),
    ...answerPages(pages, "track"),
    ...answerPages(pages, "playlist"),
    ...listPages(deps, visitors),
    ...renewalPages(deps, visitors),
  ];
};

const entityPages = (pages: SharePages, entity: SharedEntity): Route[] => [
  route({
    at: `GET /${entity}/:token`,
    run: ({ request, params: { token } }) =>
      asLinkPage(pages, { entity, token }, () => show(pages, { request, entity, token })),
  }),
  route({
    at: `POST /${entity}/:token`,
    run: ({ request, params: { token } }) =>
      asLinkPage(pages, { entity, token }, () => enter(pages, { request, entity, token })),
  }),
  route({
    at: `POST /${entity}/:token/comments`,
    run: ({ request, params: { token } }) => comment(pages, { request, entity, token }),
  }),
];

/** Shows the page of a link, or what it requires first. `isPerson`: the visitor has pressed the button for people. */
function show(pages: SharePages, asked: ShareRequest, isPerson = false): Response | Promise<Response> {
  const { deps, visitors } = pages;
  const { request, entity } = asked;
  const root = pageRootOf(deps.settings);
  const share = getShareByToken(deps.db, asked.entity, asked.token);
  const memberId = visitors.memberOf(request, share.ownerId)?.personId;
  const isOwner = memberId !== undefined;
  const opening = openShare(deps, share, {
    cookies: request.headers.get("cookie"),
    isOwner,
    isMachine: !isPerson && isMachine(request),
    isPrefetch: !isPerson && isPrefetch(request),
  });
  if (opening.state === "over") return ended(deps, share, opening.reason);
  if (opening.state === "password") return askPassword(deps, asked, share);
  const { visitId } = opening.state === "preview" ? {} : opening;
  pages.counting.onPageView({ share, request, visitId, isOwner });
  if (opening.state === "later") return comeLater(deps, share);
  const parts = partsOf(request);
  const source = sourceOf(deps, share);
  const music = sharedMusic(deps, source, parts.after);
  if (!music) return ended(deps, share, "gone");
  const brand = brandFor(deps, share.ownerId);
  if (opening.state === "preview") {
    const action = `${root}/${entity}/${asked.token}${new URL(request.url).search}`; // the same part of a list
    const form = { action, proof: proofOf(deps, share, "open"), ownerId: share.ownerId };
    return htmlResponse(<PreviewPage root={root} preview={previewOf(music)} entity={entity} {...form} />, {
      brand,
    });
  }
  const { visitCookie } = opening;
  return htmlResponse(<PlayerPage {...playerProps(deps, share, source, music, parts, { memberId })} />, {
    brand,
    headers: { "cache-control": "private, no-cache" },
    cookies: visitCookie === undefined ? [] : [linkCookie(deps, asked, VISIT_COOKIE, visitCookie)],
    // Safe to compress: the proofs are the visitor's own, and the page repeats no input.
    acceptEncoding: request.headers.get("accept-encoding"),
  });
}

/** Receives the forms of a link's page: its password, or the press of the button for people. */
async function enter(pages: SharePages, asked: ShareRequest): Promise<Response> {
  const share = getShareByToken(pages.deps.db, asked.entity, asked.token);
  const end = endOf(pages.deps, share);
  if (end) return ended(pages.deps, share, end);
  const form = await readEntry(asked.request);
  if (!form.has("s")) return enterPassword(pages, asked, share, form.get("password") ?? "");
  checkGrant(pages.deps, share, "open", "", form);
  return show(pages, asked, true);
}

/** Receives a link's password. */
async function enterPassword(
  { deps, passwordLimit }: SharePages,
  asked: ShareRequest,
  share: ShareRow,
  password: string,
): Promise<Response> {
  const root = pageRootOf(deps.settings);
  const path = `${root}/${asked.entity}/${asked.token}`;
  if (share.passwordHash === null) return redirect(path);
  try {
    const attempts = passwordLimit(share.id, rateLimitKey(stateOf(asked.request).ip));
    if (!(await provePassword(password, share.passwordHash, attempts)))
      throw new DomainError("invalid_credentials", "That is not the password");
    return redirect(path, [linkCookie(deps, asked, PASS_COOKIE, passOf(deps, share), PASS_AGE_SEC)]);
  } catch (thrown) {
    const refusal = toDomainError(thrown);
    if (refusal.code === "internal_error") throw thrown;
    return askPassword(deps, asked, share, refusal);
  }
}

function askPassword(
  deps: Deps,
  { entity, token }: ShareRequest,
  { ownerId }: ShareRow,
  refusal?: DomainError,
): Promise<Response> {
  const root = pageRootOf(deps.settings);
  const status = refusal && (refusal.code === "invalid_credentials" ? 403 : STATUS[refusal.code]);
  return htmlResponse(
    <PasswordPage
      root={root}
      ownerId={ownerId}
      action={`${root}/${entity}/${token}`}
      error={refusal?.message}
    />,
    {
      brand: brandFor(deps, ownerId),
      ...(status && { status }),
      ...(refusal && { headers: refusal.headers }),
    },
  );
}

/** Explains that the link opens nothing. What may still be turned on, or opens by itself, is not gone. */
function ended(
  deps: Deps,
  share: ShareRow,
  reason: Extract<Opening, { state: "over" }>["reason"],
): Promise<Response> {
  const { ownerId, entity } = share;
  const root = pageRootOf(deps.settings);
  const brand = brandFor(deps, ownerId);
  if (reason === "early") {
    const opensAt = share.notBefore ?? 0;
    return htmlResponse(<EarlyPage root={root} {...{ ownerId, opensAt }} now={deps.now()} />, {
      status: 404,
      brand,
    });
  }
  const status = reason === "not-yet" || reason === "off" ? 404 : 410;
  return htmlResponse(<EndedPage root={root} {...{ ownerId, entity, reason }} />, { status, brand });
}

/** Refuses a prefetch. The browser drops it and requests the page again when its visitor opens it. */
function comeLater(deps: Deps, { ownerId }: ShareRow): Promise<Response> {
  return messageResponse({
    title: "Not yet",
    lead: "Open the link to see it.",
    status: 503,
    root: pageRootOf(deps.settings),
    brand: brandFor(deps, ownerId),
  });
}
