import type { Module } from "../module.ts";
import { pruneAddresses } from "./accounts/address.ts";
import { resetMailJobs } from "./accounts/forgot.ts";
import { accountOperations } from "./accounts/operations.ts";
import { brandOperations } from "./brand/operations.ts";
import { keyOperations } from "./keys/operations.ts";
import { resealKeys } from "./keys/service.ts";
import { pruneUsage } from "./keys/usage.ts";
import { membershipOperations } from "./membership/operations.ts";
import { tidyTeam } from "./membership/service.ts";
import { notificationOperations } from "./notifications/operations.ts";
import { transferNotifications } from "./notifications/service.ts";
import { grantOperations } from "./oauth/operations.ts";
import { oauthRoutes } from "./oauth/routes.ts";
import { pruneOAuth } from "./oauth/service.ts";
import {
  accountPages,
  addressPages,
  forgotPages,
  joinPages,
  oauthPages,
  resetPages,
  signInPages,
} from "./pages.ts";
import { platformOperations } from "./platform/operations.ts";
import { signInOperations } from "./signin/operations.ts";
import { pruneFlows } from "./signin/service.ts";
import { teamOperations } from "./team/operations.ts";

/** Who may what: the modules of this street, for `modules/index.ts`. */
export const PEOPLE = [
  {
    name: "people/accounts",
    operations: (_, parts) => accountOperations(parts),
    routes: (deps, parts) => [
      ...accountPages(deps, parts),
      ...forgotPages(deps, parts),
      ...addressPages(deps, parts),
    ],
    jobs: resetMailJobs,
    prune: { run: pruneAddresses, failure: "New addresses that nobody confirmed could not be deleted" },
  },
  { name: "people/people", routes: resetPages },
  {
    name: "people/signin",
    operations: (_, parts) => signInOperations(parts),
    routes: signInPages,
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
    routes: (deps, parts) => [...oauthRoutes(deps), ...oauthPages(deps, parts)],
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
