import { type PersonActor, requireMember, type SessionActor } from "../kernel/actor.ts";
import { setState, stateOf } from "./request-state.ts";
import { route } from "./route.ts";

const DOOR = /^\/app\/library(?=\/)/;

/** Returns the REST path that an address of the session door stands for; every other path unchanged. */
export const restPathOf = (path: string): string => path.replace(DOOR, "/api/v1");

/**
 * `/app/library/<rest>`: the routes of `/api/v1/<rest>` for a session. The request goes to the same router under its REST
 * path, with the member as its principal: the same handler, validation and refusals. REST itself accepts no cookies.
 *
 * Both requests share one state. So the time limit, the stored answer of an Idempotency-Key and the refusal that becomes a
 * page work as for REST, and the use counts for the session.
 *
 * @param authenticate Throws the 401, or the 403 for a change from another site.
 */
export const sessionDoor = (
  authenticate: (request: Request) => PersonActor | SessionActor,
  handle: (request: Request) => Response | Promise<Response>,
) => {
  const forward = ({ request }: { request: Request }) => {
    const state = stateOf(request);
    state.sessionActor ??= authenticate(request);
    const { sessionId, role, ...member } = requireMember(state.sessionActor);
    state.principal = {
      actor: { keyId: sessionId, sessionId, ...member },
      scopes: member.allowed.scopes,
      role,
    };
    const url = new URL(request.url);
    url.pathname = restPathOf(url.pathname);
    const inner = new Request(url.href, request);
    setState(inner, state);
    return handle(inner);
  };
  return [route({ at: "ALL /app/library/*", run: forward })];
};
