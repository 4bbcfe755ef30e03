import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { admitMember, type KeyActor, type PersonActor, type SessionActor } from "../kernel/actor.ts";
import { type Doer, setDoer } from "../kernel/current-request.ts";
import type { Deps } from "../kernel/deps.ts";
import { requireRoom } from "../kernel/disk.ts";
import { DomainError } from "../kernel/errors.ts";
import { isPlatformScope, type Scope } from "../kernel/scopes.ts";
import { preparedAnswer } from "./answer.ts";
import { readJson } from "./body/json-body.ts";
import { describedAs } from "./described.ts";
import type { DocumentedRoute } from "./document/declared.ts";
import type { Failure } from "./failure.ts";
import { guestsAtDoor, type InRooms } from "./guests.ts";
import { beginIdempotent, beginIdempotentForm } from "./idempotency.ts";
import { inputReader, looseQueryReader } from "./input.ts";
import type { Address, Call, Operation, SessionNeed } from "./operation.ts";
import { type RequestState, stateOf } from "./request-state.ts";
import type { Route } from "./route.ts";
import { veiledAgain, veilOf } from "./veil.ts";

/** Authenticates a request. Both functions throw the 401 or 403 that fits. */
export type Authenticate = {
  /** Checks `X-API-Key`, its scope, and `X-Act-As-User`. */
  key: (request: Request, required: Scope) => KeyActor;
  /** Checks `Authorization: Bearer`. */
  session: (request: Request) => PersonActor | SessionActor;
  /** Checks a further scope of a caller whom `key` has let in. Throws the 403. */
  further: (request: Request, required: Scope) => void;
  inRooms: InRooms;
};

/** One door of an operation: where it is, and who comes in. */
type Door = {
  method: string;
  path: string;
  id: string;
  /** Not in the document. */
  isUnlisted: boolean;
  security: Record<string, string[]>[];
  /** Whether callers may send an Idempotency-Key. */
  mayRepeat: boolean;
  admit: (request: Request, state: RequestState) => Call["actor"];
  /** Asks for what only some queries need. Left out: none does. */
  further?: (request: Request, query: unknown) => void;
  /** Returns who comes in as who they are for what the path names. Only guests of rooms are somebody else there. */
  there: (actor: Call["actor"], params: unknown, query: unknown) => Call["actor"];
};

/** What Elysia gives to a handler. Named in parameters, so that it prepares nothing else (decision 0033, 2). */
type Routed = { request: Request; params: Record<string, string> };

/** What is mounted, and how a failure is answered. */
type Mounting = {
  operations: readonly Operation[];
  routes: readonly Route[];
  onFailure: (failure: Failure) => Response | Promise<Response>;
};

/** The router, and everything that is mounted on it. */
type Mounted = {
  handle: (request: Request) => Response | Promise<Response>;
  mounted: readonly DocumentedRoute[];
};

/** Mounts operations, each at its doors, and routes as they are. Elysia finds the handler of a request, and no more. */
export function mount(
  deps: Deps,
  authenticate: Authenticate,
  { operations, routes, onFailure }: Mounting,
): Mounted {
  const router = new Elysia({ strictPath: true }).onError(({ code, error, request }) =>
    onFailure({ code, error, request }),
  );
  const mounted: DocumentedRoute[] = [];
  const add = (
    { method, path }: { method: string; path: string },
    handler: (routed: Routed) => Response | Promise<Response>,
    describe: () => Partial<DocumentedRoute>,
  ) => {
    // Elysia answers later where it has anything to parse. A GET is answered at once.
    router.route(method, path, handler, method === "GET" ? {} : { parse: "none" });
    mounted.push(describedLater({ method, path }, describe));
  };
  for (const operation of operations)
    for (const door of doorsOf(operation, authenticate))
      add(door, handlerOf(deps, operation, door), () =>
        door.isUnlisted ? {} : describedAs(operation, door),
      );
  for (const { at, query, detail, run } of routes) {
    const place = placeOf("", at);
    const read = query && looseQueryReader(query);
    add(
      place,
      ({ request, params }) => run({ request, params: wellFormed(params), query: read?.(request) }),
      () => (detail ? { params: textsIn(place.path), query, detail } : {}),
    );
  }
  return { handle: router.fetch, mounted };
}

