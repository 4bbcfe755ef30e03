/** @jsxRuntime automatic @jsxImportSource preact */

import { STATUS, toDomainError } from "../../../../http/errors.ts";
import { rateLimitKey } from "../../../../http/front/client-ip.ts";
import { stateOf } from "../../../../http/request-state.ts";
import type { DomainError } from "../../../../kernel/errors.ts";
import { formReader } from "../../../../pages/form.ts";
import { pageRootOf } from "../../../../pages/paths.ts";
import type { PlayerComments } from "../../../../pages/player/model.ts";
import { PlayerPage } from "../../../../pages/player/pages.tsx";
import { htmlResponse, redirect } from "../../../../pages/respond.ts";
import { MAX_COMMENT } from "../../comments/shapes.ts";
import { getShareByToken } from "../access/visit.ts";
import { sharedMusic, sourceOf } from "../player/player-data.ts";
import { type PageParts, partsOf, playerProps } from "../player/player-views.ts";
import type { ShareRow } from "../queries.ts";
import { type Draft, heardVersion, receiveComment } from "./comment-pages.ts";
import { asLinkPage, brandFor, type SharePages, type ShareRequest } from "./request-pages.ts";

const readComment = formReader("e", "s", "version", "website", "name", "track", "at", "text");

/** What is shown again of a field, which may be too long. */
const MAX_DRAFT = 2 * MAX_COMMENT;

/** Receives a comment. The page's script gets the comment, a plain form gets the page again. */
export async function comment(pages: SharePages, asked: ShareRequest): Promise<Response> {
  const { deps, visitors, commentLimit } = pages;
  const { request } = asked;
  const wantsJson = request.headers.get("accept") === "application/json";
  const root = pageRootOf(deps.settings);
  const share = getShareByToken(deps.db, asked.entity, asked.token);
  const form = await readComment(request);
  try {
    const authorId = visitors.memberOf(request, share.ownerId)?.personId ?? null;
    const attempts = commentLimit(share.id, rateLimitKey(stateOf(request).ip));
    if (authorId === null) attempts.check();
    const added = receiveComment(deps, share, form, authorId);
    if (authorId === null) attempts.count(); // refused comments do not count
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

/** Shows the page again, with the error and the text that was typed. */
async function showAgain({ deps }: SharePages, { share, form, refusal, parts }: Refused): Promise<Response> {
  const source = sourceOf(deps, share);
  const music = sharedMusic(deps, source, parts.after);
  const isProven = refusal.code === "validation_failed" || refusal.code === "rate_limit_exceeded";
  if (!music || !isProven) return asLinkPage({ deps }, share, () => Promise.reject(refusal));
  const read = (name: string) => (form.get(name) ?? "").slice(0, MAX_DRAFT);
  const draft: Draft = {
    name: read("name"),
    text: read("text"),
    at: read("at"),
    trackId: read("track"),
    versionId: heardVersion(deps, form),
  };
  const props = playerProps(deps, share, source, music, parts);
  const comments: PlayerComments | undefined = props.comments && {
    ...props.comments,
    error: wordsOf(refusal),
    draft,
  };
  return htmlResponse(<PlayerPage {...props} comments={comments} />, {
    brand: brandFor(deps, share.ownerId),
    status: STATUS[refusal.code],
    headers: refusal.headers,
  });
}

/** Returns the faults of a form, in words for people. */
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
