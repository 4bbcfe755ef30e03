import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { signalOf } from "../../../http/request-state.ts";
import { MailPreview } from "../../mail/outbox/shapes.ts";
import { ArrangePack, BriefPack, SendPack, SentPack } from "./pack-shapes.ts";
import { PreviewMail } from "./preview-shapes.ts";
import {
  CountsQuery,
  FitQuery,
  InboxCounts,
  InboxFit,
  InboxItem,
  InboxQuery,
  PASSED_LISTED_DAYS,
  SubmissionParams,
  TriageSubmission,
} from "./shapes.ts";

/** What triages and ranks is loaded with the first request for it. */
const service = () => import("./service.ts");

const tag = "Briefs";

/** What came in for an account's briefs, deciding about it, and the shortlist that is sent out. */
export const inboxOperations = [
  op({
    at: "GET /inbox",
    id: "listInbox",
    session: "read:briefs",
    input: { query: InboxQuery },
    tag,
    summary: "List the submissions to your briefs, newest first",
    description: `What you passed is listed for ${PASSED_LISTED_DAYS} days.`,
    answer: Type.Array(InboxItem),
    siblings: { paging: Paging },
    refusals: ["brief_not_found"],
    run: async (deps, { actor, query }) => (await service()).listInbox(deps, actor.accountId, query),
  }),
  op({
    at: "GET /inbox/counts",
    id: "countInbox",
    session: "read:briefs",
    input: { query: CountsQuery },
    tag,
    summary: "Count the submissions by decision",
    answer: InboxCounts,
    refusals: ["brief_not_found"],
    run: async (deps, { actor, query }) => (await service()).countInbox(deps, actor.accountId, query.briefId),
  }),
  op({
    at: "GET /inbox/fit",
    id: "fitInbox",
    session: "read:briefs",
    input: { query: FitQuery },
    tag,
    summary: "Rank the submissions by prose",
    description: "Without a text, by the text of the brief. Costs no credit.",
    answer: InboxFit,
    refusals: ["brief_not_found"],
    run: async (deps, { actor, query, request }) =>
      (await service()).fitInbox(deps, actor, query, signalOf(request)),
  }),
  op({
    at: "PATCH /submissions/:id",
    id: "triageSubmission",
    session: "manage:briefs",
    input: { params: SubmissionParams, body: TriageSubmission },
    tag,
    summary: "Decide on a submission, or add a note",
    description:
      "Keeping a submission makes its track visible in your library. Another decision later hides the track again, if " +
      "keeping it had made it visible.",
    answer: InboxItem,
    refusals: ["not_found"],
    run: async (deps, { actor, params, body }) =>
      (await service()).triage(deps, actor.accountId, params.id, body),
  }),
  op({
    at: "GET /briefs/:id/pack",
    id: "getBriefPack",
    session: "read:briefs",
    input: { params: SubmissionParams },
    tag,
    summary: "List what could be offered for a brief",
    description:
      "What was shortlisted and kept, and what else the library has: one version of each song, ranked by the text of " +
      "the brief, with what is missing in its credits. Costs no credit.",
    answer: BriefPack,
    refusals: ["brief_not_found"],
    run: async (deps, { actor, params, request }) =>
      (await service()).packOf(deps, actor, params.id, signalOf(request)),
  }),
  op({
    at: "PUT /briefs/:id/pack",
    id: "arrangeBriefPack",
    session: "manage:briefs",
    input: { params: SubmissionParams, body: ArrangePack },
    tag,
    summary: "Set which songs go out for a brief, and in which order",
    answer: ArrangePack,
    refusals: ["brief_not_found"],
    run: async (deps, { actor, params, body }) =>
      (await service()).arrangePack(deps, actor.accountId, params.id, body),
  }),
  op({
    at: "POST /mails/preview",
    id: "previewMail",
    session: "send:mail",
    input: { body: PreviewMail },
    tag: "Shares",
    summary: "Look at a mail before it is sent",
    description: "Nothing is made or sent. The links in it lead nowhere yet.",
    answer: MailPreview,
    refusals: ["track_not_found", "playlist_not_found", "brief_not_found", "share_not_found", "mail_off"],
    run: async (deps, { actor, body }) => (await service()).previewMail(deps, actor, body),
  }),
  op({
    at: "POST /briefs/:id/pack",
    id: "sendBriefPack",
    session: "manage:briefs",
    input: { params: SubmissionParams, body: SendPack },
    tag,
    summary: "Make a playlist of songs for a brief, with an expiring link for each recipient",
    answer: SentPack,
    refusals: ["brief_not_found", "track_not_found", "mail_off", "mail_limit", "mail_stopped"],
    run: async (deps, { actor, params, body }) => (await service()).sendPack(deps, actor, params.id, body),
  }),
];
