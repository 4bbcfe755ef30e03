import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { PageQuery } from "../../../http/page-query.ts";
import {
  AppBrief,
  AppBriefParams,
  BriefRequest,
  CreateBrief,
  CreateRequest,
  CreateSubmission,
  DeletedBrief,
  Receipt,
  ReceivedSubmission,
  UpdateBrief,
} from "./app-shapes.ts";
import { listReceivedSubmissions, submitAsAccount } from "./inbox.ts";
import { createBrief, deleteBrief, getBrief, listAppBriefs, updateBrief } from "./manage.ts";
import { createRequest, listRequests } from "./requests.ts";
import { listBriefSubmissions, listBriefs, listTrackSubmissions } from "./service.ts";
import { Brief, BriefParams, BriefSubmissions, MAX_LISTED, TrackQuery, TrackSubmissions } from "./shapes.ts";

const tag = "Briefs";

/** What programs read of briefs, and the briefs that a track was sent to. */
const keyOperations = [
  op({
    at: "GET /briefs",
    id: "listBriefs",
    key: "read:briefs",
    tag,
    summary: "List briefs, newest first",
    answer: Type.Array(Brief, { maxItems: MAX_LISTED }),
    refusals: [],
    run: (deps, { actor }) => listBriefs(deps, actor.accountId),
  }),
  op({
    at: "GET /briefs/:briefId/submissions",
    id: "listBriefSubmissions",
    key: "read:briefs",
    input: { params: BriefParams },
    tag,
    summary: "List the submissions to a brief",
    description: "If the brief is not the account's, `ok` is false.",
    answer: BriefSubmissions,
    refusals: [],
    run: (deps, { actor, params }) => listBriefSubmissions(deps, actor.accountId, params.briefId),
  }),
  op({
    at: "GET /tracks/submissions",
    id: "listTrackSubmissions",
    key: "read:tracks",
    input: { query: TrackQuery },
    tag,
    summary: "List the briefs that a track was sent to",
    description: "Includes briefs of other accounts. If the track is not the account's, `ok` is false.",
    answer: TrackSubmissions,
    refusals: [],
    run: (deps, { actor, query }) => listTrackSubmissions(deps, actor.accountId, query.id),
  }),
];

/** The signed-in account's briefs. */
const manageOperations = [
  op({
    at: "GET /briefs",
    id: "listAppBriefs",
    session: "read:briefs",
    input: { query: PageQuery },
    tag,
    summary: "List your briefs, newest first",
    answer: Type.Array(AppBrief),
    siblings: { paging: Paging },
    refusals: [],
    run: (deps, { actor, query }) => listAppBriefs(deps, actor.accountId, query),
  }),
  op({
    at: "POST /briefs",
    id: "createBrief",
    session: "manage:briefs",
    input: { body: CreateBrief },
    tag,
    summary: "Create a brief",
    answer: AppBrief,
    refusals: [],
    run: (deps, { actor, body }) => createBrief(deps, actor.accountId, body),
  }),
  op({
    at: "GET /briefs/:id",
    id: "getBrief",
    session: "read:briefs",
    input: { params: AppBriefParams },
    tag,
    summary: "Get a brief",
    answer: AppBrief,
    refusals: ["brief_not_found"],
    run: (deps, { actor, params }) => getBrief(deps, actor.accountId, params.id),
  }),
  op({
    at: "PATCH /briefs/:id",
    id: "updateBrief",
    session: "manage:briefs",
    input: { params: AppBriefParams, body: UpdateBrief },
    tag,
    summary: "Change a brief",
    description: "A draft can be opened, an open brief closed, and a closed brief archived or reopened.",
    answer: AppBrief,
    refusals: ["brief_not_found", "invalid_transition"],
    run: (deps, { actor, params, body }) => updateBrief(deps, actor.accountId, params.id, body),
  }),
  op({
    at: "DELETE /briefs/:id",
    id: "deleteBrief",
    session: "manage:briefs",
    input: { params: AppBriefParams },
    tag,
    summary: "Delete a brief with its requests and submissions",
    answer: DeletedBrief,
    refusals: ["brief_not_found"],
    run: (deps, { actor, params }) => deleteBrief(deps, actor.accountId, params.id),
  }),
];

/** Who is asked by e-mail, and what was sent. */
const submissionOperations = [
  op({
    at: "GET /briefs/:id/requests",
    id: "listBriefRequests",
    session: "read:briefs",
    input: { params: AppBriefParams, query: PageQuery },
    tag,
    summary: "List who was asked to submit to a brief, newest first",
    answer: Type.Array(BriefRequest),
    siblings: { paging: Paging },
    refusals: ["brief_not_found"],
    run: (deps, { actor, params, query }) => listRequests(deps, actor.accountId, params.id, query),
  }),
  op({
    at: "POST /briefs/:id/requests",
    id: "createBriefRequest",
    session: "manage:briefs",
    input: { params: AppBriefParams, body: CreateRequest },
    tag,
    summary: "Ask somebody for music by a link of their own",
    description:
      "The `link` in the answer is for one person. You send it to them yourself, or with `mail` the server does: once in seven days to " +
      "an address, and only while the brief is open.",
    answer: BriefRequest,
    refusals: ["brief_not_found", "brief_not_open", "mail_off", "mail_limit", "mail_stopped"],
    run: (deps, { actor, params, body }) => createRequest(deps, actor, params.id, body),
  }),
  op({
    at: "GET /briefs/:id/submissions",
    id: "listHeardSubmissions",
    session: "read:briefs",
    input: { params: AppBriefParams, query: PageQuery },
    tag,
    summary: "List the submissions to your brief, with links to listen",
    answer: Type.Array(ReceivedSubmission),
    siblings: { paging: Paging },
    refusals: ["brief_not_found"],
    run: (deps, { actor, params, query }) => listReceivedSubmissions(deps, actor.accountId, params.id, query),
  }),
  op({
    at: "POST /briefs/:id/submissions",
    id: "submitToBrief",
    session: "create:shares",
    input: { params: AppBriefParams, body: CreateSubmission },
    tag,
    summary: "Send a track or a link to an open brief",
    description: "The brief is yours, or another account's with a public page; the track must be yours.",
    answer: Receipt,
    refusals: ["brief_not_found", "track_not_found", "brief_not_open"],
    run: (deps, { actor, params, body }) => submitAsAccount(deps, actor.accountId, params.id, body),
  }),
];

/** Calls for submissions, and the submissions received. */
export const briefOperations = [...keyOperations, ...manageOperations, ...submissionOperations];
