import createClient from "openapi-fetch";
import { root } from "../first-data.ts";
import { connectionFailed, isConnected } from "./connection.ts";
import { ApiError, errorOf, noConnection } from "./errors.ts";
import { bytesOnTheWay, inTurn } from "./in-turn.ts";
import { leftFor, ofLibrary, readRole, refusedBy } from "./library.ts";
import type { Api } from "./routes.ts";
import { signedInAgain } from "./session.ts";

const SAFE_METHODS = ["GET", "HEAD"];
/** Browsers finish requests of a page that was left up to 64 KB together, and limit their number. */
const LASTING_BYTES = 60_000;
const LASTING_OVERHEAD_BYTES = 500;

/** What requests carry; those that are not here carry nothing. */
const bodies = new WeakMap<Request, BodyInit>();
let lasting = 0;

const client = createClient<Record<never, never>>({
  baseUrl: root,
  fetch: send,
  Request: class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(input, init);
      if (init?.body) bodies.set(this, init.body);
    }
  },
  querySerializer: { array: { style: "form", explode: false } },
});

client.use({
  onResponse: async ({ response }) => {
    if (!response.ok && response.status !== 304) throw await errorOf(response);
  },
});

/**
 * The server's routes by their addresses in the OpenAPI document; REST routes stand under `/app/library`. Every call throws
 * {@link ApiError} for a refusal. When the session has ended, a call waits until the owner has signed in, and is repeated.
 */
export const api = client as unknown as Api;

/** Returns what an answer carries: the `data` of its envelope. */
export async function dataOf<Data>(call: Promise<{ data?: { data: Data } }>): Promise<Data> {
  const { data } = await call;
  if (data === undefined) throw new ApiError(0, "unreadable", "The server did not answer");
  return data.data;
}

/**
 * Sends a request of the console. Use {@link api} where it can be used; a request made by hand carries nothing. Changes
 * of one thing arrive in the order in which they were made, even when the page is left at once.
 *
 * @throws ApiError `no_connection`. Changes are refused at once while there is no connection.
 */
export async function send(request: Request): Promise<Response> {
  for (const [name, value] of Object.entries(ofLibrary())) request.headers.set(name, value);
  const isSafe = SAFE_METHODS.includes(request.method);
  if (!isConnected.value && !isSafe) throw noConnection();
  const response = await (isSafe ? fetch(request.clone()) : sendChange(request)).catch((thrown: unknown) => {
    if (request.signal.aborted) throw thrown;
    connectionFailed();
    throw noConnection();
  });
  if (response.status === 403) void refusedBy(response.clone());
  if (response.status !== 401) return response;
  await readRole();
  if (leftFor.peek()) throw await errorOf(response);
  await signedInAgain();
  return send(request);
}

function sendChange(request: Request): Promise<Response> {
  const given = bodies.get(request);
  // A file to search by: it changes nothing, and the page may be left before it has arrived.
  if (given instanceof FormData) return fetch(request.clone());
  const body = typeof given === "string" ? given : undefined;
  const isText = given === undefined || body !== undefined;
  const bytes = LASTING_OVERHEAD_BYTES + (isText ? new Blob([body ?? ""]).size : LASTING_BYTES);
  return inTurn({ request, body, bytes, send: () => fetchLasting(request, bytes) });
}

async function fetchLasting(request: Request, bytes: number): Promise<Response> {
  const keepalive = lasting + bytes <= LASTING_BYTES;
  if (keepalive) lasting += bytes;
  try {
    return await fetch(request.clone(), { keepalive });
  } finally {
    if (keepalive) lasting -= bytes;
  }
}

addEventListener("beforeunload", (event) => {
  if (bytesOnTheWay() > LASTING_BYTES) event.preventDefault();
});
