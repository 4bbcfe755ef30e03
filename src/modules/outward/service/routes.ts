import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Deprecations } from "../../../http/front/deprecation.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { conditionOf } from "../../../kernel/condition.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { PROGRAM } from "../../../kernel/program.ts";
import { libraryDamaged } from "../../../kernel/refusals.ts";
import { ApiVersion, Health, TOOL_SERVER } from "./shapes.ts";

/**
 * `GET /health`: answered without the envelope and never counted by the rate limit. 503 while the database is damaged
 * and only read.
 */
export const healthRoutes = ({ db }: Pick<Deps, "db">) =>
  new Elysia().get(
    "/health",
    () => {
      const { damage } = conditionOf(db);
      if (damage !== undefined) throw libraryDamaged(damage);
      return Response.json({
        // What an operator reads first: whether it is well, and which Dubplate it is.
        status: "ok",
        program: PROGRAM,
        version: TOOL_SERVER.version,
        apiVersion: TOOL_SERVER.apiVersion,
      });
    },
    {
      detail: describe({
        operationId: "getHealth",
        tag: "Service",
        summary: "Check that the server is up",
        answer: Health,
        bare: true,
        refusals: ["library_damaged"],
      }),
    },
  );

/** `GET /version`: no key needed (specification section 9, decision 4.32). */
export const versionRoutes = (
  { settings }: Pick<Deps, "settings">,
  guard: Guards,
  { routes, version: deprecated }: Deprecations,
) =>
  new Elysia().use(guard).get(
    "/version",
    () =>
      ok({
        version: "1",
        prefix: "/api/v1",
        latest: deprecated?.latest ?? "1",
        status: deprecated ? "deprecated" : "current",
        sunset: deprecated?.sunset ?? null,
        build: settings.build,
        deprecatedRoutes: routes,
      }),
    {
      open: true,
      detail: describe({
        operationId: "getVersion",
        tag: "Service",
        summary: "Get the version of the API",
        answer: ApiVersion,
        refusals: [],
      }),
    },
  );
