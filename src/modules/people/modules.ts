import { beyondSignIn } from "../beyond-sign-in.ts";
import type { Module } from "../module.ts";
import { pruneAddresses } from "./accounts/address.ts";
import { addressPages } from "./accounts/address-pages.tsx";
import { resetMailJobs } from "./accounts/forgot.ts";
import { forgotPages } from "./accounts/forgot-pages.tsx";
import { accountOperations } from "./accounts/operations.ts";
import { accountPages } from "./accounts/pages.tsx";
import { brandOperations } from "./brand/operations.ts";
import { keyOperations } from "./keys/operations.ts";
import { resealKeys } from "./keys/service.ts";
import { pruneUsage } from "./keys/usage.ts";
import { joinPages } from "./membership/join-pages.tsx";
import { membershipOperations } from "./membership/operations.ts";
import { tidyTeam } from "./membership/service.ts";
import { notificationOperations } from "./notifications/operations.ts";
import { transferNotifications } from "./notifications/service.ts";
import { grantOperations } from "./oauth/operations.ts";
import { oauthPages } from "./oauth/pages.tsx";
import { oauthRoutes } from "./oauth/routes.ts";
import { pruneOAuth } from "./oauth/service.ts";
import { resetPages } from "./people/reset-pages.tsx";
import { platformOperations } from "./platform/operations.ts";
import { signInOperations } from "./signin/operations.ts";
import { signInPages } from "./signin/pages.ts";
import { pruneFlows } from "./signin/service.ts";
import { teamOperations } from "./team/operations.ts";

/** Who may what: the modules of this street, for `modules/index.ts`. */
export const PEOPLE = [
  {
    name: "people/accounts",
    operations: (_, parts) => accountOperations(parts),
    routes: (deps, parts) => [
      ...accountPages({ deps, ...parts }),
      ...forgotPages(deps, parts.visitors, parts.limits),
      ...addressPages(deps, parts.visitors, parts.limits),
    ],
    jobs: resetMailJobs,
    prune: { run: pruneAddresses, failure: "New addresses that nobody confirmed could not be deleted" },
  },
  { name: "people/people", routes: (deps, { visitors, limits }) => resetPages(deps, visitors, limits) },
  {
    name: "people/signin",
    operations: (_, parts) => signInOperations(parts),
    routes: (deps, parts) => signInPages(deps, parts, beyondSignIn),
    prune: { run: pruneFlows, failure: "Old attempts to sign in could not be deleted" },
  },
  { name: "people/rooms" },
  {
    name: "people/team",
    operations: teamOperations,
    exported: () => import("./team/export.ts"),
  },
  {
    name: "people/membership",
    operations: (_, parts) => membershipOperations(parts),
    routes: joinPages,
    prune: { run: tidyTeam, failure: "Memberships that are over could not be ended", isAlsoAtStart: true },
  },
  {
    name: "people/keys",
    operations: (_, parts) => keyOperations(parts),
    prune: { run: pruneUsage, failure: "Old usage records could not be deleted" },
    exported: () => import("./keys/export.ts"),
    sealed: { keys: resealKeys },
  },
  {
    name: "people/oauth",
    operations: grantOperations,
    routes: (deps, { visitors }) => [...oauthRoutes(deps), ...oauthPages(deps, { visitors })],
    prune: { run: pruneOAuth, failure: "Old grants could not be deleted" },
    exported: () => import("./oauth/export.ts"),
  },
  { name: "people/platform", operations: platformOperations },
  {
    name: "people/notifications",
    operations: notificationOperations,
    transfer: transferNotifications,
    exported: () => import("./notifications/export.ts"),
  },
  { name: "people/brand", operations: brandOperations, exported: () => import("./brand/export.ts") },
] as const satisfies readonly Module[];
