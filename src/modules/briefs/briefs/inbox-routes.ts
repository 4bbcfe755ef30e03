import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { PageQuery } from "../../../http/page-query.ts";
import type { Deps } from "../../../kernel/deps.ts";
import {
  AppBriefParams,
  BriefRequest,
  CreateRequest,
  CreateSubmission,
  Receipt,
  ReceivedSubmission,
} from "./app-shapes.ts";
import { listReceivedSubmissions, submitAsAccount } from "./inbox.ts";
import { createRequest, listRequests } from "./requests.ts";

const tag = "App";

/** `/app/briefs/{id}/requests`: the people who are asked by e-mail. */
export const briefRequestRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/briefs/:id/requests" })
    .use(guard)
    .get(
      "",
      ({ actor, params, query }) => {
        const { items, paging } = listRequests(deps, actor.accountId, params.id, query);
        return ok(items, { paging });
      },
      {
        session: true,
        params: AppBriefParams,
        query: PageQuery,
        detail: describe({
          operationId: "listBriefRequests",
          tag,
          summary: "List who was asked to submit to a brief, newest first",
          answer: Type.Array(BriefRequest),
          siblings: { paging: Paging },
          refusals: ["brief_not_found"],
        }),
      },
    )
    .post("", ({ actor, params, body }) => ok(createRequest(deps, actor.accountId, params.id, body)), {
      session: true,
      params: AppBriefParams,
      body: CreateRequest,
      detail: describe({
        operationId: "createBriefRequest",
        tag,
        summary: "Make a personal submission link",
        description: "The `link` in the answer is for one person; you send it to them yourself.",
        answer: BriefRequest,
        refusals: ["brief_not_found"],
      }),
    });

/** `/app/briefs/{id}/submissions`: lists the submissions to a brief, and submits to one. */
export const briefInboxRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/briefs/:id/submissions" })
    .use(guard)
    .get(
      "",
      ({ actor, params, query }) => {
        const { items, paging } = listReceivedSubmissions(deps, actor.accountId, params.id, query);
        return ok(items, { paging });
      },
      {
        session: true,
        params: AppBriefParams,
        query: PageQuery,
        detail: describe({
          operationId: "listHeardSubmissions",
          tag,
          summary: "List the submissions to your brief, with links to listen",
          answer: Type.Array(ReceivedSubmission),
          siblings: { paging: Paging },
          refusals: ["brief_not_found"],
        }),
      },
    )
    .post("", ({ actor, params, body }) => ok(submitAsAccount(deps, actor.accountId, params.id, body)), {
      session: true,
      params: AppBriefParams,
      body: CreateSubmission,
      detail: describe({
        operationId: "submitToBrief",
        tag,
        summary: "Send a track or a link to an open brief",
        description: "The brief is yours, or another account's with a public page; the track must be yours.",
        answer: Receipt,
        refusals: ["brief_not_found", "track_not_found", "brief_not_open"],
      }),
    });
