import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { signalOf, stateOf } from "../../../http/request-state.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { createWait } from "./wait.ts";
import { WaitedForTracks, WaitForTracks } from "./wait-shapes.ts";

/** `POST /tracks/wait`. */
export const waitRoutes = (deps: Deps, guard: Guards, wait = createWait(deps)) =>
  new Elysia({ prefix: "/tracks" }).use(guard).post(
    "/wait",
    async ({ actor, body, request }) => {
      const state = stateOf(request);
      state.hasNoTimeout = true; // its own is as long
      state.keepOpen?.();
      return ok(await wait(actor.accountId, body, signalOf(request)));
    },
    {
      scope: "read:tracks",
      body: WaitForTracks,
      detail: describe({
        operationId: "waitForTracks",
        tag: "Tracks",
        summary: "Wait until tracks are analysed",
        description:
          "Answers as soon as every analysis has ended, or with `done: false` when the time is over: then ask again. Use " +
          "it in the place of polling.",
        answer: WaitedForTracks,
        refusals: [],
      }),
    },
  );
