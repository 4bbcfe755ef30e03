/** @jsxRuntime automatic @jsxImportSource preact */

import { STATUS, toDomainError } from "../../../../http/errors.ts";
import { rateLimitKey } from "../../../../http/front/client-ip.ts";
import { stateOf } from "../../../../http/request-state.ts";
import type { SessionActor } from "../../../../kernel/actor.ts";
import type { AttemptLimit } from "../../../../kernel/attempt-limit.ts";
import type { DomainError, ErrorCode } from "../../../../kernel/errors.ts";
import { PlayerPage, type PlayerPageProps } from "../../../../pages/player/pages.tsx";
import { htmlResponse, redirect } from "../../../../pages/respond.ts";
import { getShareByToken, requireOpen } from "../access/visit.ts";
import type { LinkRow } from "../page-queries.ts";
import { sharedMusic, sourceOf } from "../player/player-data.ts";
import { playerProps } from "../player/player-views.ts";
import { type PageParts, pageHref, partsOf } from "../player/thread-views.ts";
import { asLinkPage, brandFor, type SharePages, type ShareRequest } from "./request-pages.ts";

/** Who sent a form: the recipient of the link, or a member of its library, who speaks for themselves. */
export type Sender = { share: LinkRow; member: SessionActor | undefined };

/** What becomes of a form of a link's page. */
type Receiving = {
  /** Does what the form asks for. Returns what the page's script gets, and where on the page the visitor looks afterwards. */
  receive: (sender: Sender) => { json: object; anchor: string; parts?: Partial<PageParts> };
  /** Returns the page after a refusal: with what is wrong, and what was typed. */
  again: (props: PlayerPageProps, words: string) => PlayerPageProps;
  /** The parts of the page's lists to show then. */
  parts?: Partial<PageParts>;
  /** Which forms of a visitor count together; left out: those with words. */
  limit?: AttemptLimit;
};

/** Refusals of a form that a page of the link did issue: the page is shown again, with what was typed. */
const OF_WORDS: readonly ErrorCode[] = [
  "comment_not_found",
  "note_closed",
  "rate_limit_exceeded",
  "too_many_notes",
  "validation_failed",
  "version_not_found",
];

/**
 * Receives a form of a link's page. The page's script gets JSON, a plain form gets the page again.
 */
export async function receiveForm(
  pages: SharePages,
  asked: ShareRequest,
  { receive, again, parts: shown, limit = pages.commentLimit }: Receiving,
): Promise<Response> {
  const { deps, visitors } = pages;
  const { request } = asked;
  const wantsJson = request.headers.get("accept") === "application/json";
  const share = getShareByToken(deps.db, asked.entity, asked.token);
  const parts = partsOf(request);
  try {
    requireOpen(deps, share); // before anything is counted or shown
    const member = visitors.memberOf(request, share.ownerId);
    const attempts = limit(share.id, rateLimitKey(stateOf(request).ip));
    if (!member) attempts.check();
    const { json, anchor, parts: next } = receive({ share, member });
    if (!member) attempts.count(); // refused ones do not count
    if (wantsJson) return Response.json(json, { headers: { "cache-control": "no-store" } });
    const pagePath = `/${asked.entity}/${asked.token}`;
    return redirect(pageHref(deps, { pagePath }, { after: parts.after, ...next }, anchor));
  } catch (thrown) {
    const refusal = toDomainError(thrown);
    if (wantsJson || refusal.code === "internal_error") throw thrown;
    const page = OF_WORDS.includes(refusal.code)
      ? pageOf(pages, asked, share, { ...parts, ...shown })
      : undefined;
    if (!page) return asLinkPage(pages, share, () => Promise.reject(refusal));
    return htmlResponse(<PlayerPage {...again(page, wordsOf(refusal))} />, {
      brand: brandFor(deps, share.ownerId),
      status: STATUS[refusal.code],
      headers: refusal.headers,
    });
  }
}

function pageOf(
  { deps, visitors }: SharePages,
  { request }: ShareRequest,
  share: LinkRow,
  parts: PageParts,
): PlayerPageProps | undefined {
  const source = sourceOf(deps, share);
  const music = sharedMusic(deps, source, parts.after);
  const memberId = visitors.memberOf(request, share.ownerId)?.personId;
  return music && playerProps(deps, share, source, music, parts, { memberId });
}

const NAMES: Readonly<Record<string, string>> = {
  name: "Your name",
  text: "The comment",
  positionSec: "The time",
  at: "The time",
  endSec: "The end",
  end: "The end",
  track: "The track",
  answer: "The answer",
  note: "The note",
};

/** Returns the faults of a form, in words for people. */
function wordsOf({ message, data }: DomainError): string {
  const [issue] = (data?.errors ?? []) as { path: string; detail: string }[];
  if (!issue) return message;
  return `${NAMES[issue.path] ?? "The form"} ${issue.detail.replace("`positionSec`", "the time")}`;
}
