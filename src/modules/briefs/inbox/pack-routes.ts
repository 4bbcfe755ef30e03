import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { signalOf } from "../../../http/request-state.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { ArrangePack, BriefPack, SendPack, SentPack } from "./pack-shapes.ts";
import { arrangePack, packOf, sendPack } from "./service.ts";
import { SubmissionParams } from "./shapes.ts";

const tag = "App";

/** `/app/briefs/{id}/pack`: the shortlist of a brief, and sending it. */
export const packRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/briefs/:id/pack" })
    .use(guard)
    .get(
      "",
      async ({ actor, params, request }) =>
        ok(await packOf(deps, actor.accountId, params.id, signalOf(request))),
      {
        session: true,
        params: SubmissionParams,
        detail: describe({
          operationId: "getBriefPack",
          tag,
          summary: "List what could be offered for a brief",
          description:
            "What was shortlisted and kept, and what the library has besides: one version of each song, ranked by the text of " +
            "the brief, with what is missing in its credits. Costs no credit.",
          answer: BriefPack,
          refusals: ["brief_not_found"],
        }),
      },
    )
    .put("", ({ actor, params, body }) => ok(arrangePack(deps, actor.accountId, params.id, body)), {
      session: true,
      params: SubmissionParams,
      body: ArrangePack,
      detail: describe({
        operationId: "arrangeBriefPack",
        tag,
        summary: "Say which songs go out for a brief, and in which order",
        answer: ArrangePack,
        refusals: ["brief_not_found"],
      }),
    })
    .post("", async ({ actor, params, body }) => ok(await sendPack(deps, actor.accountId, params.id, body)), {
      session: true,
      params: SubmissionParams,
      body: SendPack,
      detail: describe({
        operationId: "sendBriefPack",
        tag,
        summary: "Make a playlist of songs for a brief, with an expiring link for each recipient",
        answer: SentPack,
        refusals: ["brief_not_found", "track_not_found"],
      }),
    });
