import { Type } from "@sinclair/typebox";
import { op } from "../../../http/operation.ts";
import { stateOf } from "../../../http/request-state.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import { type Live, listChanges } from "./service.ts";
import { Changes, ChangesQuery, EventsQuery, MAX_STREAMS } from "./shapes.ts";

export type LiveParts = { live: Live };

const tag = "Notifications";
const NUMBER = /^[0-9]{1,16}$/;
const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no", // nginx would wait for more
};

/** What changes in the account, while it does and on demand. */
export const liveOperations = ({ live }: LiveParts) => [
  op({
    at: "GET /events",
    id: "listenToChanges",
    session: "member",
    rooms: true,
    input: { query: EventsQuery },
    tag,
    summary: "Stream changes as they happen",
    description:
      "Server-sent events. A message is `{topic, ids}`, at most one for each topic in 250 ms. `ready` comes first; `lost` " +
      "says that changes since `after`, or the `Last-Event-ID` field, are no longer kept. Only topics that the role can read are told, " +
      "and of `uploads` one's own. The stream ends with its session, with the membership, and with a change of the role: connect again. " +
      "After a membership, `left` comes last, with another library of the person (`{other: {id, name} | null}`). " +
      `A person has at most ${MAX_STREAMS} streams at once; another one is refused (429).`,
    answer: Type.String(),
    isBare: true,
    sends: { contentType: "text/event-stream", description: "OK" },
    refusals: [],
    run: (_, { actor, query, request }) => streamOf(live, actor, query.after, request),
  }),
  op({
    at: "GET /changes",
    id: "listChanges",
    session: "member",
    rooms: true,
    input: { query: ChangesQuery },
    tag,
    summary: "List what changed after an event",
    description: "The events of `GET /app/events` for clients that ask from time to time.",
    answer: Changes,
    refusals: [],
    run: (deps, { actor, query }) => listChanges(deps, actor, query.after),
  }),
];

function streamOf(live: Live, actor: SessionActor, asked: string | undefined, request: Request): Response {
  if (request.method === "HEAD") return new Response(null, { headers: STREAM_HEADERS });
  stateOf(request).keepOpen?.();
  // A browser that connects again by itself says in the header what it heard since its address was made.
  const last = request.headers.get("last-event-id") ?? "";
  const after = NUMBER.test(last) ? last : asked;
  const stream = live.open(actor, after === undefined ? undefined : Number(after));
  return new Response(stream, { headers: STREAM_HEADERS });
}
