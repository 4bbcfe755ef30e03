import { laterRoutes } from "../../../http/later-routes.ts";
import type { Route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { DoorParts } from "./caller.ts";

/** `/rest/{method}` and `/rest/{method}.view`: the door for music apps. It is loaded with the first request. */
export const doorRoutes = (deps: Deps, parts: DoorParts): readonly Route[] =>
  laterRoutes(["GET /rest/:method", "POST /rest/:method"], async () =>
    (await import("./rest-routes.ts")).restRoutes(deps, parts),
  );
