import { op } from "../../../../http/operation.ts";
import { addDemo, dismissFirstSteps, firstSteps } from "../service.ts";
import { AddedDemo, DismissFirstSteps, FirstSteps } from "./shapes.ts";

/** What helps a new owner on the way: the first steps, and music to try them with. */
export const firstStepsOperations = [
  op({
    at: "GET /first-steps",
    id: "getFirstSteps",
    session: "member",
    tag: "Sign-in",
    summary: "Get the first steps that are done",
    answer: FirstSteps,
    refusals: [],
    run: (deps, { actor }) => firstSteps(deps, actor.accountId),
  }),
  op({
    at: "PATCH /first-steps",
    id: "dismissFirstSteps",
    session: "manage:library",
    input: { body: DismissFirstSteps },
    tag: "Sign-in",
    summary: "Dismiss the list of first steps, or show it again",
    answer: FirstSteps,
    refusals: [],
    run: (deps, { actor, body }) => dismissFirstSteps(deps, actor.accountId, body.dismissed),
  }),
  op({
    at: "POST /tracks/demo",
    id: "addDemoTracks",
    session: "create:tracks",
    tag: "Tracks",
    summary: "Add three short demo tracks",
    description: "They are synthesised on the spot. Those that the library already has are not added again.",
    answer: AddedDemo,
    refusals: ["insufficient_storage"],
    isLong: true,
    run: (deps, { actor }) => addDemo(deps, actor.accountId),
  }),
];
