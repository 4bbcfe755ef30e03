import { Elysia } from "elysia";
import type { Guards } from "../../../http/guards.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { bulkRoutes } from "./bulk/routes.ts";
import { commonRoutes } from "./common/routes.ts";
import { downloadRoutes } from "./download/routes.ts";
import { firstStepsRoutes } from "./first-steps/routes.ts";
import { mergeRoutes } from "./merge/routes.ts";
import { tableRoutes } from "./table/routes.ts";

/** What the console's desk needs beside REST: the table, changes and downloads of many tracks, and the first steps. */
export const deskRoutes = (deps: Deps, guard: Guards) =>
  new Elysia()
    .use(tableRoutes(deps, guard))
    .use(bulkRoutes(deps, guard))
    .use(commonRoutes(deps, guard))
    .use(mergeRoutes(deps, guard))
    .use(downloadRoutes(deps, guard))
    .use(firstStepsRoutes(deps, guard));
