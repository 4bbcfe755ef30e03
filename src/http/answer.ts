import { isTagListed } from "./files/range.ts";
import { stateOf } from "./request-state.ts";

/** The part of Elysia's context that the answer is made from. */
type AnswerContext = {
  request: Request;
  responseValue: unknown;
  set: { headers: Record<string, string | number | readonly string[] | undefined> };
};

/**
 * Turns a handler's payload into the JSON answer. GETs carry a weak ETag and may become a 304 (decision 0.12),
 * unless the handler set `Cache-Control: no-store`. A `Response` passes unchanged.
 */
export function jsonAnswer({ request, responseValue, set }: AnswerContext): Response | undefined {
  if (responseValue instanceof Response || responseValue === undefined) return undefined;
  const { takeValue } = stateOf(request);
  if (takeValue) {
    takeValue(responseValue);
    return new Response(null);
  }
  const text = JSON.stringify(responseValue);
  stateOf(request).settle?.(200, text);

  const headers: Record<string, string> = { "content-type": "application/json" };
  for (const name in set.headers) headers[name] = String(set.headers[name]);
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead || headers["cache-control"] === "no-store") return new Response(text, { headers });

  const etag = `W/"${Bun.hash(text).toString(36)}"`;
  headers.etag = etag;
  headers["cache-control"] = "private, no-cache";
  const known = request.headers.get("if-none-match");
  if (known !== null && isTagListed(known, etag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers });
}