/** Returns a route whose description is made when it is first read: a start would write hundreds of them. */
function describedLater(
  place: { method: string; path: string },
  describe: () => Partial<DocumentedRoute>,
): DocumentedRoute {
  let known: Partial<DocumentedRoute> | undefined;
  const described = () => {
    known ??= describe();
    return known;
  };
  return {
    ...place,
    get detail() {
      return described().detail;
    },
    get query() {
      return described().query;
    },
    get params() {
      return described().params;
    },
    get body() {
      return described().body;
    },
  };
}

function doorsOf(operation: Operation, authenticate: Authenticate): Door[] {
  const { key, keyToo, session, sessionDoor, id, at, formerly, isAtRoot, isUnlisted = false } = operation;
  const place = (base: string, address: Address) => placeOf(isAtRoot ? "" : base, address);
  const doors: Door[] = [];
  const guestsAt = ({ path }: { path: string }, need: Scope | SessionNeed) =>
    guestsAtDoor(operation, { path, need, inRooms: authenticate.inRooms });
  if (key !== undefined) {
    const where = place("/api/v1", at);
    const guests = guestsAt(where, key);
    doors.push({
      ...where,
      id,
      isUnlisted,
      security: [{ apiKey: [key] }],
      mayRepeat: !isPlatformScope(key),
      there: guests.there,
      ...(keyToo && {
        further: (request: Request, query: unknown) => {
          const scope = keyToo(query as never);
          if (scope !== undefined) authenticate.further(request, scope);
        },
      }),
      admit: (request, state) => {
        guests.admit(state.principal?.actor);
        state.keyActor ??= authenticate.key(request, key);
        if (state.keyActor.accountId !== null || isPlatformScope(key)) return state.keyActor;
        throw new DomainError(
          "insufficient_scope",
          "A platform key has no library: use the API key of an account",
        );
      },
    });
  }
  if (session !== undefined) {
    const where = typeof sessionDoor === "object" ? placeOf("", sessionDoor.at) : place("/app", at);
    const guests = guestsAt(where, session);
    doors.push({
      ...where,
      id: (typeof sessionDoor === "object" ? sessionDoor.id : sessionDoor) ?? id,
      isUnlisted,
      security: [{ session: [session] }],
      mayRepeat: true,
      there: guests.there,
      admit: (request, state) => {
        state.sessionActor ??= authenticate.session(request);
        guests.admit(state.sessionActor);
        return session === "self" ? state.sessionActor : admitMember(state.sessionActor, session);
      },
    });
  }
  if (doors.length === 0)
    doors.push({
      ...place("", at),
      id,
      isUnlisted,
      security: [],
      mayRepeat: false,
      admit: () => undefined,
      there: (actor) => actor,
    });
  if (formerly === undefined) return doors;
  const former = doors.map((door) => ({
    ...door,
    ...place(door.path.startsWith("/app") ? "/app" : "/api/v1", formerly),
    isUnlisted: true,
  }));
  return [...doors, ...former];
}

function placeOf(base: string, address: Route["at"]): Pick<Door, "method" | "path"> {
  const [method = "", path = ""] = address.split(" ");
  return { method, path: `${base}${path === "/" && base !== "" ? "" : path}` };
}

/**
 * Returns the way of a request to an operation, with everything prepared that requests have in common: the credential, the
 * body, validation, an earlier answer to the same Idempotency-Key, and the answer. A caller without a credential gets 401
 * before the body's size or shape matters (decision 0.1).
 */
