import { DomainError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { errorResponse, STATUS, toDomainError } from "./errors.ts";
import { stateOf } from "./request-state.ts";

/** What was thrown while a request was answered. The code is `NOT_FOUND` where no route has its method and path. */
export type Failure = { code: unknown; error: unknown; request: Request };

/**
 * Returns the answer to every failure: the error body. Bugs are logged, and an unknown path (404) is told from a wrong
 * method (405 with `Allow`; decision 0033, 13).
 *
 * @param methodsOf Returns the methods that a path accepts.
 */
export function failureAnswer(log: Log, methodsOf: (path: string) => readonly string[]) {
  return (failure: Failure): Response | Promise<Response> => {
    const { request } = failure;
    const refusal = refusalOf(failure, methodsOf);
    const state = stateOf(request);
    if (refusal.code === "internal_error")
      log("error", "A request failed", { method: request.method, route: state.route, error: refusal.cause });
    const response = errorResponse(refusal);
    state.refusal = refusal;
    const { settle } = state;
    if (!settle) return response;
    return response.text().then((text) => {
      settle(STATUS[refusal.code], text);
      return new Response(text, response);
    });
  };
}

function refusalOf(
  { code, error, request }: Failure,
  methodsOf: (path: string) => readonly string[],
): DomainError {
  if (code === "NOT_FOUND") return notFound(methodsOf(new URL(request.url).pathname));
  if (isGivenUp(error, request))
    return new DomainError("request_timeout", "The request was aborted before it finished: try again", {
      cause: error,
    });
  return toDomainError(error);
}

/** True when the work ended because the client has gone or its time had run out, which is not a fault of the service. */
function isGivenUp(error: unknown, request: Request): boolean {
  const signals = [request.signal, stateOf(request).timeout?.signal];
  return signals.some((signal) => signal?.aborted && signal.reason === error);
}

function notFound(methods: readonly string[]): DomainError {
  if (methods.length === 0) return new DomainError("not_found", "There is nothing at this address");
  return new DomainError("method_not_allowed", `This address accepts ${methods.join(", ")}`, {
    headers: { allow: methods.join(", ") },
  });
}
