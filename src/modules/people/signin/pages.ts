import type { Route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { Visitors } from "../../../pages/visitor.ts";
import type { AccountLimits } from "../people/service.ts";
import { providerPages } from "./provider-pages.tsx";
import { recoveryPages } from "./recovery-pages.tsx";
import { type Beyond, createProvider } from "./service.ts";

type Parts = { visitors: Visitors; limits: AccountLimits };

/** The pages of ways to sign in beside a password. */
export const signInPages = (deps: Deps, { visitors, limits }: Parts, beyond: Beyond): Route[] => [
  ...providerPages({ deps, visitors, limits, provider: createProvider(deps), beyond }),
  ...recoveryPages(deps, visitors, limits),
];
