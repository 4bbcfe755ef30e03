import { Elysia } from "elysia";
import type { Guards } from "./http/guards.ts";
import type { Deps } from "./kernel/deps.ts";
import { programName } from "./library.ts";
import { appBriefRoutes } from "./modules/briefs/briefs/app-routes.ts";
import { briefRoutes } from "./modules/briefs/briefs/routes.ts";
import { packRoutes } from "./modules/briefs/inbox/pack-routes.ts";
import { inboxRoutes } from "./modules/briefs/inbox/routes.ts";
import { historyRoutes } from "./modules/search/history/routes.ts";
import { searchRoutes } from "./modules/search/search/routes.ts";
import { commentKeyRoutes } from "./modules/sharing/comments/key-routes.ts";
import { commentRoutes } from "./modules/sharing/comments/routes.ts";
import { insightRoutes } from "./modules/sharing/insights/routes.ts";
import { serverAccountRoutes } from "./modules/whole/operator/account-routes.ts";
import { serverRoutes } from "./modules/whole/operator/routes.ts";

/** Everything under `/api/v1`. */
export function apiRoutes(deps: Deps, guard: Guards) {
  return new Elysia({ prefix: "/api/v1" })
    .use(searchRoutes(deps, guard))
    .use(briefRoutes(deps, guard))
    .use(commentKeyRoutes(deps, guard));
}

/** Everything under `/app`: what a signed-in person does. */
export function appRoutes(deps: Deps, guard: Guards) {
  return new Elysia()
    .use(appBriefRoutes(deps, guard))
    .use(inboxRoutes(deps, guard))
    .use(packRoutes(deps, guard))
    .use(insightRoutes(deps, guard))
    .use(serverRoutes(deps, guard, { program: programName(deps), backups: () => backupTimes(deps) }))
    .use(serverAccountRoutes(deps, guard))
    .use(commentRoutes(deps, guard))
    .use(historyRoutes(deps, guard));
}

/** The code of backups is loaded with its first use. */
async function backupTimes({ settings }: Pick<Deps, "settings">) {
  const { readBackupState } = await import("./backup/state.ts");
  return readBackupState(settings);
}
