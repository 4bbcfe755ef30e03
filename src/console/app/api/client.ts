import createClient from "openapi-fetch";
import { root } from "../first-data.ts";
import { connectionFailed, isConnected } from "./connection.ts";
import { ApiError, errorOf, noConnection } from "./errors.ts";
import { signedInAgain } from "./session.ts";
import type { paths } from "./types.ts";

const SAFE_METHODS = ["GET", "HEAD"];

/**
 * The server's routes by their addresses in the OpenAPI document; REST routes stand under `/app/library`. Every call throws
 * {@link ApiError} for a refusal. When the session has ended, a call waits until somebody has signed in, and is repeated.
 */
export const api = createClient<paths>({
  baseUrl: root,
  fetch: send,
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
 * Sends a request of the console. Use {@link api} where it can be used.
 *
 * @throws ApiError `no_connection`. Changes are refused at once while there is no connection.
 */
export async function send(request: Request): Promise<Response> {
  const isSafe = SAFE_METHODS.includes(request.method);
  if (!isConnected.value && !isSafe) throw noConnection();
  if (!isSafe) changing++;
  const response = await fetch(request.clone())
    .catch((thrown: unknown) => {
      if (request.signal.aborted) throw thrown;
      connectionFailed();
      throw noConnection();
    })
    .finally(() => {
      if (!isSafe) changing--;
    });
  if (response.status !== 401) return response;
  await signedInAgain();
  return send(request);
}

let changing = 0;

/** True while a change is on its way to the server. */
export const isChanging = (): boolean => changing > 0;
