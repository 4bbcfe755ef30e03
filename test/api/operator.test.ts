import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createApp } from "../../src/app.ts";
import { readSettings } from "../../src/config.ts";
import { encodeWav } from "../../src/demo/wav.ts";
import { closeLibrary, openLibrary } from "../../src/library.ts";
import { importFile } from "../../src/modules/library/tracks/service.ts";
import { beginSession, createAccount } from "../../src/modules/people/accounts/service.ts";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";
import { PROGRAM } from "../support/program-command.ts";
import { addTrackRows } from "../support/track-rows.ts";

const PASSWORD = "correct horse battery";

let app: TestApp;
let operator: ReturnType<TestApp["signedIn"]>;
let other: { accountId: string; email: string; token: string };
beforeAll(async () => {
  app = await createTestApp();
  operator = app.signedIn(app.createAccount("op@example.com").token);
  app.clock.advance(1000);
  other = app.createAccount("other@example.com");
  addTrackRows(app.deps.db, other.accountId);
});
afterAll(() => app.close());

describe("the operator's routes", () => {
  test.each([
    ["GET", "/app/server"],
    ["GET", "/app/server/findings"],
    ["POST", "/app/server/verify"],
    ["POST", "/app/server/backup"],
    ["GET", "/app/accounts"],
    ["POST", "/app/accounts", { name: "Eve", email: "eve@example.com" }],
    ["POST", "/app/accounts/x/invitation"],
    ["PATCH", "/app/accounts/x", { active: false }],
    ["DELETE", "/app/accounts/x", { email: "eve@example.com" }],
  ] as [string, string, object?][])(
    "%s %s is refused to every other account",
    async (...[method, path, body]) => {
      const { status, body: answer } = await app.signedIn(other.token)(method, path, body);

      expect([status, answer.messageCode]).toEqual([403, "insufficient_scope"]);
    },
  );

  test("tell the state of the server", async () => {
    const { data } = (await operator("GET", "/app/server")).body;

    expect(data.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(data.counts).toEqual({ accounts: 2, tracks: 1, versions: 1 });
    expect(data.disk.freeBytes).toBeGreaterThan(0);
    expect(data.sizes.originalsBytes).toBeGreaterThan(0);
    expect(data.backup).toEqual({
      schedule: null,
      lastSuccessAt: null,
      lastBytes: null,
      lastFailureAt: null,
    });
    expect(data.verification.isRunning).toBe(false);
  });

  test("say what doctor says", async () => {
    const { findings } = (await operator("GET", "/app/server/findings")).body.data;

    const checks = findings.map(({ check }: Json) => check);
    expect(checks).toEqual(
      expect.arrayContaining(["runtime", "data folder", "database", "free disk", "ffmpeg"]),
    );
    expect(findings.find(({ check }: Json) => check === "data folder").ok).toBe(true);
  });
});

describe("/app/accounts", () => {
  const list = async () => (await operator("GET", "/app/accounts")).body.data;
  const invite = (email: string, name = "Nina") => operator("POST", "/app/accounts", { name, email });
  const signIn = async (email: string, password: string) => {
    const body = JSON.stringify({ email, password });
    const headers = { "content-type": "application/json" };
    return (await app.request("/auth/login", { method: "POST", headers, body })).status;
  };

  test("lists all, oldest first, and which one is the operator's", async () => {
    expect((await list()).slice(0, 2)).toMatchObject([
      { email: "op@example.com", isOperator: true, active: true, tracks: 0 },
      { email: "other@example.com", isOperator: false, tracks: 1 },
    ]);
  });

  test("invites by a link that sets a password, once", async () => {
    const { data } = (await invite("Nina@example.com ")).body;
    expect(data.email).toBe("nina@example.com");
    expect(data.url).toContain("/reset?token=");
    const again = (await operator("POST", `/app/accounts/${data.id}/invitation`)).body.data;
    expect(again.url).not.toBe(data.url);

    const { pathname, search } = new URL(again.url);
    const page = await app.request(pathname + search);
    expect(page.status).toBe(200);
    expect((await app.request(pathname + new URL(data.url).search)).status).not.toBe(200);
    expect((await invite("nina@example.com")).body.messageCode).toBe("duplicate_email");
    expect((await invite("no address")).status).toBe(400);
  });

  test("disables, enables, and sets credits", async () => {
    const { id } = (await invite("kim@example.com")).body.data;
    const change = (body: object) => operator("PATCH", `/app/accounts/${id}`, body);

    expect((await change({ credits: 12 })).body.data).toMatchObject({ credits: 12, active: true });
    expect((await change({ credits: null, active: false })).body.data).toMatchObject({
      credits: null,
      active: false,
    });
    expect(await signIn("kim@example.com", PASSWORD)).toBe(401);
    expect((await change({ active: true })).body.data.active).toBe(true);
  });

  test("deletes an account whose address is repeated, with what it has", async () => {
    const { id } = (await invite("gone@example.com")).body.data;
    addTrackRows(app.deps.db, id);

    const slip = await operator("DELETE", `/app/accounts/${id}`, { email: "other@example.com" });
    expect([slip.status, slip.body.data.errors[0].path]).toEqual([400, "email"]);
    const { data } = (await operator("DELETE", `/app/accounts/${id}`, { email: "Gone@example.com" })).body;

    expect(data).toMatchObject({ id, tracks: 1 });
    expect((await operator("POST", `/app/accounts/${id}/invitation`)).status).toBe(404);
  });

  test("never locks the operator out", async () => {
    const [{ id, email }] = await list();

    const disabled = await operator("PATCH", `/app/accounts/${id}`, { active: false });
    const deleted = await operator("DELETE", `/app/accounts/${id}`, { email });

    expect([disabled.body.messageCode, deleted.body.messageCode]).toEqual([
      "invalid_transition",
      "invalid_transition",
    ]);
  });
});

/** Names of the library's files, without the logs of the open database and the file by which processes wait for each other. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !/-(wal|shm)$|^removal\.lock$/.test(name))
    .sort();

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("a served library", () => {
  /** `selfCommand` starts the program's commands. */
  async function serve(selfCommand: readonly string[]) {
    const dataDir = mkdtempSync(join(tmpdir(), "dubplate-operator-"));
    const settings = { ...readSettings({ RATE_LIMIT: "0" }), dataDir };
    const deps = { ...openLibrary(settings, { write: () => undefined }), selfCommand: [...selfCommand] };
    const account = await createAccount(deps, { email: "a@example.com", name: "A", password: PASSWORD });
    const { token } = beginSession(deps, account, { ip: "test", userAgent: null });
    const served = createApp(deps);
    return {
      deps,
      account,
      dataDir,
      ask: async (method: string, path: string) =>
        served.front(
          new Request(`http://127.0.0.1:4747${path}`, {
            method,
            headers: { authorization: `Bearer ${token}` },
          }),
          "127.0.0.1",
        ),
      close: () => {
        served.live.close();
        closeLibrary(deps);
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  }

  test("is verified in the background, and backed up as it is read", async () => {
    const { ask, close } = await serve(PROGRAM);
    const verification = async () => (await jsonOf(await ask("GET", "/app/server"))).data.verification;

    expect((await jsonOf(await ask("POST", "/app/server/verify"))).data.isRunning).toBe(true);
    while ((await verification()).isRunning) await Bun.sleep(50);
    expect(await verification()).toMatchObject({ isSound: true, faultCount: 0 });

    const backup = await ask("POST", "/app/server/backup");
    expect(backup.headers.get("content-disposition")).toContain("dubplate-");
    const bytes = new Uint8Array(await backup.arrayBuffer());
    expect(new TextDecoder().decode(bytes)).toContain("dubplate.db");
    const { backup: told } = (await jsonOf(await ask("GET", "/app/server"))).data;
    expect(told.lastBytes).toBe(bytes.length);
    close();
  });

  test("gives a backup up whose download breaks off, and makes the next one", async () => {
    const pids = join(mkdtempSync(join(tmpdir(), "dubplate-pids-")), "pids");
    const noted = ["sh", "-c", `echo $$ >> '${pids}'; exec "$@"`, "sh", ...PROGRAM];
    const { deps, account, dataDir, ask, close } = await serve(noted);
    const file = join(dataDir, "Long take.wav");
    const noise = Float32Array.from({ length: 44_100 * 90 }, (_, at) => Math.sin(at * at * 1e-5) / 2);
    writeFileSync(file, encodeWav({ left: noise, right: noise }, []));
    await importFile(deps, account.id, file);
    rmSync(file);
    const before = filesIn(dataDir);

    const reader = (await ask("POST", "/app/server/backup")).body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    const [pid = 0] = readFileSync(pids, "utf8").trim().split("\n").map(Number);
    expect(isRunning(pid)).toBe(true);
    await reader?.cancel();
    while (isRunning(pid)) await Bun.sleep(20);

    expect(filesIn(dataDir)).toEqual(before);
    const whole = await (await ask("POST", "/app/server/backup")).bytes();
    expect(whole.length).toBeGreaterThan(10_000_000);
    expect((await jsonOf(await ask("GET", "/app/server"))).data.backup.lastBytes).toBe(whole.length);
    close();
    rmSync(dirname(pids), { recursive: true });
  });
});
