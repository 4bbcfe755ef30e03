import { setTimeout } from "node:timers/promises";
import { S3Client } from "bun";
import { DomainError } from "../../kernel/errors.ts";
import type { ByteRange } from "../../kernel/file-source.ts";
import type { BucketSettings } from "../../kernel/settings.ts";
import { HOUR_MS, SECOND_MS } from "../../kernel/time.ts";
import { guardedBody } from "./guarded-body.ts";

/** For an answer without a long body. */
const ANSWER_MS = 15 * SECOND_MS;
/** How slowly an upload may go before it counts as broken. */
const SLOWEST_BYTES_PER_SEC = 256 * 1024;
const TRIES = 2;
const PAUSE_MS = 200;
const LINK_SEC = 15 * 60;
const SIGNED_SEC = HOUR_MS / SECOND_MS;

/** An object of a bucket. */
export type StoredObject = { key: string; sizeBytes: number };

/** What a bucket is asked for. Keys are relative to the prefix of the settings. All throw `storage_unavailable`. */
export type Bucket = {
  /** As an operator wrote it: `s3://name/prefix`. */
  address: string;
  /** Returns the size of an object, undefined when there is none. */
  sizeOf: (key: string) => Promise<number | undefined>;
  /** Opens an object or a part of it; undefined when there is none. The stream fails when the service falls silent. */
  open: (key: string, range?: ByteRange) => Promise<ReadableStream<Uint8Array> | undefined>;
  /**
   * Writes a whole file from the disk as one request of known length, which a service stores whole or not at all, and
   * checks its size afterwards. An answer that did not arrive counts as success when the object is there whole.
   */
  putFile: (key: string, file: { path: string; sizeBytes: number }) => Promise<void>;
  putText: (key: string, text: string) => Promise<void>;
  /** Deletes an object; it need not be there. */
  delete: (key: string) => Promise<void>;
  /** Yields the objects whose keys begin with `start`. */
  list: (start: string) => AsyncGenerator<StoredObject>;
  /** Returns an address that serves an object to anyone for a quarter of an hour. */
  link: (key: string, as: { mediaType: string; disposition: string }) => string;
};

/** The refusal while the service does not answer or refuses. `cause` says what happened, for the operator. */
export function unavailable(cause: unknown): DomainError {
  const message = "The server's audio storage does not answer: try again in a moment";
  return new DomainError("storage_unavailable", message, { headers: { "retry-after": "30" }, cause });
}

