/** @jsxRuntime automatic @jsxImportSource preact */
import { type AnyElysia, Elysia } from "elysia";
import { rateLimitKey } from "../../http/client-ip.ts";
import { STATUS, toDomainError } from "../../http/errors.ts";
import { servedFile } from "../../http/file-response.ts";
import { stateOf } from "../../http/request-state.ts";
import { type AttemptLimit, createAttemptLimit } from "../../kernel/attempt-limit.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { DAY_MS, SECOND_MS } from "../../kernel/time.ts";
import { readForm } from "../../pages/form.ts";
import { asPage, messageResponse } from "../../pages/message.tsx";
import { isHttps, pageRootOf } from "../../pages/paths.ts";
import type { PlayerComments } from "../../pages/player/model.ts";
import { PlayerPage } from "../../pages/player/pages.tsx";
import { cookie, htmlResponse, redirect } from "../../pages/respond.ts";
import type { Visitors } from "../../pages/visitor.ts";
import { provePassword } from "../accounts/service.ts";
import { isMachine, isMachineName, isPrefetch } from "./audience.ts";
import { type Draft, receiveComment } from "./comment-pages.ts";
import { listPages } from "./list-pages.tsx";
import type { Listening } from "./listening.ts";
import { readHeard } from "./listening-notes.ts";
import { getDownloadFile, getListenFile, getWaveform } from "./media.ts";
import type { SharedEntity } from "./model.ts";
import { EndedPage, PasswordPage, PreviewPage } from "./page-views.tsx";
import { sharedMusic, sourceOf } from "./player-data.ts";
import { type PageParts, partsOf, playerProps, previewOf } from "./player-model.ts";
import { checkGrant, passOf, proofOf } from "./proofs.ts";
import type { ShareRow } from "./queries.ts";
import { renewalPages } from "./renewal-pages.ts";
import { getShareByToken, openShare, PASS_COOKIE, VISIT_COOKIE, visitIdOf } from "./visit.ts";

/** A right password is remembered this long, or until it is changed. */
const PASS_AGE_SEC = (30 * DAY_MS) / SECOND_MS;

/** More of what was typed than anybody types does not come back: twice what a comment may have. */
const MAX_DRAFT_CHARACTERS = 4000;

type SharePages = {
  deps: Deps;
  visitors: Visitors;
  listening: Listening;
  passwordLimit: AttemptLimit;
  commentLimit: AttemptLimit;
};
/** A request to a link's page or what lies below it. */
type ShareRequest = { request: Request; entity: SharedEntity; token: string };

/**
 * `/track/{token}` and `/playlist/{token}`: the page, its password, what it plays and gives out, and what visitors say.
 * `listening` hears of every page and file.
 */
export const sharePages = (deps: Deps, visitors: Visitors, listening: Listening) => {
  const pages: SharePages = {
    deps,
    visitors,
    listening,
    passwordLimit: createAttemptLimit(deps.now),
    commentLimit: createAttemptLimit(deps.now),
  };
  const mounted = new Elysia().use(entityPages(pages, "track")).use(entityPages(pages, "playlist"));
  return mounted
    .use(entityNotes(pages, "track"))
    .use(entityNotes(pages, "playlist"))
    .use(listPages(deps))
    .use(renewalPages(deps, visitors));
};

/** What pages tell by themselves: that they were seen, and what was heard. */
function entityNotes(pages: SharePages, entity: SharedEntity): AnyElysia {
  return (
    new Elysia({ prefix: `/${entity}/:token` })
      // The page's script posts; where there is none, the page's image gets.
      .get("/seen", ({ request, params: { token } }) => see(pages, { request, entity, token }))
      .post("/seen", ({ request, params: { token } }) => see(pages, { request, entity, token }), {
        parse: "none",
      })
      .post(
        "/heard/:version",
        ({ request, params: { token, version } }) => hear(pages, { request, entity, token }, version),
        { parse: "none" },
      )
  );
}

function entityPages(pages: SharePages, entity: SharedEntity) {
  const root = pageRootOf(pages.deps.settings);
  return new Elysia({ prefix: `/${entity}/:token` })
    .get("", ({ request, params: { token } }) => asPage(root, () => show(pages, { request, entity, token })))
    .post(
      "",
      ({ request, params: { token } }) => asPage(root, () => enter(pages, { request, entity, token })),
      { parse: "none" },
    )
    .get("/listen/:version", ({ request, params: { token, version } }) =>
      serve(pages, { request, entity, token }, version, "listen"),
    )
    .get("/download/:version", ({ request, params: { token, version } }) =>
      asPage(root, () => serve(pages, { request, entity, token }, version, "download")),
    )
    .get("/waveform/:version", ({ request, params: { token, version } }) =>
      outline(pages, { request, entity, token }, version),
    )
    .post("/comments", ({ request, params: { token } }) => comment(pages, { request, entity, token }), {
      parse: "none",
    });
}

