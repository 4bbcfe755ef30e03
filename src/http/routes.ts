import { Elysia, ValidationError } from "elysia";
import { DomainError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { errorResponse, STATUS, toDomainError } from "./errors.ts";
import { stateOf } from "./request-state.ts";
import { validationError } from "./validation.ts";

/** A registered route: method and path template (`/api/v1/tracks/:id`). */
export type Route = { method: string; path: string };

/**
 * Makes the router that all routes hang on, with the one error hook: it turns whatever was thrown into the error body,
 * logs what was a bug, and tells an unknown path (404) from a wrong method (405 with `Allow`).
 */
export function createRouter(log: Log, methodsOf: (path: string) => readonly string[]) {
  return new Elysia({ strictPath: true, normalize: true }).onError(({ code, error, request }) => {
    const refusal = refusalOf(code, error, request, methodsOf);
    if (refusal.code === "internal_error")
      log("error", "A request failed", {
        method: request.method,
        route: stateOf(request).route,
        error: refusal.cause,
      });
    const response = errorResponse(refusal);
    const { settle } = stateOf(request);
    if (!settle) return response;
    return response.text().then((text) => {
      settle(STATUS[refusal.code], text);
      return new Response(text, response);
    });
  });
}

function refusalOf(
  code: unknown,
  error: unknown,
  request: Request,
  methodsOf: (path: string) => readonly string[],
): DomainError {
  if (code === "NOT_FOUND") return notFound(request, methodsOf);
  if (error instanceof ValidationError) return validationError(error);
  return toDomainError(error);
}

function notFound(request: Request, methodsOf: (path: string) => readonly string[]): DomainError {
  const methods = methodsOf(new URL(request.url).pathname);
  if (methods.length === 0) return new DomainError("not_found", "There is nothing at this address");
  return new DomainError("method_not_allowed", `This address knows ${methods.join(", ")}`, {
    headers: { allow: methods.join(", ") },
  });
}

/** Returns a function that tells which methods a path knows, HEAD and OPTIONS included. */
export function methodTable(routes: readonly Route[]): (path: string) => readonly string[] {
  const table = Map.groupBy(routes, ({ path }) => path);
  const patterns = [...table].map(([path, known]) => ({
    pattern: new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+")}$`),
    methods: known.map(({ method }) => method),
  }));
  return (path) => {
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).flatMap((match) => match.methods);
    return methods.length === 0 ? [] : withImplied(methods);
  };
}

function withImplied(methods: readonly string[]): string[] {
  return [...new Set(methods.includes("GET") ? [...methods, "HEAD", "OPTIONS"] : [...methods, "OPTIONS"])];
}
