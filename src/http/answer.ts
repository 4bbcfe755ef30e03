import { ok } from "./envelope.ts";
import { isTagListed } from "./files/range.ts";
import { type Operation, WithHeaders } from "./operation.ts";
import type { RequestState } from "./request-state.ts";

type PageLike = { items?: unknown };
type Prepared = (request: Request, state: RequestState, result: unknown) => Response;

/**
 * Prepares the JSON answer of an operation. GETs carry a weak ETag and may become a 304 (decision 0.12), unless the
 * operation is secret. A `Response` passes unchanged.
 */
export function preparedAnswer({ isBare, siblings, isSecret }: Operation, method: string): Prepared {
  const write = isBare ? JSON.stringify : siblings ? writePage : writeData;
  const envelope = isBare ? (data: unknown) => data : siblings ? envelopeOfPage : ok;
  const respond = isSecret ? respondWith(SECRET) : method === "GET" ? respondWithTag : respondWith(PLAIN);
  return (request, state, result) => {
    if (result instanceof Response) return result;
    const data = (result instanceof WithHeaders ? result.data : result) as PageLike;
    if (state.takeValue) {
      state.takeValue(envelope(data));
      return new Response(null);
    }
    const text = write(data);
    state.settle?.(200, text);
    return respond(text, request, result instanceof WithHeaders ? result.headers : undefined);
  };
}

type HeaderFields = Readonly<Record<string, string>>;

const respondWith = (usual: HeaderFields) => (text: string, _: Request, further: HeaderFields | undefined) =>
  new Response(text, { headers: further ? { ...usual, ...further } : usual });

function respondWithTag(text: string, request: Request, further: HeaderFields | undefined): Response {
  const etag = `W/"${Bun.hash(text).toString(36)}"`;
  const headers = {
    "content-type": "application/json",
    etag,
    "cache-control": "private, no-cache",
    ...further,
  };
  const known = request.headers.get("if-none-match");
  if (known !== null && isTagListed(known, etag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers });
}

const PLAIN = { "content-type": "application/json" };
const SECRET = { ...PLAIN, "cache-control": "no-store" };
/** The text of an envelope (see `ok`) up to its data. */
const OPENING = '{"status":200,"messageCode":200,"message":"OK",';

const writeData = (data: unknown) => `${OPENING}"data":${JSON.stringify(data)}}`;
const writePage = ({ items, ...siblings }: PageLike) =>
  `${OPENING}"data":${JSON.stringify(items)},${JSON.stringify(siblings).slice(1)}`;
const envelopeOfPage = ({ items, ...siblings }: PageLike) => ok(items, siblings);
