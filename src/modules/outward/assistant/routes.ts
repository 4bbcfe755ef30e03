import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { listCalls, undoCall } from "./service.ts";
import { AssistantCall, AssistantCallParams, AssistantCallsQuery, type Rails } from "./shapes.ts";

const tag = "App";

/** `/app/assistant/calls`: what assistants did in the signed-in account's library. */
export const assistantRoutes = (deps: Deps, guard: Guards, rails: Pick<Rails, "flush">) =>
  new Elysia({ prefix: "/app/assistant/calls" })
    .use(guard)
    .get(
      "",
      ({ actor, query }) => {
        rails.flush();
        const { items, paging } = listCalls(deps, actor.accountId, query);
        return ok(items, { paging });
      },
      {
        session: true,
        query: AssistantCallsQuery,
        detail: describe({
          operationId: "listAssistantCalls",
          tag,
          summary: "List what assistants did, newest first",
          description:
            "Every call of a tool: who made it, with which arguments, and what it changed. Kept 90 days.",
          answer: Type.Array(AssistantCall),
          siblings: { paging: Paging },
          refusals: [],
        }),
      },
    )
    .post("/:callId/undo", ({ actor, params }) => ok(undoCall(deps, actor.accountId, params.callId)), {
      session: true,
      params: AssistantCallParams,
      detail: describe({
        operationId: "undoAssistantCall",
        tag,
        summary: "Take back what an assistant changed",
        description:
          "Possible for `UNDO_DAYS`, and once. Refused when what it changed was changed again since; nothing changes then.",
        answer: AssistantCall,
        refusals: ["undo_not_found", "changed_since"],
      }),
    });
