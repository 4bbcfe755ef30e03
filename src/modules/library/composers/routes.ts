import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import {
  countComposers,
  createComposer,
  deleteComposer,
  findComposer,
  listComposers,
  updateComposer,
} from "./service.ts";
import {
  Composer,
  ComposerCount,
  ComposerQuery,
  CreateComposer,
  Deleted,
  ListComposersQuery,
  SingleComposer,
  UpdateComposer,
  UpdatedComposer,
} from "./shapes.ts";

const tag = "Composers";

/** `/composers`. */
export const composerRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/composers" })
    .use(guard)
    .get(
      "",
      ({ actor, query }) => {
        const { composers, paging } = listComposers(deps, actor.accountId, query.cursor);
        return ok(composers, { paging });
      },
      {
        scope: "read:composers",
        query: ListComposersQuery,
        detail: describe({
          operationId: "listComposers",
          tag,
          summary: "List composers, newest first",
          description: "Up to 100 per page, each with the tracks they have a share in.",
          answer: Type.Array(Composer),
          siblings: { paging: Paging },
          refusals: [],
        }),
      },
    )
    .get("/count", ({ actor }) => ok(countComposers(deps, actor.accountId)), {
      scope: "read:composers",
      detail: describe({
        operationId: "countComposers",
        tag,
        summary: "Count composers",
        answer: ComposerCount,
        refusals: [],
      }),
    })
    .get("/single", ({ actor, query }) => ok(findComposer(deps, actor.accountId, query.id)), {
      scope: "read:composer",
      query: ComposerQuery,
      detail: describe({
        operationId: "getComposer",
        tag,
        summary: "Get a composer",
        description: "`composer` is null when it does not exist or belongs to another account.",
        answer: SingleComposer,
        refusals: [],
      }),
    })
    .post("", ({ actor, body }) => ok(createComposer(deps, actor.accountId, body)), {
      scope: "create:composer",
      body: CreateComposer,
      detail: describe({
        operationId: "createComposer",
        tag,
        summary: "Add a composer",
        answer: Composer,
        refusals: ["duplicate_email"],
      }),
    })
    .patch("", ({ actor, body }) => ok(updateComposer(deps, actor.accountId, body)), {
      scope: "update:composer",
      body: UpdateComposer,
      detail: describe({
        operationId: "updateComposer",
        tag,
        summary: "Change a composer",
        description:
          "Only the fields you send change; null clears a field. The answer holds the fields you sent, as stored.",
        answer: UpdatedComposer,
        refusals: ["composer_not_found", "duplicate_email"],
      }),
    })
    .delete("", ({ actor, query }) => ok(deleteComposer(deps, actor.accountId, query.id)), {
      scope: "delete:composer",
      query: ComposerQuery,
      detail: describe({
        operationId: "deleteComposer",
        tag,
        summary: "Delete a composer for good",
        description: "Also deletes the composer's links to tracks.",
        answer: Deleted,
        refusals: ["composer_not_found"],
      }),
    });
