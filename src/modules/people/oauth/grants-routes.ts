import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { listGrants, revokeGrants } from "./service.ts";
import { Grant, RevokedGrants, RevokeGrantsQuery } from "./shapes.ts";

const tag = "App";

/** `/app/grants`: the programs that an owner let in through OAuth. */
export const grantRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/grants" })
    .use(guard)
    .get("", ({ actor }) => ok(listGrants(deps, actor)), {
      session: true,
      detail: describe({
        operationId: "listGrants",
        tag,
        summary: "List the programs that you let in, newest first",
        answer: Type.Array(Grant),
        refusals: [],
      }),
    })
    .delete("", ({ actor, query }) => ok({ ok: true, revoked: revokeGrants(deps, actor, query.id) }), {
      session: true,
      query: RevokeGrantsQuery,
      detail: describe({
        operationId: "revokeGrants",
        tag,
        summary: "Shut out one program, or all of them",
        description: "Their tokens are refused from the next request on.",
        answer: RevokedGrants,
        refusals: ["grant_not_found"],
      }),
    });
