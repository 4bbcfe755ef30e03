import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCopy } from "../../db/client.ts";
import { accounts, type PersonId, people } from "../../db/schema.ts";
import { createApp } from "../../src/app.ts";
import { readSettings } from "../../src/config.ts";
import type { Deprecations } from "../../src/http/front/deprecation.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { newId } from "../../src/kernel/ids.ts";
import { secretsOf } from "../../src/kernel/secrets.ts";
import type { Settings } from "../../src/kernel/settings.ts";
import type { McpVariant } from "../../src/mcp/mount.ts";
import type { AnalysisPool } from "../../src/modules/library/analysis/analyze.ts";
import type { LiveTiming } from "../../src/modules/outward/live/service.ts";
import { beginSession, getAccountByEmail, isUnclaimed } from "../../src/modules/people/accounts/service.ts";
import { createKey } from "../../src/modules/people/keys/service.ts";
import { addOwner } from "../../src/modules/people/team/service.ts";
import { startWorkers, type Workers } from "../../src/workers.ts";
import { createRememberingPool } from "./analysed-once.ts";
import { testBucket } from "./bucket.ts";
import { checkAgainstDocument } from "./contract.ts";
import { openEmpty } from "./empty-library.ts";
import { CHILDREN } from "./program-command.ts";

// biome-ignore lint/suspicious/noExplicitAny: the expectations of tests check the shape
export type Json = any;

/** An answer, as a client receives it. */
export type Answer = { status: number; headers: Headers; body: Json };

/** Reads an answer's JSON. */
export async function jsonOf(response: Response): Promise<Json> {
  return await response.json();
}

export type TestApp = Awaited<ReturnType<typeof createTestApp>>;

const EPOCH = Date.UTC(2026, 0, 15, 12);
/** The hash of "correct horse battery": Argon2id with small parameters, to make a hundred accounts cheap. */
const PASSWORD_HASH = Bun.password.hashSync("correct horse battery", {
  algorithm: "argon2id",
  memoryCost: 8,
  timeCost: 1,
});

/**
 * Makes the whole service in memory: real SQLite, real files in a temporary folder, and a clock that tests control.
 */
export async function createTestApp(
  options: {
    settings?: Partial<Settings>;
    ffmpegPath?: string;
    /** Instead of threads that analyse each file again. */
    analysing?: AnalysisPool;
    setupCode?: string;
    deprecations?: Deprecations;
    mcp?: McpVariant;
    liveTiming?: LiveTiming;
    /** A database to begin with, of this version or an earlier one. */
    database?: Uint8Array;
  } = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), "dubplate-test-"));
  let at = EPOCH;
  const advance = (ms: number) => {
    at += ms;
  };
  const clock = { now: () => at, advance };
  const logged: { level: string; message: string; fields?: Record<string, unknown> }[] = [];
  const deps: Deps = {
    db: options.database ? openCopy(options.database) : openEmpty(),
    now: clock.now,
    log: (level, message, fields) => void logged.push({ level, message, ...(fields && { fields }) }),
    settings: { ...readSettings({ RATE_LIMIT: "0" }), dataDir, bucket: testBucket(), ...options.settings },
    secrets: secretsOf(Buffer.alloc(32, 7)),
    selfCommand: [...CHILDREN],
    ffmpegPath: options.ffmpegPath,
  };
  const app = createApp(deps, {
    setupCode: () => options.setupCode,
    ...(options.deprecations && { deprecations: options.deprecations }),
    ...(options.mcp && { mcp: options.mcp }),
    ...(options.liveTiming && { liveTiming: options.liveTiming }),
  });
  let workers: Workers | undefined;

  const request = async (path: string, init?: RequestInit & { peer?: string }): Promise<Response> => {
    const url = path.startsWith("http") ? path : `http://127.0.0.1:4747${path}`;
    const response = await app.front(new Request(url, init), init?.peer ?? "127.0.0.1");
    await checkAgainstDocument(app.routes, init?.method ?? "GET", url, response);
    return response;
  };

  return {
    deps,
    clock,
    logged,
    app,
    request,
    /** Makes an account without going through registration, and signs it in. */
    createAccount: (email = `${newId("usr")}@example.com`) => {
      const row = { id: newId("usr"), name: "Someone", createdAt: at };
      const id = row.id as PersonId;
      const person = { ...row, id, email, passwordHash: PASSWORD_HASH, operator: isUnclaimed(deps) };
      deps.db.insert(people).values(person).run();
      deps.db
        .insert(accounts)
        .values({ ...row, credits: deps.settings.searchCreditsDefault })
        .run();
      addOwner(deps.db, row.id, id, at);
      const account = getAccountByEmail(deps, email);
      return {
        accountId: account.id,
        email,
        token: beginSession(deps, account, { ip: "test", userAgent: null }).token,
      };
    },
    /** Makes a key, with every scope by default. Returns the raw key. */
    createKey: (accountId: string, scopes?: string[]) =>
      createKey(deps, accountId, { name: "test", ...(scopes && { scopes }) }, { isOperator: true }).key,
    /** Calls the API with a key: `as(key)("GET", "/tracks")`. The path is relative to `/api/v1`. */
    as:
      (key: string) =>
      (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
        call(request, method, `/api/v1${path}`, body, { "x-api-key": key, ...headers }),
    /** Calls `/auth`, `/integration` and `/app` with a session token; the path is absolute. */
    signedIn:
      (token: string) =>
      (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
        call(request, method, path, body, { authorization: `Bearer ${token}`, ...headers }),
    /** Runs every job that is due. */
    drainJobs: async () => {
      workers ??= startWorkers(deps, {
        loops: false,
        analysing: options.analysing ?? createRememberingPool(),
      });
      await workers.drain();
    },
    close: async () => {
      app.live.close();
      await workers?.stop();
      app.usage.flush();
      deps.db.$client.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function call(
  request: (path: string, init?: RequestInit) => Promise<Response>,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer> {
  const isJson = body !== undefined && !(body instanceof FormData);
  const response = await request(path, {
    method,
    headers: { ...(isJson && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJsonAnswer = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: isJsonAnswer && text !== "" ? JSON.parse(text) : text,
  };
}
