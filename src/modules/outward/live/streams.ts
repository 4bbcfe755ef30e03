import { stateOfDatabase } from "../../../../db/unchanged.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { SECOND_MS } from "../../../kernel/time.ts";
import { endedSessions } from "../../people/people/service.ts";
import { listLibraries } from "../../people/team/service.ts";
import { type News, newsAfter } from "./changes.ts";
import { MAX_STREAMS } from "./shapes.ts";

/** How often the database is looked at, and how often a silent stream says that it is alive. */
export type LiveTiming = { lookMs: number; heartbeatMs: number };

/** The open streams of events. */
export type Live = {
  /**
   * Returns a stream of what changes for a member after `after`; left out: from now on. It ends with its session, with the
   * membership, and with a change of the role.
   *
   * @throws DomainError `rate_limit_exceeded` when the person has {@link MAX_STREAMS}.
   */
  open: (actor: SessionActor, after: number | undefined) => ReadableStream<Uint8Array>;
  /** How many streams are open. */
  count: () => number;
  /** Ends every stream. Clients connect again to the next process. */
  close: () => void;
};

/** What happens within one look is told at once. */
const TIMING: LiveTiming = { lookMs: 250, heartbeatMs: 25 * SECOND_MS };
/** So many messages may wait for a client; a slower one has to connect again. */
const MAX_WAITING = 1000;
/** In case the others are of connections that broke, which the next heartbeat finds. */
const RETRY_AFTER_SEC = 30;

type Stream = SessionActor & {
  /** Everything up to this change was told. */
  seq: number;
  controller: ReadableStreamDefaultController<Uint8Array>;
};

/**
 * Makes the streams of a process. While one is open, it looks for writes of this connection and of others, and tells each
 * member what changed. It looks at nothing while no stream is open.
 */
export function createLive(deps: Pick<Deps, "db" | "now">, { lookMs, heartbeatMs } = TIMING): Live {
  const { db } = deps;
  const streams = new Set<Stream>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let state = "";
  let toldAt = 0;
  let nextEndAt = Number.POSITIVE_INFINITY;

  const drop = (stream: Stream) => {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const end = (stream: Stream) => {
    drop(stream);
    stream.controller.close();
  };
  const send = (stream: Stream, text: string) => {
    if ((stream.controller.desiredSize ?? 0) < -MAX_WAITING) end(stream);
    else stream.controller.enqueue(new TextEncoder().encode(text));
  };

  const look = () => {
    const now = stateOfDatabase(db);
    // A session and a membership can end without a write.
    if (now !== state || deps.now() >= nextEndAt) endOver();
    if (now !== state) for (const stream of streams) tell(stream, newsAfter(db, stream, stream.seq));
    state = now;
    if (performance.now() - toldAt < heartbeatMs) return;
    toldAt = performance.now();
    for (const stream of streams) send(stream, ": alive\n\n");
  };

  const endOver = () => {
    const { ended, nextEndAt: next } = endedSessions(deps, [...streams]);
    nextEndAt = next;
    for (const stream of ended) {
      send(stream, farewell(deps, stream));
      end(stream);
    }
  };

  const tell = (stream: Stream, news: News) => {
    const text = messagesOf(news, stream.seq);
    stream.seq = news.seq;
    if (text !== "") send(stream, text);
  };

  const begin = (stream: Stream, after: number | undefined) => {
    streams.add(stream);
    if (timer === undefined) {
      state = stateOfDatabase(db);
      toldAt = performance.now();
      timer = setInterval(look, lookMs);
      timer.unref();
    }
    nextEndAt = 0; // of the new stream it is not known yet
    const news = newsAfter(db, stream, after);
    send(stream, message("ready", after ?? news.seq, {}));
    stream.seq = after ?? news.seq;
    tell(stream, news);
  };

  return {
    open: (actor, after) => {
      const own = [...streams].filter(({ personId }) => personId === actor.personId);
      if (own.length >= MAX_STREAMS) throw tooMany();
      let stream: Stream | undefined;
      return new ReadableStream<Uint8Array>({
        start: (controller) => {
          stream = { ...actor, seq: 0, controller };
          begin(stream, after);
        },
        cancel: () => stream && drop(stream),
      });
    },
    count: () => streams.size,
    close: () => {
      for (const stream of streams) end(stream);
    },
  };
}

/** Returns what tells somebody who is no longer in the library where else they are: their session may have ended with the membership. */
function farewell(deps: Pick<Deps, "db" | "now">, { personId, accountId, seq }: Stream): string {
  const libraries = listLibraries(deps, personId);
  if (libraries.some(({ id }) => id === accountId)) return "";
  const [other] = libraries;
  return message("left", seq, { other: other ? { id: other.id, name: other.name } : null });
}

function tooMany(): DomainError {
  const words = `You listen to ${MAX_STREAMS} streams of events already: close one first`;
  return new DomainError("rate_limit_exceeded", words, {
    headers: { "retry-after": String(RETRY_AFTER_SEC) },
  });
}

/**
 * Returns news as messages of a stream. A client goes on from the last id it saw, so only the last message has the new
 * one: a connection that breaks between them loses nothing.
 */
function messagesOf({ seq, changes, isLost }: News, before: number): string {
  if (isLost) return message("lost", seq, {});
  return changes
    .map((change, index) => message("message", index === changes.length - 1 ? seq : before, change))
    .join("");
}

function message(event: "message" | "ready" | "lost" | "left", id: number, data: object): string {
  const name = event === "message" ? "" : `event: ${event}\n`;
  return `${name}id: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}
