import type { TSchema } from "@sinclair/typebox";
import { Elysia, ValidationError } from "elysia";
import { DomainError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { errorResponse, STATUS, toDomainError } from "./errors.ts";
import { stateOf } from "./request-state.ts";
import { validationError } from "./validation.ts";

/** A registered route: method and path template (`/api/v1/tracks/:id`). */
export type Route = { method: string; path: string; hooks: { query?: unknown } };

/** What is known of the routes once all of them are mounted. */
export type RouteTable = {
  /** Methods that a path knows, HEAD and OPTIONS included; empty for an unknown path. */
  methodsOf: (path: string) => readonly string[];
  /** The query's schema of a route, by method and template. */
  querySchemaOf: (method: string, template: string) => TSchema | undefined;
};

/**
 * Makes the router that all routes hang on, with the one error hook: it turns whatever was thrown into the error body,
 * logs what was a bug, and tells an unknown path (404) from a wrong method (405 with `Allow`).
 */
export function createRouter(log: Log, table: () => RouteTable) {
  // The framework's own cleaner makes an empty object of whatever should have been one, before anybody checks it.
  return new Elysia({ strictPath: true, normalize: "typebox" }).onError(
    ({ code, error, request, route, query }) => {
      const refusal = refusalOf({ code, error, request, route, query }, table());
      if (refusal.code === "internal_error")
        log("error", "A request failed", {
          method: request.method,
          route: stateOf(request).route,
          error: refusal.cause,
        });
      const response = errorResponse(refusal);
      const state = stateOf(request);
      state.refusal = refusal;
      const { settle } = state;
      if (!settle) return response;
      return response.text().then((text) => {
        settle(STATUS[refusal.code], text);
        return new Response(text, response);
      });
    },
  );
}

type Failure = { code: unknown; error: unknown; request: Request; route: string; query: unknown };

function refusalOf({ code, error, request, route, query }: Failure, table: RouteTable): DomainError {
  if (code === "NOT_FOUND") return notFound(request, table);
  if (isGivenUp(error, request))
    return new DomainError("request_timeout", "The request was given up", { cause: error });
  if (!(error instanceof ValidationError)) return toDomainError(error);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const schema = table.querySchemaOf(method, route);
  return validationError(error, { schema, query: query as Record<string, unknown> });
}

/** True for work that ended because the client has gone or the time was over: that is no fault of the service. */
function isGivenUp(error: unknown, request: Request): boolean {
  const signals = [request.signal, stateOf(request).timeout?.signal];
  return signals.some((signal) => signal?.aborted && signal.reason === error);
}

function notFound(request: Request, { methodsOf }: RouteTable): DomainError {
  const methods = methodsOf(new URL(request.url).pathname);
  if (methods.length === 0) return new DomainError("not_found", "There is nothing at this address");
  return new DomainError("method_not_allowed", `This address knows ${methods.join(", ")}`, {
    headers: { allow: methods.join(", ") },
  });
}

/** Reads the mounted routes into a table. */
export function routeTable(routes: readonly Route[]): RouteTable {
  const queries = new Map(
    routes.map(({ method, path, hooks }) => [`${method} ${path}`, hooks.query as TSchema]),
  );
  const patterns = [...Map.groupBy(routes, ({ path }) => path)].map(([path, known]) => ({
    pattern: new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+")}$`),
    methods: known.map(({ method }) => method),
  }));
  return {
    methodsOf: (path) => {
      const methods = patterns.filter(({ pattern }) => pattern.test(path)).flatMap((match) => match.methods);
      return methods.length === 0 ? [] : withImplied(methods);
    },
    querySchemaOf: (method, template) => queries.get(`${method} ${template}`),
  };
}

function withImplied(methods: readonly string[]): string[] {
  return [...new Set(methods.includes("GET") ? [...methods, "HEAD", "OPTIONS"] : [...methods, "OPTIONS"])];
}