function handlerOf(deps: Deps, operation: Operation, door: Door) {
  const { method, path, admit, further, there, mayRepeat } = door;
  const { input = {}, reads = "json", isPoll, isLong, run } = operation;
  const read = inputReader(input);
  const answer = preparedAnswer(operation, method);
  const veil = veilOf(operation);
  const begin = reads === "form" ? beginIdempotentForm : beginIdempotent;
  const isIdempotent = mayRepeat && reads !== "pieces";

  const enter = (request: Request, state: RequestState) => {
    state.route = path;
    if (isPoll) state.isPoll = true;
    const actor = admit(request, state);
    if (state.sessionActor || state.keyActor) setDoer(doerOf(state), deps.now);
    return actor;
  };
  const callOf = (actor: unknown, { request, params: path }: Routed, sent: unknown): Call => {
    const { params, query, body } = read(request, path, sent);
    further?.(request, query);
    return { actor: there(actor, params, query), params, query, body, request } as Call;
  };
  const finish = (call: Call, state: RequestState): Response | Promise<Response> => {
    const result = run(deps, call as Call<never, never>);
    const send = (value: unknown) => answer(call.request, state, veil(call.actor, value));
    return result instanceof Promise ? result.then(send) : send(result);
  };

  const work = async (call: Call, state: RequestState) => {
    const earlier = isIdempotent ? await begin(deps, call.request, holderOf(state)) : undefined;
    if (isLong) state.hasNoTimeout = true;
    return earlier ? veiledAgain(operation, veil, call.actor, earlier) : finish(call, state);
  };

  if (method === "GET")
    return ({ request, params }: Routed) => {
      const state = stateOf(request);
      return finish(callOf(enter(request, state), { request, params }, undefined), state);
    };
  return async ({ request, params }: Routed) => {
    const state = stateOf(request);
    if (reads === "form" || reads === "pieces") state.hasNoTimeout = true;
    const actor = enter(request, state);
    if (reads === "form") requireRoom(deps.settings, Number(request.headers.get("content-length") ?? 0));
    const sent = await bodyOf(request, state, reads);
    return work(callOf(actor, { request, params }, sent), state);
  };
}

/** Whose request it is. Through `/app/library` it is a person's, whatever the key's door calls them. */
function doerOf({ sessionActor, keyActor }: RequestState): Doer {
  if (!sessionActor)
    return {
      accountId: keyActor?.accountId ?? null,
      personId: keyActor?.personId ?? null,
      keyId: keyActor?.keyId ?? null,
    };
  const { personId } = sessionActor;
  if (!("memberId" in sessionActor)) return { accountId: null, personId, keyId: null };
  const { accountId, memberId } = sessionActor;
  return { accountId, personId, keyId: null, memberId };
}

/** Who holds an Idempotency-Key: a key, or a person in a library. Of those who had an account the two ids are one. */
function holderOf({ sessionActor, keyActor }: RequestState): string {
  if (!sessionActor) return keyActor?.keyId ?? "";
  const { personId } = sessionActor;
  const library = "accountId" in sessionActor ? sessionActor.accountId : personId;
  return String(personId) === library ? personId : `${personId}/${library}`;
}

/** Reads JSON. Null stands for an empty body, and for one that the operation reads itself. */
async function bodyOf(request: Request, state: RequestState, reads: Operation["reads"]): Promise<unknown> {
  if (reads === "form" || reads === "pieces") return null;
  const { value, text } = await readJson(request, typeof reads === "object" ? reads.limitBytes : undefined);
  state.bodyText = text;
  return value ?? null;
}

/** The parameters of a route's path, which are texts. */
function textsIn(path: string) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => [name, Type.String()] as const);
  return names.length > 0 ? Type.Object(Object.fromEntries(names)) : undefined;
}

/** Elysia gives null for a parameter that cannot be decoded (decision 0033, 14). The empty text names nothing. */
function wellFormed(params: Record<string, string | null> = {}): Record<string, string> {
  for (const name in params) params[name] ??= "";
  return params as Record<string, string>;
}
