import { open } from "node:fs/promises";
import { SECOND_MS } from "../../kernel/time.ts";
import { isFullDisk } from "../../kernel/trouble.ts";
import type { Claimed, ClaimWish, WorkResult } from "../../modules/library/analysis/service.ts";
import { RefusedError, UnavailableError } from "../command.ts";

/** A job as the server gave it. */
export type Job = NonNullable<Claimed["job"]>;

/** The server whose jobs are done here. */
export type WorkServer = {
  claim: (wish: ClaimWish) => Promise<Job | null>;
  /** Downloads the job's audio to a new file, and compares its hash. */
  download: (job: Job, path: string, signal: AbortSignal) => Promise<void>;
  renew: (job: Job) => Promise<void>;
  send: (job: Job, result: WorkResult) => Promise<void>;
  /** Without an error the attempt does not count. */
  release: (job: Job, error?: string) => Promise<void>;
};

/** The job is another worker's by now, or done. */
export class JobLostError extends Error {
  override readonly name = "JobLostError";
}

const LONGEST_PAUSE_MS = 30 * SECOND_MS;
const FIRST_PAUSE_MS = 500;
const ANSWER_MS = 60 * SECOND_MS;
const MAX_ERROR_CHARACTERS = 1000;

/**
 * Returns a server. Every function throws JobLostError, RefusedError for what will not change by itself, or
 * UnavailableError while the server cannot be reached.
 */
export function workServer(url: string, key: string): WorkServer {
  const ask = (path: string, { token, body, ...init }: Asked) =>
    answerOf(`${url}/api/v1/platform/work/${path}`, {
      ...init,
      method: body ? "POST" : "GET",
      redirect: "error",
      headers: {
        "x-api-key": key,
        ...(token !== undefined && { "x-job-token": token }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const tell = async ({ id, token }: Job, what: string, body: object) => {
    await ask(`jobs/${id}/${what}`, { token, body, signal: AbortSignal.timeout(ANSWER_MS) });
  };
  return {
    claim: async (body) => {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const answer = (await (await ask("claim", { body, signal })).json()) as { data: Claimed };
      return answer.data.job;
    },
    download: async (job, path, signal) =>
      store(await ask(`jobs/${job.id}/audio`, { token: job.token, signal }), job, path),
    renew: (job) => tell(job, "renew", {}),
    send: (job, result) => tell(job, "result", result),
    release: (job, error) =>
      tell(job, "release", { ...(error !== undefined && { error: error.slice(0, MAX_ERROR_CHARACTERS) }) }),
  };
}

type Asked = { token?: string; body?: object; signal: AbortSignal };

async function answerOf(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init).catch((error: Error) => {
    throw new UnavailableError(`${new URL(url).origin} cannot be reached: ${reasonOf(error)}`);
  });
  if (response.ok) return response;
  const { message = `The server answered ${response.status}` } = (await response
    .json()
    .catch(() => ({}))) as { message?: string };
  if (response.status === 410) throw new JobLostError(message);
  if (response.status === 404)
    throw new RefusedError(`${new URL(url).origin} gives out no work: it needs the version of this program`);
  if ([401, 403, 409].includes(response.status)) throw new RefusedError(message);
  if (response.status === 429 || response.status >= 500) throw new UnavailableError(message);
  throw new Error(message);
}

/** Bun's own sentences end with advice for programmers. */
const reasonOf = (error: Error) =>
  "code" in error && typeof error.code === "string" ? error.code : error.message;

async function store(response: Response, { sizeBytes, sha256 }: Job, path: string): Promise<void> {
  const hash = new Bun.CryptoHasher("sha256");
  const file = await open(path, "wx", 0o600);
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > sizeBytes) break;
      hash.update(chunk);
      await file.appendFile(chunk);
    }
  } catch (error) {
    if (isFullDisk(error)) throw error;
    throw new UnavailableError(`The download ended early: ${(error as Error).message}`);
  } finally {
    await file.close();
  }
  if (size !== sizeBytes || hash.digest("hex") !== sha256)
    throw new Error("The file that the server sent is not the one that it announced");
}

/** Waits before another attempt: longer each time, by chance, and no longer than half a minute. `stop` ends it. */
export async function pause(attempt: number, stop: AbortSignal): Promise<void> {
  const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10));
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, most * (0.5 + Math.random() / 2));
  stop.addEventListener("abort", () => resolve(), { once: true });
  if (stop.aborted) resolve();
  await promise;
  clearTimeout(timer);
}
