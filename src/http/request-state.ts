import type { KeyActor, Principal, SessionActor } from "../kernel/actor.ts";
import type { DomainError } from "../kernel/errors.ts";
import type { Fingerprint } from "./fingerprint.ts";

/** What the doors know of a request beside its bytes. */
export type RequestState = {
  /** Client address as text, from the socket or a trusted proxy. */
  ip: string;
  startedAt: number;
  /** Route template such as `/tracks/{trackId}`, once a route has been found. */
  route?: string;
  /** Set when a key was accepted; the request goes into its usage records. */
  keyActor?: KeyActor;
  sessionActor?: SessionActor;
  /** Set by the program itself, for requests that it makes on somebody's behalf: stands in for a key. */
  principal?: Principal;
  /** Set with {@link RequestState.principal}: takes a success as the value it is, and no JSON is made of it. */
  takeValue?: (value: unknown) => void;
  /** One of many looks that make up a call: not recorded as use. */
  isPoll?: boolean;
  /** The body as it was sent, for routes that take JSON. */
  bodyText?: string;
  /** Made of a form while it is read, when it has an Idempotency-Key. */
  fingerprint?: Fingerprint;
  /** Keeps the answer of a request with an Idempotency-Key. */
  settle?: (status: number, body: string) => void;
  /** Why the answer is a refusal in JSON; the front door makes a page of it for people. */
  refusal?: DomainError;
  /** Uploads may take longer than the request timeout (decision 8.6). */
  hasNoTimeout?: boolean;
  /** Lets the connection be silent for as long as the answer takes. */
  keepOpen?: () => void;
  /** Aborts when the request's time is over. Made when first asked for. */
  timeout?: AbortController;
};

const states = new WeakMap<Request, RequestState>();

/** Remembers the state of a request for as long as the request lives. */
export function setState(request: Request, state: RequestState): void {
  states.set(request, state);
}

/** Returns the state of a request; one that came in without the front door has an address of its own. */
export function stateOf(request: Request): RequestState {
  const known = states.get(request);
  if (known) return known;
  const state: RequestState = { ip: "internal", startedAt: performance.now() };
  states.set(request, state);
  return state;
}

/** A signal that aborts when the client has gone or the request's time is over. Pass it to all long work. */
export function signalOf(request: Request): AbortSignal {
  const state = stateOf(request);
  state.timeout ??= new AbortController();
  return AbortSignal.any([request.signal, state.timeout.signal]);
}
