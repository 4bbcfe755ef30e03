import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { stateOf } from "../../../http/request-state.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { changeBrand, getBrand, readBrand } from "../brand/service.ts";
import type { AccountLimits } from "./limits.ts";
import { changeAccount, changePassword, getAccount } from "./profile.ts";
import { Account, ChangeAccount, ChangePassword, Revoked } from "./shapes.ts";

const tag = "Sign-in";

/** `/app/account`: what the signed-in person may change of their own account. */
export const profileRoutes = (deps: Deps, guard: Guards, limits: AccountLimits) => {
  const attemptsOf = (actor: SessionActor, request: Request) =>
    limits.signIn(getAccount(deps, actor).email, rateLimitKey(stateOf(request).ip));
  return new Elysia({ prefix: "/app/account" })
    .use(guard)
    .onAfterHandle(({ set }) => {
      set.headers["cache-control"] = "no-store";
    })
    .get("", ({ actor }) => ok({ ...getAccount(deps, actor), brand: getBrand(deps, actor.accountId) }), {
      session: true,
      detail: describe({
        operationId: "getAccount",
        tag,
        summary: "Get your account",
        answer: Account,
        refusals: [],
      }),
    })
    .patch(
      "",
      async ({ actor, body: { brand, ...change }, request }) => {
        // Before anything is changed: all of it, or nothing.
        if (brand) readBrand(brand);
        const account = await changeAccount(deps, actor, change, attemptsOf(actor, request));
        return ok({ ...account, brand: changeBrand(deps, actor.accountId, brand ?? {}) });
      },
      {
        session: true,
        body: ChangeAccount,
        detail: describe({
          operationId: "changeAccount",
          tag,
          summary: "Change your name, e-mail address, brand or sentences for senders",
          description:
            "You sign in with the new address from then on, so it needs your password. Sessions and keys stay.",
          answer: Account,
          refusals: ["duplicate_email", "rate_limit_exceeded"],
        }),
      },
    )
    .post(
      "/password",
      async ({ actor, body, request }) => {
        const revoked = await changePassword(deps, actor, body, attemptsOf(actor, request));
        return ok({ ok: true, revoked });
      },
      {
        session: true,
        body: ChangePassword,
        detail: describe({
          operationId: "changePassword",
          tag,
          summary: "Change your password",
          description: "Ends every other session. Keys and connected programs stay.",
          answer: Revoked,
          refusals: ["rate_limit_exceeded"],
        }),
      },
    );
};
