import { type Route, route } from "../../../../http/route.ts";
import { DomainError, invalidField } from "../../../../kernel/errors.ts";
import { formReader } from "../../../../pages/form.ts";
import { checkGrant } from "../access/proofs.ts";
import { requireOpen } from "../access/visit.ts";
import { answerByLink } from "../answers/service.ts";
import { ANSWERS, type Answer } from "../answers/shapes.ts";
import { findOwnerName, opensTrack } from "../page-queries.ts";
import { partsOf } from "../player/thread-views.ts";
import type { SharedEntity } from "../shapes.ts";
import { draftOf } from "./comment-form-pages.ts";
import { pitchHtml } from "./part-views.tsx";
import type { SharePages, ShareRequest } from "./request-pages.ts";
import { receiveForm } from "./visitor-form-pages.tsx";

const readAnswerForm = formReader("e", "s", "track", "version", "answer", "note");

/** Whether the recipient of a link wants a track. */
export const answerPages = (pages: SharePages, entity: SharedEntity): Route[] => [
  route({
    at: `POST /${entity}/:token/answer`,
    run: ({ request, params: { token } }) => answer(pages, { request, entity, token }),
  }),
];

/** Receives an answer. It is the link's, whoever pressed, but no member of its library presses for its recipient. */
async function answer(pages: SharePages, asked: ShareRequest): Promise<Response> {
  const { deps } = pages;
  const form = await readAnswerForm(asked.request);
  const trackId = form.get("track") ?? "";
  const versionId = form.get("version") ?? "";
  return receiveForm(pages, asked, {
    receive: ({ share, member }) => {
      requireOpen(deps, share);
      if (!share.askAnswer) throw new DomainError("not_asked", "This link does not ask for an answer");
      if (member) throw new DomainError("not_asked", "Only the recipient of the link answers here");
      checkGrant(deps, share, "answer", versionId, form);
      if (!opensTrack(deps.db, share, trackId))
        throw new DomainError("track_not_found", "This link does not open that track");
      const note = form.get("note") ?? "";
      const said = answerByLink(deps, { share, trackId, versionId, answer: readAnswer(form), note });
      const ownerName = findOwnerName(deps.db, share.ownerId) ?? "";
      const { after } = partsOf(asked.request);
      const part = { tracks: [{ id: trackId, versionId }], ownerName, after };
      const html = pitchHtml(deps, share, part, { memberId: undefined });
      return { json: { ...said, html }, anchor: `#pitch-${trackId}` };
    },
    again: (props, error) => ({
      ...props,
      pitch: props.pitch && { ...props.pitch, error, draft: { trackId, note: draftOf(form, "note") } },
    }),
    // Whoever has twenty tracks presses twenty times.
    limit: pages.answerLimit,
  });
}

function readAnswer(form: URLSearchParams): Answer {
  const answer = ANSWERS.find((each) => each === form.get("answer"));
  if (answer) return answer;
  throw invalidField("answer", "enum", `must be one of ${ANSWERS.join(", ")}`);
}
