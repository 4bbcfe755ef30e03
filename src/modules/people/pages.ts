import { laterRoutes } from "../../http/later-routes.ts";
import type { Deps } from "../../kernel/deps.ts";
import { beyondSignIn } from "../beyond-sign-in.ts";
import type { Parts } from "../module.ts";

/** `/`, and where people sign in, sign out and make the first account. */
export const accountPages = (deps: Deps, parts: Parts) =>
  laterRoutes(
    [
      "GET /",
      "GET /signin",
      "POST /signin",
      "GET /signout",
      "POST /signout",
      "GET /setup",
      "POST /setup",
      "GET /signup",
      "POST /signup",
    ],
    async () => (await import("./accounts/pages.tsx")).accountPages({ deps, ...parts }),
  );

/** Asking for a new password by mail, where mail is set up. */
export const forgotPages = (deps: Deps, { visitors, limits }: Parts) =>
  laterRoutes(deps.settings.mail ? ["GET /forgot", "POST /forgot"] : [], async () =>
    (await import("./accounts/forgot-pages.tsx")).forgotPages(deps, visitors, limits),
  );

export const addressPages = (deps: Deps, { visitors, limits }: Parts) =>
  laterRoutes(["GET /confirm-address", "POST /confirm-address"], async () =>
    (await import("./accounts/address-pages.tsx")).addressPages(deps, visitors, limits),
  );

export const resetPages = (deps: Deps, { visitors, limits }: Parts) =>
  laterRoutes(["GET /reset", "POST /reset"], async () =>
    (await import("./people/reset-pages.tsx")).resetPages(deps, visitors, limits),
  );

/** Ways to sign in beside a password. */
export const signInPages = (deps: Deps, parts: Parts) =>
  laterRoutes(
    ["GET /auth/provider", "GET /auth/provider/callback", "GET /signin/recovery", "POST /signin/recovery"],
    async () => (await import("./signin/pages.ts")).signInPages(deps, parts, beyondSignIn),
  );

export const joinPages = (deps: Deps, parts: Parts) =>
  laterRoutes(["GET /join", "POST /join"], async () =>
    (await import("./membership/join-pages.tsx")).joinPages(deps, parts),
  );

/** Where people let a program in. */
export const oauthPages = (deps: Deps, { visitors }: Parts) =>
  laterRoutes(["GET /oauth/authorize", "POST /oauth/consent"], async () =>
    (await import("./oauth/pages.tsx")).oauthPages(deps, { visitors }),
  );
