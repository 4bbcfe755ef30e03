import { Elysia } from "elysia";
import type { KeyActor, OwnerActor, SessionActor } from "../kernel/actor.ts";
import type { Deps } from "../kernel/deps.ts";
import { requireRoom } from "../kernel/disk.ts";
import { DomainError } from "../kernel/errors.ts";
import type { OrdinaryScope, PlatformScope, Scope } from "../kernel/scopes.ts";
import { jsonAnswer } from "./answer.ts";
import { readJson } from "./body/json-body.ts";
import { beginIdempotent, beginIdempotentForm } from "./idempotency.ts";
import { stateOf } from "./request-state.ts";

/** Authenticates a request. Both functions throw the 401 or 403 that fits. */
export type Authenticate = {
  /** Checks `X-API-Key`, its scope, and `X-Act-As-User`. */
  key: (request: Request, required: Scope) => KeyActor;
  /** Checks `Authorization: Bearer`. */
  session: (request: Request) => SessionActor;
};

/** Elysia's context before validation; `route` is the template with its prefix. */
type EarlyContext = { request: Request; route: string };

/**
 * The guards that routes name: `scope` (API key), `platformScope` and `workScope` (platform key), `session` (session token), `open`
 * (no credential) and, for streaming uploads, `uploadScope`, `uploadSession` and `pieceScope`.
 *
 * Elysia parses, then transforms, then validates (decision 0033, 1). The guard therefore runs in `parse`, before the
 * body is read, and again in `transform` for requests without a body. So a caller without a credential gets 401 before
 * the body's size or shape matters (decision 0.1).
 *
 * The hooks destructure the context in their parameters, so that Elysia prepares only what they name (decision 0033, 2).
 */
export function guards(deps: Pick<Deps, "db" | "now" | "secrets" | "settings">, authenticate: Authenticate) {
  const admitKey = ({ request, route }: EarlyContext, required: Scope): KeyActor => {
    const state = stateOf(request);
    state.route = route;
    state.keyActor ??= authenticate.key(request, required);
    return state.keyActor;
  };
  const admitSession = ({ request, route }: EarlyContext): SessionActor => {
    const state = stateOf(request);
    state.route = route;
    state.sessionActor ??= authenticate.session(request);
    return state.sessionActor;
  };

  return new Elysia({ name: "http.guards" }).macro({
    scope: (required: OrdinaryScope) => ({
      detail: { security: [{ apiKey: [required] }] },
      parse({ request, route }: EarlyContext) {
        admitKey({ request, route }, required);
        return parseJson(request);
      },
      transform: ({ request, route }: EarlyContext) => void admitKey({ request, route }, required),
      resolve: ({ request, route }) => ({ actor: ownerOf(admitKey({ request, route }, required)) }),
      beforeHandle: ({ request }) => beginIdempotent(deps, request, holderOf(request)),
      mapResponse: jsonAnswer,
    }),
    uploadScope: (required: OrdinaryScope) => ({
      detail: { security: [{ apiKey: [required] }] },
      transform: ({ request, route }: EarlyContext) => {
        stateOf(request).hasNoTimeout = true;
        admitKey({ request, route }, required);
        requireRoom(deps.settings, Number(request.headers.get("content-length") ?? 0));
      },
      resolve: ({ request, route }) => ({ actor: ownerOf(admitKey({ request, route }, required)) }),
      beforeHandle: ({ request }) => beginIdempotentForm(deps, request, holderOf(request)),
      mapResponse: jsonAnswer,
    }),
    /** For pieces of files: answers are Responses, and a piece may take as long as it needs. */
    pieceScope: (required: OrdinaryScope) => ({
      transform: ({ request, route }: EarlyContext) => {
        stateOf(request).hasNoTimeout = true;
        admitKey({ request, route }, required);
      },
      resolve: ({ request, route }) => ({ actor: ownerOf(admitKey({ request, route }, required)) }),
    }),
    platformScope: (required: PlatformScope) => ({
      detail: { security: [{ apiKey: [required] }] },
      transform: ({ request, route }: EarlyContext) => void admitKey({ request, route }, required),
      resolve: ({ request, route }) => ({ actor: admitKey({ request, route }, required) }),
      mapResponse: jsonAnswer,
    }),
    workScope: workGuard(admitKey),
    session: (_: true) => ({
      detail: { security: [{ session: [] }] },
      parse({ request, route }: EarlyContext) {
        admitSession({ request, route });
        return parseJson(request);
      },
      transform: ({ request, route }: EarlyContext) => void admitSession({ request, route }),
      resolve: ({ request, route }) => ({ actor: admitSession({ request, route }) }),
      beforeHandle: ({ request }) => beginIdempotent(deps, request, holderOf(request)),
      mapResponse: jsonAnswer,
    }),
    uploadSession: (_: true) => ({
      transform: ({ request, route }: EarlyContext) => {
        stateOf(request).hasNoTimeout = true;
        admitSession({ request, route });
      },
      resolve: ({ request, route }) => ({ actor: admitSession({ request, route }) }),
    }),
    open: (_: true) => ({
      detail: { security: [] },
      parse: ({ request }: EarlyContext) => parseJson(request),
      mapResponse: jsonAnswer,
    }),
  });
}

/** For workers on other machines: bodies have a limit of their own, and requests are not recorded one by one. */
function workGuard(admitKey: (context: EarlyContext, required: Scope) => KeyActor) {
  const admit = (context: EarlyContext): KeyActor => {
    const actor = admitKey(context, "platform:work");
    stateOf(context.request).isPoll = true;
    return actor;
  };
  return (limitBytes: number) => ({
    detail: { security: [{ apiKey: ["platform:work"] }] },
    parse({ request, route }: EarlyContext) {
      admit({ request, route });
      return parseJson(request, limitBytes);
    },
    transform: ({ request, route }: EarlyContext) => void admit({ request, route }),
    resolve: ({ request, route }: EarlyContext) => ({ actor: admit({ request, route }) }),
    mapResponse: jsonAnswer,
  });
}

/** The guards as routes get them: `.use(guard)`. */
export type Guards = ReturnType<typeof guards>;

/** Returns null for an empty body: with undefined Elysia would read the body again (decision 0033, 3). */
async function parseJson(request: Request, limitBytes?: number): Promise<unknown> {
  const { value, text } = await readJson(request, limitBytes);
  stateOf(request).bodyText = text;
  return value ?? null;
}

/** Whose Idempotency-Keys a request uses: those of the API key, or of the account for a session. */
function holderOf(request: Request): string {
  const { sessionActor, keyActor } = stateOf(request);
  return sessionActor?.accountId ?? keyActor?.keyId ?? "";
}

function ownerOf(actor: KeyActor): OwnerActor {
  if (actor.accountId !== null) return { keyId: actor.keyId, accountId: actor.accountId };
  throw new DomainError("insufficient_scope", "A platform key has no library: use the API key of an account");
}
