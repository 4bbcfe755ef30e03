import type { Deprecations } from "../../../http/front/deprecation.ts";
import { op } from "../../../http/operation.ts";
import { conditionOf } from "../../../kernel/condition.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { PROGRAM } from "../../../kernel/program.ts";
import { libraryDamaged } from "../../../kernel/refusals.ts";
import { ApiVersion, Health, TOOL_SERVER } from "./shapes.ts";

export type ServiceParts = { deprecations: Deprecations };

const tag = "Service";

/** The server itself. No credential is needed, and the rate limit does not count `/health`. */
export const serviceOperations = ({ deprecations }: ServiceParts) => [
  op({
    at: "GET /health",
    id: "getHealth",
    tag,
    summary: "Check that the server is up",
    answer: Health,
    isBare: true,
    refusals: ["library_damaged"],
    run: health,
  }),
  op({
    at: "GET /api/v1/version",
    id: "getVersion",
    tag,
    summary: "Get the version of the API",
    answer: ApiVersion,
    refusals: [],
    run: ({ settings }) => versionOf(settings, deprecations),
  }),
];

/** Answers 503 while the database is damaged and only read. */
function health({ db }: Pick<Deps, "db">): Response {
  const { damage } = conditionOf(db);
  if (damage !== undefined) throw libraryDamaged(damage);
  return Response.json({
    // What an operator reads first: whether it is well, and which Dubplate it is.
    status: "ok",
    program: PROGRAM,
    version: TOOL_SERVER.version,
    apiVersion: TOOL_SERVER.apiVersion,
  });
}

/** @see specification section 9, decision 4.32 */
const versionOf = ({ build }: Deps["settings"], { routes, version: deprecated }: Deprecations) => ({
  version: "1",
  prefix: "/api/v1",
  latest: deprecated?.latest ?? "1",
  status: deprecated ? "deprecated" : "current",
  sunset: deprecated?.sunset ?? null,
  build,
  deprecatedRoutes: routes,
});
