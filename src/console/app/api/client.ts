import createClient from "openapi-fetch";
import { root } from "../first-data.ts";
import { connectionFailed, isConnected } from "./connection.ts";
import { ApiError, errorOf, noConnection } from "./errors.ts";
import { signedInAgain } from "./session.ts";
import type { paths } from "./types.ts";

const SAFE_METHODS = ["GET", "HEAD"];
/** Browsers finish requests of a page that was left up to 64 KB together, and limit their number. */
const LASTING_BYTES = 60_000;
const LASTING_OVERHEAD_BYTES = 500;
const BYTES_PER_LETTER = 3;

/** The most bytes that requests can have. */
const sizes = new WeakMap<Request, number>();
let lasting = 0;

/**
 * The server's routes by their addresses in the OpenAPI document; REST routes stand under `/app/library`. Every call throws
 * {@link ApiError} for a refusal. When the session has ended, a call waits until somebody has signed in, and is repeated.
 */
export const api = createClient<paths>({
  baseUrl: root,
  fetch: send,
  Request: class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(input, init);
      const { body } = init ?? {};
      const letters = typeof body === "string" ? body.length : body ? Number.POSITIVE_INFINITY : 0;
      sizes.set(this, LASTING_OVERHEAD_BYTES + BYTES_PER_LETTER * letters);
    }
  },
  querySerializer: { array: { style: "form", explode: false } },
});

api.use({
  onResponse: async ({ response }) => {
    if (!response.ok && response.status !== 304) throw await errorOf(response);
  },
});

/** Returns what an answer carries: the `data` of its envelope. */
export async function dataOf<Data>(call: Promise<{ data?: { data: Data } }>): Promise<Data> {
  const { data } = await call;
  if (data === undefined) throw new ApiError(0, "unreadable", "The server sent no answer");
  return data.data;
}

/**
 * Sends a request of the console. Use {@link api} where it can be used. A change arrives even when the page is left at once.
 *
 * @throws ApiError `no_connection`. Changes are refused at once while there is no connection.
 */
export async function send(request: Request): Promise<Response> {
  const isSafe = SAFE_METHODS.includes(request.method);
  if (!isConnected.value && !isSafe) throw noConnection();
  const response = await (isSafe ? fetch(request.clone()) : sendChange(request)).catch((thrown: unknown) => {
    if (request.signal.aborted) throw thrown;
    connectionFailed();
    throw noConnection();
  });
  if (response.status !== 401) return response;
  await signedInAgain();
  return send(request);
}

async function sendChange(request: Request): Promise<Response> {
  const size = sizes.get(request) ?? Number.POSITIVE_INFINITY;
  const keepalive = lasting + size <= LASTING_BYTES;
  changing++;
  if (keepalive) lasting += size;
  try {
    return await fetch(request.clone(), { keepalive });
  } finally {
    changing--;
    if (keepalive) lasting -= size;
  }
}

let changing = 0;

/** True while a change is on its way to the server. */
export const isChanging = (): boolean => changing > 0;
