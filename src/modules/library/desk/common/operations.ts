import { op } from "../../../../http/operation.ts";
import { commonOf } from "./common.ts";
import { Common, CommonQuery } from "./shapes.ts";

/** What many tracks have in common. */
export const commonOperations = [
  op({
    at: "POST /tracks/common",
    id: "compareTracks",
    session: "read:tracks",
    input: { body: CommonQuery },
    tag: "Tracks",
    summary: "Get what tracks have in common",
    description: "For a form over many tracks, which says where they differ.",
    answer: Common,
    refusals: [],
    run: (deps, { actor, body }) => commonOf(deps, actor, body.where),
  }),
];