/** Why a service did not do what it was asked for. `status` is undefined when no answer came. */
export class BucketFault extends Error {
  override readonly name = "BucketFault";
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

type Method = "GET" | "HEAD" | "PUT" | "DELETE";
type Request = { key: string; method: Method; headers?: Record<string, string>; body?: Bun.BunFile | string };
type Send = (request: Request, signal: AbortSignal) => Promise<Response>;

/** Returns a bucket's client. Addresses are signed by the runtime's client; nothing is asked yet. */
export function createBucket(settings: BucketSettings): Bucket {
  const { name, prefix, endpoint, region, accessKeyId, secretAccessKey, sessionToken } = settings;
  const s3 = new S3Client({
    bucket: name,
    accessKeyId,
    secretAccessKey,
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(sessionToken !== undefined && { sessionToken }),
  });
  const send: Send = ({ key, method, headers, body }, signal) =>
    fetch(s3.presign(prefix + key, { method, expiresIn: SIGNED_SEC }), {
      method,
      signal,
      redirect: "error",
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
    });
  const sizeOf = (key: string) => readSize(send, key);
  return {
    address: `s3://${name}/${prefix}`.replace(/\/$/, ""),
    sizeOf,
    open: (key, range) => openObject(send, key, range),
    putFile: async (key, { path, sizeBytes }) => {
      const ms = ANSWER_MS * 4 + (sizeBytes / SLOWEST_BYTES_PER_SEC) * SECOND_MS;
      await putWhole(send, { key, method: "PUT", body: Bun.file(path) }, ms, async () => {
        return (await sizeOf(key)) === sizeBytes;
      });
    },
    putText: async (key, text) =>
      putWhole(send, { key, method: "PUT", body: text }, ANSWER_MS, async () => {
        return (await sizeOf(key)) === Buffer.byteLength(text);
      }),
    delete: async (key) => {
      await ask(send, { key, method: "DELETE" }, [404]);
    },
    list: (start) => listAll(s3, prefix, start),
    link: (key, { mediaType, disposition }) =>
      s3.presign(prefix + key, { expiresIn: LINK_SEC, type: mediaType, contentDisposition: disposition }),
  };
}

async function readSize(send: Send, key: string): Promise<number | undefined> {
  const { status, headers } = await ask(send, { key, method: "HEAD" }, [404]);
  return status === 404 ? undefined : Number(headers.get("content-length") ?? Number.NaN);
}

/** The time limit is for the first byte; the body has its own. */
async function openObject(
  send: Send,
  key: string,
  range: ByteRange | undefined,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const headers = range && { range: `bytes=${range.start}-${range.end - 1}` };
  const request: Request = { key, method: "GET", ...(headers && { headers }) };
  const { response, abort } = await tried(send, request, [404], ANSWER_MS);
  if (response.status === 404) {
    const fault = await faultOf(request, response);
    if (fault.message.includes("NoSuchBucket")) throw unavailable(fault);
    return undefined;
  }
  const isRight = response.status === (range ? 206 : 200) && response.body !== null;
  if (isRight) return guardedBody(response.body as ReadableStream<Uint8Array>, abort);
  abort();
  throw unavailable(new BucketFault(`GET ${key}: not the part that was asked for`, response.status));
}

/** Uploads, and then trusts only what the service says is there. */
async function putWhole(
  send: Send,
  request: Request,
  ms: number,
  isThere: () => Promise<boolean>,
): Promise<void> {
  try {
    const { response } = await tried(send, request, [], ms);
    await response.arrayBuffer();
  } catch (error) {
    if (await isThere().catch(() => false)) return;
    throw error;
  }
  if (!(await isThere()))
    throw unavailable(new BucketFault(`PUT ${request.key}: stored with another size`, undefined));
}

/** Sends a request whose answer has a short body or none, and reads it to its end. */
async function ask(send: Send, request: Request, expected: readonly number[]): Promise<Response> {
  const { response } = await tried(send, request, expected, ANSWER_MS);
  await response.arrayBuffer().catch(() => undefined);
  return response;
}

type Answer = { response: Response; abort: () => void };

/**
 * Sends a request, once more after a pause if the service does not answer or fails.
 *
 * @param expected Statuses that are answers, besides 200 to 299.
 */
async function tried(send: Send, request: Request, expected: readonly number[], ms: number): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await sendOnce(send, request, expected, ms);
    if (!(answer instanceof BucketFault)) return answer;
    const mayPass = answer.status === undefined || answer.status >= 500;
    if (tries === TRIES || !mayPass) throw unavailable(answer);
    await setTimeout(PAUSE_MS);
  }
}

async function sendOnce(
  send: Send,
  request: Request,
  expected: readonly number[],
  ms: number,
): Promise<Answer | BucketFault> {
  const stop = new AbortController();
  const timer = globalThis.setTimeout(() => stop.abort(new Error("no answer in time")), ms);
  try {
    const response = await send(request, stop.signal);
    if (response.ok || expected.includes(response.status)) return { response, abort: () => stop.abort() };
    return await faultOf(request, response);
  } catch (error) {
    return new BucketFault(`${request.method} ${request.key}: ${(error as Error).message}`, undefined, error);
  } finally {
    clearTimeout(timer);
  }
}

async function faultOf({ method, key }: Request, response: Response): Promise<BucketFault> {
  const text = method === "HEAD" ? "" : await response.text().catch(() => "");
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? "";
  return new BucketFault(`${method} ${key}: ${response.status} ${code}`.trim(), response.status);
}

/** The runtime's client signs the query of a list, which {@link S3Client.presign} cannot. */
async function* listAll(s3: S3Client, prefix: string, start: string): AsyncGenerator<StoredObject> {
  let startAfter: string | undefined;
  do {
    const page = await listPage(s3, {
      prefix: prefix + start,
      ...(startAfter !== undefined && { startAfter }),
    });
    const contents = page.contents ?? [];
    for (const { key, size } of contents)
      yield { key: key.slice(prefix.length), sizeBytes: Number(size ?? Number.NaN) };
    startAfter = page.isTruncated ? contents.at(-1)?.key : undefined;
  } while (startAfter !== undefined);
}

async function listPage(s3: S3Client, query: { prefix: string; startAfter?: string }) {
  try {
    return await s3.list(query);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw unavailable(new BucketFault(`LIST ${query.prefix}: ${code ?? message}`, undefined, error));
  }
}
