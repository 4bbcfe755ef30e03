import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { stateOf } from "../../../http/request-state.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { AccountLimits } from "./limits.ts";
import {
  getSession,
  listSessions,
  login,
  logout,
  normaliseEmail,
  register,
  revokeSessions,
  type SetupCode,
} from "./service.ts";
import {
  CurrentSession,
  Done,
  Login,
  Register,
  Revoked,
  RevokeSessionsQuery,
  SessionRow,
  SignedIn,
} from "./shapes.ts";

/** `/auth`: accounts and sessions (decisions 5.1, 5.15). `setupCode` works until the first account exists. */
export const authRoutes = (
  deps: Deps,
  guard: Guards,
  { limits, setupCode }: { limits: AccountLimits; setupCode: SetupCode },
) => {
  const clientOf = (request: Request) => ({
    ip: stateOf(request).ip,
    userAgent: request.headers.get("user-agent"),
  });

  return new Elysia({ prefix: "/auth" })
    .use(guard)
    .onAfterHandle(({ set }) => {
      set.headers["cache-control"] = "no-store";
    })
    .post(
      "/register",
      async ({ body, request }) => {
        const attempts = limits.register("", rateLimitKey(stateOf(request).ip));
        return ok(await register(deps, body, clientOf(request), { setupCode, attempts }));
      },
      {
        open: true,
        body: Register,
        detail: describe({
          operationId: "register",
          tag: "Sign-in",
          summary: "Create an account and sign in",
          description:
            "The first account needs the set-up code; later ones need a server with open registration.",
          answer: SignedIn,
          refusals: ["invalid_setup_code", "registration_closed", "duplicate_email", "rate_limit_exceeded"],
        }),
      },
    )
    .post(
      "/login",
      async ({ body, request }) => {
        const attempts = limits.signIn(normaliseEmail(body.email), rateLimitKey(stateOf(request).ip));
        return ok(await login(deps, body, clientOf(request), attempts));
      },
      {
        open: true,
        body: Login,
        detail: describe({
          operationId: "login",
          tag: "Sign-in",
          summary: "Sign in",
          answer: SignedIn,
          refusals: ["invalid_credentials", "rate_limit_exceeded"],
        }),
      },
    )
    .post(
      "/logout",
      ({ actor }) => {
        logout(deps, actor);
        return ok({ ok: true });
      },
      {
        session: true,
        detail: describe({
          operationId: "logout",
          tag: "Sign-in",
          summary: "End this session",
          answer: Done,
          refusals: [],
        }),
      },
    )
    .get("/session", ({ actor }) => ok(getSession(deps, actor)), {
      session: true,
      detail: describe({
        operationId: "getSession",
        tag: "Sign-in",
        summary: "Get the signed-in account",
        answer: CurrentSession,
        refusals: [],
      }),
    })
    .get("/sessions", ({ actor }) => ok(listSessions(deps, actor)), {
      session: true,
      detail: describe({
        operationId: "listSessions",
        tag: "Sign-in",
        summary: "List the account's sessions, newest first",
        answer: Type.Array(SessionRow),
        refusals: [],
      }),
    })
    .delete(
      "/sessions",
      ({ actor, query }) => ok({ ok: true, revoked: revokeSessions(deps, actor, query.id) }),
      {
        session: true,
        query: RevokeSessionsQuery,
        detail: describe({
          operationId: "revokeSessions",
          tag: "Sign-in",
          summary: "End one session, or every other one",
          answer: Revoked,
          refusals: ["session_not_found"],
        }),
      },
    );
};