/** The page of a link, or what is shown instead. `isPerson`: the visitor has pressed the button for people. */
function show(pages: SharePages, asked: ShareRequest, isPerson = false): Response | Promise<Response> {
  const { deps, visitors } = pages;
  const { request, entity } = asked;
  const root = pageRootOf(deps.settings);
  const share = getShareByToken(deps.db, asked.entity, asked.token);
  const isOwner = visitors.sessionOf(request)?.accountId === share.ownerId;
  const opening = openShare(deps, share, {
    cookies: request.headers.get("cookie"),
    isOwner,
    isMachine: !isPerson && isMachine(request),
    isPrefetch: !isPerson && isPrefetch(request),
  });
  if (opening.state === "over") return ended(root, opening.reason);
  if (opening.state === "password") return askPassword(root, asked);
  const { visitId } = opening.state === "preview" ? {} : opening;
  pages.listening.onPageView({ share, request, visitId, isOwner });
  if (opening.state === "later") return comeLater(root);
  const parts = partsOf(request);
  const source = sourceOf(deps, share);
  const music = sharedMusic(deps, source, parts.after);
  if (!music) return ended(root, "gone");
  if (opening.state === "preview") {
    const action = `${root}/${entity}/${asked.token}${new URL(request.url).search}`; // the same part of a list
    const form = { action, proof: proofOf(deps, share, "open") };
    return htmlResponse(<PreviewPage root={root} preview={previewOf(music)} entity={entity} {...form} />);
  }
  const { visitCookie } = opening;
  return htmlResponse(<PlayerPage {...playerProps(deps, share, source, music, parts)} />, {
    headers: { "cache-control": "private, no-cache" },
    cookies: visitCookie === undefined ? [] : [linkCookie(deps, asked, VISIT_COOKIE, visitCookie)],
    // The proofs in it are the visitor's own, and nothing that was sent is repeated.
    acceptEncoding: request.headers.get("accept-encoding"),
  });
}

/** Takes what is posted to a link's page: its password, or the press of the button that proves a person. */
async function enter(pages: SharePages, asked: ShareRequest): Promise<Response> {
  const share = getShareByToken(pages.deps.db, asked.entity, asked.token);
  const form = await readForm(asked.request);
  if (!form.has("s")) return enterPassword(pages, asked, share, form.get("password") ?? "");
  checkGrant(pages.deps, share, "open", "", form);
  return show(pages, asked, true);
}

/** Takes a link's password. */
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
    return askPassword(root, asked, refusal);
  }
}

function askPassword(
  root: string,
  { entity, token }: ShareRequest,
  refusal?: DomainError,
): Promise<Response> {
  const status = refusal && (refusal.code === "invalid_credentials" ? 403 : STATUS[refusal.code]);
  return htmlResponse(
    <PasswordPage root={root} action={`${root}/${entity}/${token}`} error={refusal?.message} />,
    { ...(status && { status }), ...(refusal && { headers: refusal.headers }) },
  );
}

function ended(root: string, reason: "revoked" | "expired" | "used-up" | "gone"): Promise<Response> {
  return htmlResponse(<EndedPage root={root} reason={reason} />, { status: 410 });
}

/** A browser throws away what it fetched ahead and could not have, and asks again when somebody really comes. */
function comeLater(root: string): Promise<Response> {
  return messageResponse({ title: "Not yet", lead: "Open the link to see it.", status: 503, root });
}

function serve(
  pages: SharePages,
  { request, entity, token }: ShareRequest,
  versionId: string,
  use: "listen" | "download",
): Response {
  const { deps, listening } = pages;
  const share = getShareByToken(deps.db, entity, token);
  const find = use === "listen" ? getListenFile : getDownloadFile;
  const file = find(deps, share, { versionId, request });
  const response = servedFile(request, file);
  if (use === "listen") {
    response.headers.set("content-disposition", "inline");
    response.headers.append("vary", "accept, user-agent");
  }
  // Asked for again each time, and mostly answered by a 304: a link that was closed is closed at once.
  response.headers.set("cache-control", "private, no-cache");
  response.headers.set("cross-origin-resource-policy", "same-origin");
  response.headers.set("x-robots-tag", "noindex, nofollow");
  return listening.serve({ ...file, ...clientOf(pages, share, request), use, versionId }, response);
}

