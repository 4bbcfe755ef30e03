import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEMO_PIECES } from "../../src/demo/pieces.ts";
import { renderPiece } from "../../src/demo/render.ts";
import { jsonOf } from "../support/app.ts";
import { createProgram } from "../support/process.ts";

const EMAIL = "me@example.com";
const PASSWORD = "correct horse battery";
const [PIECE] = DEMO_PIECES;

describe("the command line beside a running server", () => {
  const program = createProgram({ SEARCH_CREDITS_DEFAULT: "3" });
  let server: Awaited<ReturnType<typeof program.serve>>;
  beforeAll(async () => {
    server = await program.serve();
    await program.run(["account", "create", "--email", EMAIL, "--name", "Me", "--password", PASSWORD]);
  });
  afterAll(() => program.close());

  const get = (path: string, headers: Record<string, string>) =>
    fetch(`${server.address}${path}`, { headers });

  test("the account it makes is there at once, once", async () => {
    const listed = await program.run(["account", "list"]);
    const again = await program.run(["account", "create", "--email", "ME@example.com", "--name", "Me"], {
      input: `${PASSWORD}\n`,
    });
    const login = await fetch(`${server.address}/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
    });

    expect(listed.rows).toMatchObject([{ email: EMAIL, name: "Me", active: true, credits: 3 }]);
    expect([again.code, again.rows]).toEqual([1, []]);
    expect(again.stderr).toContain("There is an account with this e-mail address");
    expect(login.status).toBe(200);
  });

  test.each([
    ["two@example.com", "another long one\n"],
    ["three@example.com", "another long one"], // as `printf` and many password managers end it
  ])("a password can be piped in (%s)", async (email, input) => {
    const created = await program.run(["account", "create", "--email", email, "--name", "Two"], { input });

    expect(created).toMatchObject({ code: 0, rows: [{ email, name: "Two" }] });
  });

  test("a session it makes opens the account", async () => {
    const { rows } = await program.run(["session", "create", "--email", EMAIL]);

    const session = await get("/auth/session", { authorization: `Bearer ${rows[0]?.token}` });

    expect((await jsonOf(session)).data.user.email).toBe(EMAIL);
  });

  test("a key works at once, and is refused on the request after it was revoked", async () => {
    const { rows } = await program.run([
      "key",
      "create",
      "--email",
      EMAIL,
      "--name",
      "cli",
      "--scopes",
      "read:tracks,all",
      "--days",
      "3",
    ]);
    const key = String(rows[0]?.key);
    const platform = await program.run([
      "platform-key",
      "create",
      "--name",
      "P",
      "--scopes",
      "platform:read:accounts",
      "--days",
      "5",
    ]);

    const used = await get("/api/v1/tracks/count", { "x-api-key": key });
    const listed = await program.run(["platform-key", "list"]);
    const before = await jsonOf(
      await get("/api/v1/tracks/count", { "x-api-key": String(platform.rows[0]?.key) }),
    );
    const revoked = await program.run(["platform-key", "revoke", String(platform.rows[0]?.id)]);
    const after = await jsonOf(
      await get("/api/v1/tracks/count", { "x-api-key": String(platform.rows[0]?.key) }),
    );

    expect(used.status).toBe(200);
    expect(listed.rows).toMatchObject([{ name: "P", scopes: ["platform:read:accounts"], revokedAt: null }]);
    expect(revoked.rows).toEqual([{ ok: true }]);
    expect([before.messageCode, after.messageCode]).toEqual(["insufficient_scope", "invalid_key"]);
  });

  test("credits are set and added", async () => {
    const added = await program.run(["credits", "add", "--email", EMAIL, "--amount", "4"]);
    const set = await program.run(["credits", "set", "--email", EMAIL, "--amount", "unlimited"]);
    const below = await program.run(["credits", "set", "--email", EMAIL, "--amount", "-1"]);

    expect(added.rows).toEqual([{ email: EMAIL, credits: 7 }]);
    expect(set.rows).toEqual([{ email: EMAIL, credits: "unlimited" }]);
    expect(below.code).not.toBe(0);
  });

  test("what it imports is analysed by the running server, and importing twice adds nothing", async () => {
    const folder = join(program.dataDir, "music");
    mkdirSync(join(folder, "sub"), { recursive: true });
    if (PIECE) writeFileSync(join(folder, "sub", "song.wav"), renderPiece(PIECE));
    writeFileSync(join(folder, "notes.txt"), "not audio");
    writeFileSync(join(folder, "empty.wav"), "");

    const first = await program.run(["import", folder, "--email", EMAIL]);
    const second = await program.run(["import", folder, "--email", EMAIL]);

    expect(first.rows).toEqual([{ path: join(folder, "sub", "song.wav"), trackId: expect.any(String) }]);
    expect(second.rows).toEqual(first.rows);
    expect(first.stderr).toContain("1 added, 0 already there, 2 not audio, 0 failed");
    expect(second.stderr).toContain("0 added, 1 already there");
    const key = String(
      (await program.run(["key", "create", "--email", EMAIL, "--name", "read"])).rows[0]?.key,
    );
    const profile = await untilAnalysed(key, String(first.rows[0]?.trackId));
    expect(profile.durationSec).toBeGreaterThan(20);
  }, 60_000);

  async function untilAnalysed(key: string, id: string) {
    for (let look = 0; look < 500; look++) {
      const { data } = await jsonOf(await get(`/api/v1/tracks/single?id=${id}`, { "x-api-key": key }));
      if (data.track.analysis.status === "completed") return data.track.audio_profile;
      if (data.track.analysis.status === "failed") throw new Error(data.track.analysis.reason);
      await Bun.sleep(50);
    }
    throw new Error("The track was not analysed in time");
  }

  test("a second server on the same library is refused in one sentence", async () => {
    const second = await program.run(["serve"], { extra: { PORT: "0" } });

    expect(second.code).toBe(1);
    expect(second.stderr).toContain("Another server already uses");
  });

  test("the data folder is for its owner's eyes", () => {
    expect(statSync(join(program.dataDir, "master-secret")).mode & 0o777).toBe(0o600);
  });

  test("a stopped server finishes cleanly: exit 0, and the database in one file", async () => {
    server.child.kill("SIGTERM");

    expect(await server.child.exited).toBe(0);
    expect(existsSync(join(program.dataDir, "dubplate.db-wal"))).toBe(false);
  }, 20_000);
});

describe("the command line alone", () => {
  const program = createProgram();
  afterAll(() => program.close());

  test.each([
    [["nonsense"], 2, "dubplate <command>"],
    [["account"], 2, "dubplate account create"],
    [["account", "create", "--name", "x"], 2, "usage: dubplate account create"],
    [
      ["key", "create", "--email", "x@example.com", "--name", "x", "--color", "red"],
      2,
      "usage: dubplate key create",
    ],
    [
      ["key", "create", "--email", "nobody@example.com", "--name", "x"],
      1,
      "There is no account with the e-mail address nobody@example.com",
    ],
    [["credits", "set", "--email", "a@b", "--amount", "some"], 2, "usage: dubplate credits set"],
    [
      ["platform-key", "create", "--name", "x", "--scopes", "read:tracks", "--days", "3"],
      1,
      "A scope is unknown",
    ],
    [["platform-key", "revoke", "key_nothing"], 1, "There is no such key"],
    [["import", "/nowhere"], 2, "usage: dubplate import"],
    [["doctor", "--everything"], 2, "usage: dubplate doctor"],
  ])("%p ends with %p and says why", async (args, code, words) => {
    const result = await program.run(args);

    expect(result.code).toBe(code);
    expect(result.stderr).toContain(words);
    expect(result.rows).toEqual([]);
  });

  test("a setting out of range stops the start with one sentence", async () => {
    const result = await program.run(["serve"], { extra: { PORT: "99999" } });

    expect(result).toMatchObject({
      code: 1,
      rows: [],
      stderr: "PORT must be a whole number from 0 to 65535\n",
    });
  });

  test("help is help", async () => {
    expect(await program.run(["help"])).toMatchObject({ code: 0, rows: [] });
  });

  test("doctor says what is used and what is missing, and makes nothing but the folder", async () => {
    const fresh = createProgram({ FFMPEG_PATH: "/nowhere/ffmpeg" });

    const { code, rows } = await fresh.run(["doctor"]);

    expect(code).toBe(0);
    expect(rows.map(({ check }) => check)).toEqual([
      "runtime",
      "data folder",
      "database",
      "free disk",
      "ffmpeg",
      "learned model",
    ]);
    expect(rows[4]).toMatchObject({ ok: false, mend: expect.stringContaining("doctor --fix") });
    expect(existsSync(join(fresh.dataDir, "dubplate.db"))).toBe(false);
    await fresh.close();
  });
});

test("the first start of an empty library prints lines that lead to a search result", async () => {
  const program = createProgram();
  const server = await program.serve();
  server.child.kill("SIGTERM");

  const printed = await server.stderr();

  expect(printed).toContain(server.address);
  expect(printed).toMatch(/Set-up code for the first account: [2-9A-Z]{5}-[2-9A-Z]{5}/);
  expect(printed).toContain("/api/v1/tracks/search");
  await program.close();
}, 20_000);

test("a server asked to stop finishes the upload in hand, and takes no new request", async () => {
  const program = createProgram();
  const server = await program.serve();
  await program.run(["account", "create", "--email", EMAIL, "--name", "Me", "--password", PASSWORD]);
  const { rows } = await program.run(["key", "create", "--email", EMAIL, "--name", "cli"]);
  const form = new FormData();
  if (PIECE) form.append("files", new File([renderPiece(PIECE)], PIECE.filename));
  const encoded = new Request("http://127.0.0.1", { method: "POST", body: form });
  const contentType = encoded.headers.get("content-type") ?? "";
  const bytes = await encoded.bytes();
  let rest: () => void = () => undefined;
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.subarray(0, bytes.length / 2));
      rest = () => {
        controller.enqueue(bytes.subarray(bytes.length / 2));
        controller.close();
      };
    },
  });

  const upload = fetch(`${server.address}/api/v1/tracks/upload`, {
    method: "POST",
    headers: { "x-api-key": String(rows[0]?.key), "content-type": contentType },
    body,
  });
  await untilTemporaryFile(program.dataDir);
  server.child.kill("SIGTERM");
  while (await fetch(`${server.address}/health`, { keepalive: false }).catch(() => undefined))
    await Bun.sleep(5);
  rest();

  expect((await upload).status).toBe(200);
  expect(await server.child.exited).toBe(0);
  await program.close();
}, 30_000);

/** Waits until the first bytes of an upload are on the disk. */
async function untilTemporaryFile(dataDir: string): Promise<void> {
  const folder = join(dataDir, "tmp");
  while (!existsSync(folder) || readdirSync(folder).length === 0) await Bun.sleep(5);
}
