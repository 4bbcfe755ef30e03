import { op } from "../../../../http/operation.ts";
import { mergeAndKeep } from "../service.ts";
import { MergeComposer, MergedComposers, MergeParams } from "./shapes.ts";

/** Making two entries of one composer one. */
export const mergeOperations = [
  op({
    at: "POST /composers/:id/merge",
    id: "mergeComposers",
    session: true,
    input: { params: MergeParams, body: MergeComposer },
    tag: "Composers",
    summary: "Make two composers one",
    description:
      "The one in the address stays: it keeps its details, gets those that it lacks, and all shares of the other.",
    answer: MergedComposers,
    refusals: ["composer_not_found"],
    run: (deps, { actor, params, body }) => mergeAndKeep(deps, actor.accountId, params.id, body.composerId),
  }),
];
