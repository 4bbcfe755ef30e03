import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { signalOf } from "../../../http/request-state.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { countInbox, fitInbox, listInbox, triage } from "./service.ts";
import {
  CountsQuery,
  FitQuery,
  InboxCounts,
  InboxFit,
  InboxItem,
  InboxQuery,
  SubmissionParams,
  TriageSubmission,
} from "./shapes.ts";

const tag = "App";

/** `/app/inbox`: what came in for an account's briefs, and deciding about it. */
export const inboxRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .get(
      "/inbox",
      ({ actor, query }) => {
        const { items, paging } = listInbox(deps, actor.accountId, query);
        return ok(items, { paging });
      },
      {
        session: true,
        query: InboxQuery,
        detail: describe({
          operationId: "listInbox",
          tag,
          summary: "List what came in for your briefs, newest first",
          description: "What you passed is listed for 30 days.",
          answer: Type.Array(InboxItem),
          siblings: { paging: Paging },
          refusals: ["brief_not_found"],
        }),
      },
    )
    .get("/inbox/counts", ({ actor, query }) => ok(countInbox(deps, actor.accountId, query.briefId)), {
      session: true,
      query: CountsQuery,
      detail: describe({
        operationId: "countInbox",
        tag,
        summary: "Count what came in by what you decided",
        answer: InboxCounts,
        refusals: ["brief_not_found"],
      }),
    })
    .get(
      "/inbox/fit",
      async ({ actor, query, request }) =>
        ok(await fitInbox(deps, actor.accountId, query, signalOf(request))),
      {
        session: true,
        query: FitQuery,
        detail: describe({
          operationId: "fitInbox",
          tag,
          summary: "Rank what came in by prose",
          description: "Without a text, by the text of the brief. Costs no credit.",
          answer: InboxFit,
          refusals: ["brief_not_found"],
        }),
      },
    )
    .patch(
      "/submissions/:id",
      ({ actor, params, body }) => ok(triage(deps, actor.accountId, params.id, body)),
      {
        session: true,
        params: SubmissionParams,
        body: TriageSubmission,
        detail: describe({
          operationId: "triageSubmission",
          tag,
          summary: "Decide about a submission, or note something about it",
          description:
            "Keeping one makes its track visible in your library; deciding otherwise hides it again, when it was the keeping " +
            "that showed it.",
          answer: InboxItem,
          refusals: ["not_found"],
        }),
      },
    );
