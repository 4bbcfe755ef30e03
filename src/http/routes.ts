import type { TSchema } from "@sinclair/typebox";
import { Elysia, ValidationError } from "elysia";
import { DomainError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { errorResponse, STATUS, toDomainError } from "./errors.ts";
import { stateOf } from "./request-state.ts";
import { validationError } from "./validation.ts";

/** A registered route: method and path template (`/api/v1/tracks/:id`). */
export type Route = { method: string; path: string; hooks: { query?: unknown } };

/** The lookup tables of all mounted routes. */
export type RouteTable = {
  /** Methods that a path accepts, including HEAD and OPTIONS; empty for an unknown path. */
  methodsOf: (path: string) => readonly string[];
  /** The query schema of a route, by method and template. */
  querySchemaOf: (method: string, template: string) => TSchema | undefined;
};

/**
 * Makes the router for all routes, with the only error hook. The hook turns anything thrown into the error body,
 * logs bugs, and distinguishes an unknown path (404) from a wrong method (405 with `Allow`; decision 0033, 13).
 */
export function createRouter(log: Log, table: () => RouteTable) {
  // Elysia's own cleaner would turn a wrong value into an empty object before it is validated (decision 0033, 5).
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
    return new DomainError("request_timeout", "The request was aborted before it finished: try again", {
      cause: error,
    });
  if (!(error instanceof ValidationError)) return toDomainError(error);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const schema = table.querySchemaOf(method, route);
  return validationError(error, { schema, query: query as Record<string, unknown> });
}

/** True when the work ended because the client has gone or its time had run out, which is not a fault of the service. */
function isGivenUp(error: unknown, request: Request): boolean {
  const signals = [request.signal, stateOf(request).timeout?.signal];
  return signals.some((signal) => signal?.aborted && signal.reason === error);
}

function notFound(request: Request, { methodsOf }: RouteTable): DomainError {
  const methods = methodsOf(new URL(request.url).pathname);
  if (methods.length === 0) return new DomainError("not_found", "There is nothing at this address");
  return new DomainError("method_not_allowed", `This address accepts ${methods.join(", ")}`, {
    headers: { allow: methods.join(", ") },
  });
}

/** Makes the lookup tables of the mounted routes. */
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

const templates = new Map<string, string>();

/** Returns a route as usage records name it: relative to the API's base, parameters in braces (decision 2.22). */
export function routeTemplate(route: string): string {
  const known = templates.get(route);
  if (known !== undefined) return known;
  const template = route.replace(/^\/api\/v1/, "").replace(/:(\w+)/g, "{$1}");
  templates.set(route, template);
  return template;
}
