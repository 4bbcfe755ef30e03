import { setState } from "../../http/request-state.ts";
import type { Principal } from "../../kernel/actor.ts";
import { addressOf, type Operations, operationOf } from "./operations.ts";

/** A request to an operation of the REST API, by its id. Undefined values are not sent. */
export type OperationCall = {
  operation: string;
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: Record<string, unknown>;
  /** Fields of a form, in place of a body. */
  form?: Record<string, string | undefined>;
};

/** The answer of a route. */
export type RestAnswer = { status: number; body: RestBody };

/** A success has `data`, a refusal `messageCode` as text. */
export type RestBody = {
  messageCode: number | string;
  message: string;
  data?: unknown;
  paging?: object;
  unknownTags?: object;
};

/** On whose behalf a request is made, and from which address. A poll is not recorded as usage. */
export type Origin = { principal: Principal; ip: string; isPoll?: boolean };

/** Calls an operation inside the process, without a socket or rate limit. Scopes are still checked. */
export type Dispatch = (call: OperationCall, origin: Origin, signal: AbortSignal) => Promise<RestAnswer>;

// Elysia finds the path only after a host of at least four characters (decision 0033, 12).
const BASE = "http://dubplate.internal/api/v1";

/**
 * Makes the dispatcher. `handle` serves one request through the same routes as the front door, with the same
 * timeout, and records its use. It finds the principal in the request state, which outside input cannot reach.
 */
export function createDispatch(
  handle: (request: Request) => Promise<Response>,
  operations: Operations,
): Dispatch {
  return async (
    { operation, params, query, body: sent, form },
    { principal, ip, isPoll = false },
    signal,
  ) => {
    const { method, path } = addressOf(operationOf(operations, operation), params);
    const request = new Request(`${BASE}${path}${queryText(query)}`, {
      ...{ method, signal },
      ...(form ? { body: formOf(form) } : jsonBody(sent)),
    });
    let body: RestBody | undefined;
    // A route's answer matches its schema.
    const takeValue = (value: unknown) => {
      body = value as RestBody;
    };
    setState(request, { ip, startedAt: performance.now(), principal, isPoll, takeValue });
    const response = await handle(request);
    return { status: response.status, body: body ?? ((await response.json()) as RestBody) };
  };
}

/** A body with a declared length is read in one go. */
function jsonBody(body: OperationCall["body"]): RequestInit {
  if (!body) return {};
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  return { body: text, headers: { "content-type": "application/json", "content-length": length } };
}

function formOf(fields: NonNullable<OperationCall["form"]>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value);
  return form;
}

function queryText(query: OperationCall["query"] = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value));
  return params.size === 0 ? "" : `?${params}`;
}