/** What a page's script says of what was heard. */
async function hear(
  pages: SharePages,
  { request, entity, token }: ShareRequest,
  versionId: string,
): Promise<Response> {
  const { deps, listening } = pages;
  const share = getShareByToken(deps.db, entity, token);
  const file = getListenFile(deps, share, { versionId, request });
  const parts = readHeard((await readForm(request)).get("parts") ?? "");
  listening.onHeard({ ...file, ...clientOf(pages, share, request), versionId, parts });
  return noted();
}

/** A browser says that it shows the page of its visit. */
function see({ deps, listening }: SharePages, { request, entity, token }: ShareRequest): Response {
  const share = getShareByToken(deps.db, entity, token);
  const visitId = visitIdOf(deps, share, request.headers.get("cookie"));
  const isMachineRequest = request.method === "HEAD" || isMachineName(request.headers.get("user-agent"));
  if (visitId !== undefined && !isMachineRequest && !isPrefetch(request)) listening.onSeen(share, visitId);
  return noted();
}

const noted = () => new Response(null, { status: 204, headers: { "cache-control": "no-store" } });

/** Whose request it is, as far as anybody wants to know. */
function clientOf({ deps, visitors }: SharePages, share: ShareRow, request: Request) {
  return {
    share,
    request,
    visitId: visitIdOf(deps, share, request.headers.get("cookie")),
    client: stateOf(request).ip,
    isOwner: () => visitors.sessionOf(request)?.accountId === share.ownerId,
  };
}

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

/** Takes a comment: the page's script wants the comment itself, a plain form the page again. */
async function comment(pages: SharePages, asked: ShareRequest): Promise<Response> {
  const { deps, visitors, commentLimit } = pages;
  const { request } = asked;
  const wantsJson = request.headers.get("accept") === "application/json";
  const root = pageRootOf(deps.settings);
  const share = getShareByToken(deps.db, asked.entity, asked.token);
  const form = await readForm(request);
  try {
    const session = visitors.sessionOf(request);
    const authorId = session?.accountId === share.ownerId ? share.ownerId : null;
    const attempts = commentLimit(share.id, rateLimitKey(stateOf(request).ip));
    if (authorId === null) attempts.check();
    const added = receiveComment(deps, share, form, authorId);
    if (authorId === null) attempts.count(); // what was refused does not count
    if (wantsJson) return Response.json(added, { headers: { "cache-control": "no-store" } });
    const { after } = partsOf(request);
    const part = after === null ? "" : `?after=${encodeURIComponent(after)}`;
    return redirect(`${root}/${asked.entity}/${asked.token}${part}#comments`);
  } catch (thrown) {
    const refusal = toDomainError(thrown);
    if (wantsJson || refusal.code === "internal_error") throw thrown;
    return showAgain(pages, { share, form, refusal, parts: partsOf(request) });
  }
}

type Refused = { share: ShareRow; form: URLSearchParams; refusal: DomainError; parts: PageParts };

/** The page once more, with what was wrong and what need not be typed again. */
async function showAgain({ deps }: SharePages, { share, form, refusal, parts }: Refused): Promise<Response> {
  const root = pageRootOf(deps.settings);
  const source = sourceOf(deps, share);
  const music = sharedMusic(deps, source, parts.after);
  const isProven = refusal.code === "validation_failed" || refusal.code === "rate_limit_exceeded";
  if (!music || !isProven) return asPage(root, () => Promise.reject(refusal));
  const read = (name: string) => (form.get(name) ?? "").slice(0, MAX_DRAFT_CHARACTERS);
  const draft: Draft = { name: read("name"), text: read("text"), at: read("at"), trackId: read("track") };
  const props = playerProps(deps, share, source, music, parts);
  const comments: PlayerComments | undefined = props.comments && {
    ...props.comments,
    error: wordsOf(refusal),
    draft,
  };
  return htmlResponse(<PlayerPage {...props} comments={comments} />, {
    status: STATUS[refusal.code],
    headers: refusal.headers,
  });
}

/** What is wrong with a form, for people. */
function wordsOf({ message, data }: DomainError): string {
  const [issue] = (data?.errors ?? []) as { path: string; detail: string }[];
  const names: Readonly<Record<string, string>> = {
    name: "Your name",
    text: "The comment",
    positionSec: "The time",
    at: "The time",
    track: "The track",
  };
  return issue ? `${names[issue.path] ?? "The form"} ${issue.detail}` : message;
}

/** A cookie that only this link's pages see. */
function linkCookie(
  { settings }: Pick<Deps, "settings">,
  { request, entity, token }: ShareRequest,
  name: string,
  value: string,
  maxAgeSec?: number,
): string {
  const path = `${pageRootOf(settings)}/${entity}/${token}`;
  return cookie(name, value, { path, isSecure: isHttps(settings, request), ...(maxAgeSec && { maxAgeSec }) });
}
