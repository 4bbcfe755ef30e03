import type { KeyActor, PersonActor, Principal, SessionActor } from "../kernel/actor.ts";
import type { DomainError } from "../kernel/errors.ts";
import type { Fingerprint } from "./fingerprint.ts";

/** What the doors know about a request besides its bytes. */
export type RequestState = {
  /** Client address as text, from the socket or a trusted proxy. */
  ip: string;
  startedAt: number;
  /** Route template such as `/tracks/{trackId}`, once a route has been found. */
  route?: string;
  /** Set when a key was accepted. The key's usage records include the request. */
  keyActor?: KeyActor;
  sessionActor?: PersonActor | SessionActor;
  /** Set by the program for requests that it makes on behalf of a caller. Replaces a key. */
  principal?: Principal;
  /** Set with {@link RequestState.principal}. Receives the value of a successful answer, which then skips JSON. */
  takeValue?: (value: unknown) => void;
  /** True for one of many polls, of a tool call or of a worker: not recorded as usage. */
  isPoll?: boolean;
  /** The body as sent, for routes that take JSON. */
  bodyText?: string;
  /** Made while a form is read, when the request has an Idempotency-Key. */
  fingerprint?: Fingerprint;
  /** Stores the answer of a request with an Idempotency-Key. */
  settle?: (status: number, body: string) => void;
  /** Why the answer is a refusal in JSON. The front door turns it into a page for people. */
  refusal?: DomainError;
  /** Uploads may take longer than the request timeout (decision 8.6). */
  hasNoTimeout?: boolean;
  /** Lets the connection stay silent for as long as the answer takes. */
  keepOpen?: () => void;
  /** Aborts when the request's time has run out. Made on first use. */
  timeout?: AbortController;
};

const states = new WeakMap<Request, RequestState>();

/** Remembers the state of a request for as long as the request lives. */
export function setState(request: Request, state: RequestState): void {
  states.set(request, state);
}

/** Returns the state of a request. A request that did not pass the front door has the address `internal`. */
export function stateOf(request: Request): RequestState {
  const known = states.get(request);
  if (known) return known;
  const state: RequestState = { ip: "internal", startedAt: performance.now() };
  states.set(request, state);
  return state;
}

/** Returns a signal that aborts when the client has gone or the request's time has run out. Pass it to all long work. */
export function signalOf(request: Request): AbortSignal {
  const state = stateOf(request);
  state.timeout ??= new AbortController();
  return AbortSignal.any([request.signal, state.timeout.signal]);
}
