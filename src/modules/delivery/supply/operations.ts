import { op } from "../../../http/operation.ts";
import { ask } from "./service.ts";
import { AskComposer, AskedComposer, AskParams } from "./shapes.ts";

/** Asking the person who knows. */
export const supplyOperations = [
  op({
    at: "POST /composers/:id/ask",
    id: "askComposer",
    session: "update:composer",
    input: { params: AskParams, body: AskComposer },
    tag: "Composers",
    summary: "Make a link by which a composer checks their own details",
    description:
      "The page shows only their own lines, and the titles of the tracks that are named. What they send becomes a suggestion, and changes " +
      "nothing by itself. The link works for fourteen days, and takes the place of one that nobody has answered.",
    answer: AskedComposer,
    isSecret: true,
    refusals: ["composer_not_found", "track_not_found", "mail_off", "mail_limit", "mail_stopped"],
    run: (deps, { actor, params, body }) => ask(deps, actor, params.id, body),
  }),
];
