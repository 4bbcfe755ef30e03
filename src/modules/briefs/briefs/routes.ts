import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { listBriefSubmissions, listBriefs, listTrackSubmissions } from "./service.ts";
import { Brief, BriefParams, BriefSubmissions, TrackQuery, TrackSubmissions } from "./shapes.ts";

const tag = "Briefs";

/** `/briefs`, and the briefs that a track was sent to. */
export const briefRoutes = (deps: Deps, guard: Guards) =>
  new Elysia()
    .use(guard)
    .get("/briefs", ({ actor }) => ok(listBriefs(deps, actor.accountId)), {
      scope: "read:briefs",
      detail: describe({
        operationId: "listBriefs",
        tag,
        summary: "List briefs, newest first",
        answer: Type.Array(Brief, { maxItems: 200 }),
        refusals: [],
      }),
    })
    .get(
      "/briefs/:briefId/submissions",
      ({ actor, params }) => ok(listBriefSubmissions(deps, actor.accountId, params.briefId)),
      {
        scope: "read:briefs",
        params: BriefParams,
        detail: describe({
          operationId: "listBriefSubmissions",
          tag,
          summary: "List the submissions to a brief",
          description: "If the brief is not the account's, `ok` is false.",
          answer: BriefSubmissions,
          refusals: [],
        }),
      },
    )
    .get(
      "/tracks/submissions",
      ({ actor, query }) => ok(listTrackSubmissions(deps, actor.accountId, query.id)),
      {
        scope: "read:tracks",
        query: TrackQuery,
        detail: describe({
          operationId: "listTrackSubmissions",
          tag,
          summary: "List the briefs that a track was sent to",
          description: "Includes briefs of other accounts. If the track is not the account's, `ok` is false.",
          answer: TrackSubmissions,
          refusals: [],
        }),
      },
    );
