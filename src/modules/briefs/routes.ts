import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../http/envelope.ts";
import type { Guards } from "../../http/guards.ts";
import { describe } from "../../http/openapi.ts";
import type { Deps } from "../../kernel/deps.ts";
import { Brief, BriefParams, BriefSubmissions, TrackQuery, TrackSubmissions } from "./model.ts";
import { listBriefSubmissions, listBriefs, listTrackSubmissions } from "./service.ts";

const tag = "Briefs";

/** `/briefs`, and where a track was sent to. */
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
          summary: "List what was sent to a brief",
          description: "For a brief that is not the account's, `ok` is false.",
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
          description: "Briefs of other accounts too. For a track that is not the account's, `ok` is false.",
          answer: TrackSubmissions,
          refusals: [],
        }),
      },
    );
