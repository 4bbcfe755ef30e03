import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { listIntakes, undoIntake } from "./service.ts";
import { Intake, IntakeParams, IntakesQuery } from "./shapes.ts";

const tag = "App";

/** `/app/intakes`: what was taken in from folders of the signed-in account. */
export const intakeRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/intakes" })
    .use(guard)
    .get(
      "",
      ({ actor, query }) => {
        const { items, paging } = listIntakes(deps, actor.accountId, query);
        return ok(items, { paging });
      },
      {
        session: true,
        query: IntakesQuery,
        detail: describe({
          operationId: "listIntakes",
          tag,
          summary: "List what was taken in from folders, newest first",
          description: "By a watched folder, by `dubplate send` and by `dubplate import`.",
          answer: Type.Array(Intake),
          siblings: { paging: Paging },
          refusals: [],
        }),
      },
    )
    .post("/:intakeId/undo", ({ actor, params }) => ok(undoIntake(deps, actor.accountId, params.intakeId)), {
      session: true,
      params: IntakeParams,
      detail: describe({
        operationId: "undoIntake",
        tag,
        summary: "Take back what a file of a folder became",
        description:
          "A track goes into the bin; a version is deleted, and the track plays again what it played before. The file itself " +
          "stays in its folder and is not taken in again.",
        answer: Intake,
        refusals: ["undo_not_found", "changed_since"],
      }),
    });
