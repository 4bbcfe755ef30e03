import type { Route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { Visitors } from "../../../pages/visitor.ts";
import type { AccountLimits } from "../people/service.ts";
import { providerPages } from "./provider-pages.tsx";
import { recoveryPages } from "./recovery-pages.tsx";
import { createProvider, type EndAccess } from "./service.ts";

type Parts = { visitors: Visitors; limits: AccountLimits };

/** The pages of ways to sign in beside a password. */
export const signInPages = (deps: Deps, { visitors, limits }: Parts, endAccess: EndAccess): Route[] => [
  ...providerPages({ deps, visitors, provider: createProvider(deps), endAccess }),
  ...recoveryPages(deps, visitors, limits),
];
