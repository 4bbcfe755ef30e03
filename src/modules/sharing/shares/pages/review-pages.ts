import { type Route, route } from "../../../../http/route.ts";
import { DomainError, invalidField } from "../../../../kernel/errors.ts";
import { formReader } from "../../../../pages/form.ts";
import type { PlayerPageProps } from "../../../../pages/player/pages.tsx";
import { answerLinkNote, findLinkNote, reviewByLink, reviewVersion } from "../../comments/service.ts";
import { MAX_VISITOR_NAME } from "../../comments/shapes.ts";
import { checkGrant } from "../access/proofs.ts";
import { requireOpen } from "../access/visit.ts";
import { nameOf } from "../mails/recipient.ts";
import { findOwnerName, type LinkRow, opensTrack } from "../page-queries.ts";
import { partsOf } from "../player/thread-views.ts";
import type { SharedEntity } from "../shapes.ts";
import { draftOf } from "./comment-form-pages.ts";
import { visitOf } from "./comment-pages.ts";
import { approvalHtml, noteHtml } from "./part-views.tsx";
import type { SharePages, ShareRequest } from "./request-pages.ts";
import { receiveForm, type Sender } from "./visitor-form-pages.tsx";

const readReview = formReader("e", "s", "track", "version", "state", "text");
const readAnswer = formReader("e", "s", "track", "version", "answered", "text");

/** What the recipient of a link says: of a version, and of what it answers. */
export const reviewPages = (pages: SharePages, entity: SharedEntity): Route[] => [
  route({
    at: `POST /${entity}/:token/review`,
    run: ({ request, params: { token } }) => review(pages, { request, entity, token }),
  }),
  route({
    at: `POST /${entity}/:token/comments/:id/answered`,
    run: ({ request, params: { token, id } }) => answer(pages, { request, entity, token }, id),
  }),
];

/** Receives a verdict on a version: that of the link, or of a member of its library in their own name. */
async function review(pages: SharePages, asked: ShareRequest): Promise<Response> {
  const { deps } = pages;
  const form = await readReview(asked.request);
  const versionId = form.get("version") ?? "";
  return receiveForm(pages, asked, {
    receive: ({ share, member }) => {
      requireAsked(pages, share, form);
      const trackId = form.get("track") ?? "";
      if (!opensTrack(deps.db, share, trackId))
        throw new DomainError("track_not_found", "This link does not open that track");
      const said = { state: readState(form), text: form.get("text") };
      const of = { trackId, versionId };
      const { state, text, at } = member
        ? reviewVersion(deps, member, of, said)
        : reviewByLink(deps, { share, ...of, ...said });
      const ownerName = findOwnerName(deps.db, share.ownerId) ?? "";
      const { after } = partsOf(asked.request);
      const part = { tracks: [{ id: trackId, versionId }], ownerName, after };
      const html = approvalHtml(deps, share, part, { memberId: member?.personId });
      return { json: { trackId, versionId, state, text, at, html }, anchor: `#approval-${trackId}` };
    },
    again: (props, error) => withDraft(props, { error, id: versionId, form }),
  });
}

/** Receives whether a note of the link is answered; where it is not, what is still missing becomes a reply. */
async function answer(pages: SharePages, asked: ShareRequest, id: string): Promise<Response> {
  const { deps } = pages;
  const form = await readAnswer(asked.request);
  return receiveForm(pages, asked, {
    receive: (sender) => {
      const { share } = sender;
      requireAsked(pages, share, form);
      const note = findLinkNote(deps, share, id);
      if (note && !opensTrack(deps.db, share, note.trackId))
        throw new DomainError("track_not_found", "This link does not open that track");
      const isAnswered = readAnswered(form);
      answerLinkNote(deps, {
        share,
        noteId: id,
        answered: isAnswered,
        versionId: form.get("version") ?? undefined,
        text: form.get("text") ?? "",
        ...speakerOf(pages, sender, asked.request),
      });
      const right = isAnswered ? id : null;
      const html = noteHtml(deps, share, id, { ...partsOf(asked.request), right });
      return { json: { id, answered: isAnswered, html }, anchor: `#${id}`, parts: { right } };
    },
    again: (props, error) => withDraft(props, { error, id, form }),
    // Whoever has twenty notes presses twenty times.
    limit: (form.get("text") ?? "").trim() === "" ? pages.answerLimit : pages.commentLimit,
  });
}

/** Through a link its recipient speaks, whoever presses; a member of its library speaks for themselves. */
function speakerOf({ deps }: SharePages, { share, member }: Sender, request: Request) {
  const recipient = nameOf(share.recipient) || (share.recipient ?? "");
  return {
    authorId: member?.personId ?? null,
    authorName: recipient.slice(0, MAX_VISITOR_NAME),
    visit: visitOf(deps, share, request),
  };
}

/**
 * Passes for the form of an open link that asks for approval, about the version that the form's page played.
 *
 * @throws DomainError `not_asked`, `invalid_link`, `share_not_found`.
 */
function requireAsked({ deps }: SharePages, share: LinkRow, form: URLSearchParams): void {
  requireOpen(deps, share);
  if (!share.allowReview) throw new DomainError("not_asked", "This link does not ask for approval");
  checkGrant(deps, share, "review", form.get("version") ?? "", form);
}

function readState(form: URLSearchParams): "approved" | "changes" {
  const state = form.get("state");
  if (state === "approved" || state === "changes") return state;
  throw invalidField("state", "enum", "must be approved or changes");
}

function readAnswered(form: URLSearchParams): boolean {
  const answered = form.get("answered");
  if (answered === "true" || answered === "false") return answered === "true";
  throw invalidField("answered", "enum", "must be true or false");
}

type Draft = { error: string; id: string; form: URLSearchParams };

/** Shows a page again with what was typed about a version or a note. */
const withDraft = (props: PlayerPageProps, { error, id, form }: Draft): PlayerPageProps => ({
  ...props,
  approval: props.approval && { ...props.approval, error, draft: { id, text: draftOf(form, "text") } },
});
