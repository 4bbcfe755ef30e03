import { setState } from "../http/request-state.ts";
import type { Principal } from "../kernel/actor.ts";

/** A request to the REST API; `path` is relative to `/api/v1`. What is undefined is not sent. */
export type RestCall = {
  method: string;
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: Record<string, unknown>;
};

/** What a route answered. */
export type RestAnswer = { status: number; body: RestBody };

/** A success has `data`, a refusal `messageCode` as text. */
export type RestBody = {
  messageCode: number | string;
  message: string;
  data?: unknown;
  paging?: object;
};

/** On whose behalf a request is made, and from which address. A poll goes into no record of use. */
export type Origin = { principal: Principal; ip: string; isPoll?: boolean };

/** Makes a REST request inside the process: no socket, no rate limit, scopes and all. */
export type Dispatch = (call: RestCall, origin: Origin, signal: AbortSignal) => Promise<RestAnswer>;

// The framework looks for the path behind a host of at least four characters.
const BASE = "http://dubplate.internal/api/v1";

/**
 * Makes the dispatcher. `handle` serves one request as the front door's routes do, with the timeout of its route, and
 * records its use; it finds the principal in the request's state, where nothing from outside can write.
 */
export function createDispatch(handle: (request: Request) => Promise<Response>): Dispatch {
  return async ({ method, path, query, body: sent }, { principal, ip, isPoll = false }, signal) => {
    const request = new Request(`${BASE}${path}${queryText(query)}`, { method, signal, ...jsonBody(sent) });
    let body: RestBody | undefined;
    // What a route's answer holds is what its schema says.
    const takeValue = (value: unknown) => {
      body = value as RestBody;
    };
    setState(request, { ip, startedAt: performance.now(), principal, isPoll, takeValue });
    const response = await handle(request);
    return { status: response.status, body: body ?? ((await response.json()) as RestBody) };
  };
}

/** With its length said, a body is read in one go. */
function jsonBody(body: RestCall["body"]): RequestInit {
  if (!body) return {};
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  return { body: text, headers: { "content-type": "application/json", "content-length": length } };
}

function queryText(query: RestCall["query"] = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value));
  return params.size === 0 ? "" : `?${params}`;
}
