import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { PageQuery } from "../../../http/page-query.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { AppBrief, AppBriefParams, CreateBrief, DeletedBrief, UpdateBrief } from "./app-shapes.ts";
import { briefInboxRoutes, briefRequestRoutes } from "./inbox-routes.ts";
import { createBrief, deleteBrief, getBrief, listAppBriefs, updateBrief } from "./manage.ts";

const tag = "App";

/** `/app/briefs`: the signed-in account's briefs, their requests and their submissions. */
export const appBriefRoutes = (deps: Deps, guard: Guards) =>
  new Elysia()
    .use(briefsRoutes(deps, guard))
    .use(briefRequestRoutes(deps, guard))
    .use(briefInboxRoutes(deps, guard));

const briefsRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/briefs" })
    .use(guard)
    .get("", ({ actor, query }) => pageOf(listAppBriefs(deps, actor.accountId, query)), {
      session: true,
      query: PageQuery,
      detail: describe({
        operationId: "listAppBriefs",
        tag,
        summary: "List your briefs, newest first",
        answer: Type.Array(AppBrief),
        siblings: { paging: Paging },
        refusals: [],
      }),
    })
    .post("", ({ actor, body }) => ok(createBrief(deps, actor.accountId, body)), {
      session: true,
      body: CreateBrief,
      detail: describe({
        operationId: "createBrief",
        tag,
        summary: "Create a brief",
        answer: AppBrief,
        refusals: [],
      }),
    })
    .use(oneBriefRoutes(deps, guard));

/** `/app/briefs/{id}`. */
const oneBriefRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/:id" })
    .use(guard)
    .get("", ({ actor, params }) => ok(getBrief(deps, actor.accountId, params.id)), {
      session: true,
      params: AppBriefParams,
      detail: describe({
        operationId: "getBrief",
        tag,
        summary: "Get a brief",
        answer: AppBrief,
        refusals: ["brief_not_found"],
      }),
    })
    .patch("", ({ actor, params, body }) => ok(updateBrief(deps, actor.accountId, params.id, body)), {
      session: true,
      params: AppBriefParams,
      body: UpdateBrief,
      detail: describe({
        operationId: "updateBrief",
        tag,
        summary: "Change a brief",
        description: "A draft can be opened, an open brief closed, and a closed brief archived or reopened.",
        answer: AppBrief,
        refusals: ["brief_not_found", "invalid_transition"],
      }),
    })
    .delete("", ({ actor, params }) => ok(deleteBrief(deps, actor.accountId, params.id)), {
      session: true,
      params: AppBriefParams,
      detail: describe({
        operationId: "deleteBrief",
        tag,
        summary: "Delete a brief with its requests and submissions",
        answer: DeletedBrief,
        refusals: ["brief_not_found"],
      }),
    });

function pageOf<Item>({ items, paging }: { items: Item[]; paging: Paging }) {
  return ok(items, { paging });
}
