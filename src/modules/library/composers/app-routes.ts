import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { PageQuery } from "../../../http/page-query.ts";
import type { Deps } from "../../../kernel/deps.ts";
import {
  AppComposer,
  ComposerParams,
  ComposerRow,
  CreateAppComposer,
  Split,
  UpdateAppComposer,
} from "./app-shapes.ts";
import {
  createAppComposer,
  getAppComposer,
  listAppComposers,
  listSplits,
  updateAppComposer,
} from "./service.ts";

const tag = "App";

/** `/app/composers`: composers with their rights data checked, and the splits that do not add up. */
export const appComposerRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .get(
      "/composers",
      ({ actor, query }) => {
        const { items, paging } = listAppComposers(deps, actor.accountId, query);
        return ok(items, { paging });
      },
      {
        session: true,
        query: PageQuery,
        detail: describe({
          operationId: "listAppComposers",
          tag,
          summary: "List composers with what is missing in their rights data, newest first",
          answer: Type.Array(ComposerRow),
          siblings: { paging: Paging },
          refusals: [],
        }),
      },
    )
    .post("/composers", ({ actor, body }) => ok(createAppComposer(deps, actor.accountId, body)), {
      session: true,
      body: CreateAppComposer,
      detail: describe({
        operationId: "createAppComposer",
        tag,
        summary: "Add a composer, whose address may be unknown",
        answer: AppComposer,
        refusals: ["duplicate_email"],
      }),
    })
    .get("/composers/:id", ({ actor, params }) => ok(getAppComposer(deps, actor.accountId, params.id)), {
      session: true,
      params: ComposerParams,
      detail: describe({
        operationId: "getAppComposer",
        tag,
        summary: "Get a composer with their tracks and shares",
        answer: AppComposer,
        refusals: ["composer_not_found"],
      }),
    })
    .patch(
      "/composers/:id",
      ({ actor, params, body }) => ok(updateAppComposer(deps, actor.accountId, params.id, body)),
      {
        session: true,
        params: ComposerParams,
        body: UpdateAppComposer,
        detail: describe({
          operationId: "updateAppComposer",
          tag,
          summary: "Change a composer; null clears a field",
          answer: AppComposer,
          refusals: ["composer_not_found", "duplicate_email"],
        }),
      },
    )
    .get("/splits", ({ actor }) => ok(listSplits(deps, actor.accountId)), {
      session: true,
      detail: describe({
        operationId: "listSplits",
        tag,
        summary: "List the tracks whose shares do not add up to 100 per cent",
        answer: Type.Array(Split, { maxItems: 500 }),
        refusals: [],
      }),
    });
