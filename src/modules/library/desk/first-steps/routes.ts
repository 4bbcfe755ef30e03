import { Elysia } from "elysia";
import { ok } from "../../../../http/envelope.ts";
import type { Guards } from "../../../../http/guards.ts";
import { describe } from "../../../../http/openapi.ts";
import { stateOf } from "../../../../http/request-state.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { addDemo, dismissFirstSteps, firstSteps } from "../service.ts";
import { AddedDemo, DismissFirstSteps, FirstSteps } from "./shapes.ts";

const tag = "App";

/** What helps a new owner on the way: the first steps, and music to try them with. */
export const firstStepsRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .get("/first-steps", ({ actor }) => ok(firstSteps(deps, actor.accountId)), {
      session: true,
      detail: describe({
        operationId: "getFirstSteps",
        tag,
        summary: "Get which of the first steps are done",
        answer: FirstSteps,
        refusals: [],
      }),
    })
    .patch(
      "/first-steps",
      ({ actor, body }) => ok(dismissFirstSteps(deps, actor.accountId, body.dismissed)),
      {
        session: true,
        body: DismissFirstSteps,
        detail: describe({
          operationId: "dismissFirstSteps",
          tag,
          summary: "Put the list of first steps away, or show it again",
          answer: FirstSteps,
          refusals: [],
        }),
      },
    )
    .post(
      "/tracks/demo",
      async ({ actor, request }) => {
        stateOf(request).hasNoTimeout = true;
        return ok(await addDemo(deps, actor.accountId));
      },
      {
        session: true,
        detail: describe({
          operationId: "addDemoTracks",
          tag,
          summary: "Add three short demo tracks",
          description:
            "They are synthesised on the spot. Those that the library already has are not added again.",
          answer: AddedDemo,
          refusals: ["insufficient_storage"],
        }),
      },
    );
