import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { stateOf } from "../../../http/request-state.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { type Live, listChanges } from "./service.ts";
import { Change, Changes, ChangesQuery, EventsQuery } from "./shapes.ts";

const tag = "App";
const NUMBER = /^[0-9]{1,16}$/;
const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no", // nginx would wait for more
};

/** `/app/events` and `/app/changes`: what changes in the account, while it does and on demand. */
export const liveRoutes = (deps: Deps, guard: Guards, live: Live) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .get(
      "/events",
      ({ actor, query, request }) => {
        if (request.method === "HEAD") return new Response(null, { headers: STREAM_HEADERS });
        stateOf(request).keepOpen?.();
        // A browser that connects again by itself says in the header what it heard since its address was made.
        const last = request.headers.get("last-event-id") ?? "";
        const after = NUMBER.test(last) ? last : query.after;
        const stream = live.open(actor, after === undefined ? undefined : Number(after));
        return new Response(stream, { headers: STREAM_HEADERS });
      },
      {
        session: true,
        query: EventsQuery,
        detail: streamDetail(),
      },
    )
    .get("/changes", ({ actor, query }) => ok(listChanges(deps, actor.accountId, query.after)), {
      session: true,
      query: ChangesQuery,
      detail: describe({
        operationId: "listChanges",
        tag,
        summary: "List what changed after an event",
        description: "The events of `GET /app/events` for clients that ask from time to time.",
        answer: Changes,
        refusals: [],
      }),
    });

function streamDetail() {
  const described = describe({
    operationId: "listenToChanges",
    tag,
    summary: "Listen to what changes",
    description:
      "Server-sent events. A message is `{topic, ids}`, at most one for each topic in 250 ms. `ready` comes first; `lost` " +
      "says that changes since `after`, or the `Last-Event-ID` field, are not kept any more. Ends with its session. An account " +
      "has at most 16 at once; one more is refused (429).",
    answer: Change,
    bare: true,
    refusals: [],
  });
  const content = { "text/event-stream": { schema: { type: "string" } } } as const;
  return { ...described, responses: { ...described.responses, 200: { description: "OK", content } } };
}
