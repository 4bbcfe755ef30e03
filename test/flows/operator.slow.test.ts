import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEMO_PIECES } from "../../src/demo/pieces.ts";
import { jsonOf } from "../support/app.ts";
import { demoFile } from "../support/demo-file.ts";
import { createProgram } from "../support/process.ts";

const EMAIL = "me@example.com";
const PASSWORD = "correct horse battery";
const [PIECE] = DEMO_PIECES;
const MAIN = join(import.meta.dir, "../../src/main.ts");
const FIXTURES = join(import.meta.dir, "../fixtures");

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

  test("a created account is usable at once, and cannot be created twice", async () => {
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
    expect(again.stderr).toContain("An account with this e-mail address already exists");
    expect(login.status).toBe(200);
  });

  test.each([
    ["two@example.com", "another long one\n"],
    ["three@example.com", "another long one"], // without a line break, as from `printf` and many password managers
  ])("a password can be piped in (%s)", async (email, input) => {
    const created = await program.run(["account", "create", "--email", email, "--name", "Two"], { input });

    expect(created).toMatchObject({ code: 0, rows: [{ email, name: "Two" }] });
  });

  test("a created session opens the account", async () => {
    const { rows } = await program.run(["session", "create", "--email", EMAIL]);

    const session = await get("/auth/session", { authorization: `Bearer ${rows[0]?.token}` });

    expect((await jsonOf(session)).data.user.email).toBe(EMAIL);
  });

  test("a key works at once, and is refused right after it is revoked", async () => {
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

  test("imported files are analysed by the running server, and importing twice adds nothing", async () => {
    const folder = join(program.dataDir, "music");
    mkdirSync(join(folder, "sub"), { recursive: true });
    if (PIECE) writeFileSync(join(folder, "sub", "song.wav"), await demoFile(PIECE));
    writeFileSync(join(folder, "notes.txt"), "not audio");
    writeFileSync(join(folder, "empty.wav"), "");

    const first = await program.run(["import", folder, "--email", EMAIL]);
    const second = await program.run(["import", folder, "--email", EMAIL]);

    expect(first.rows).toEqual([{ path: join(folder, "sub", "song.wav"), trackId: expect.any(String) }]);
    expect(second.rows).toEqual(first.rows);
    expect(first.stderr).toContain("1 added, 0 already there, 2 left out, 0 failed");
    expect(second.stderr).toContain("0 added, 1 already there");
    const key = String(
      (await program.run(["key", "create", "--email", EMAIL, "--name", "read"])).rows[0]?.key,
    );
    const profile = await untilAnalysed(key, String(first.rows[0]?.trackId));
    expect(profile.durationSec).toBeGreaterThan(20);
  });

  test("import says what it skips and why, follows links, and fails for a missing path", async () => {
    const folder = join(program.dataDir, "linked");
    const elsewhere = join(program.dataDir, "elsewhere");
    for (const each of [folder, elsewhere]) mkdirSync(each);
    writeFileSync(join(elsewhere, "tone.wav"), await Bun.file(join(FIXTURES, "tone.wav")).bytes());
    writeFileSync(join(folder, ".hidden.wav"), "");
    writeFileSync(join(folder, "notes.txt"), "not audio");
    symlinkSync(elsewhere, join(folder, "album"));
    symlinkSync(folder, join(folder, "again"));
    symlinkSync(join(folder, "gone.wav"), join(folder, "nowhere.wav"));

    const { code, rows, stderr } = await program.run(["import", folder, "--email", EMAIL]);
    const missing = await program.run(["import", join(folder, "gone"), folder, "--email", EMAIL]);

    const taken = { path: join(folder, "album", "tone.wav"), trackId: expect.any(String) };
    expect([code, rows]).toEqual([0, [taken]]);
    expect(stderr.split("\n").slice(0, 4)).toEqual([
      `Left out: ${join(folder, ".hidden.wav")} (hidden)`,
      `Left out: ${join(folder, "again")} (a link to a folder that contains it)`,
      `Left out: ${join(folder, "notes.txt")} (not an audio file in a supported format)`,
      `Left out: ${join(folder, "nowhere.wav")} (a link that leads nowhere)`,
    ]);
    expect([missing.code, missing.rows]).toEqual([
      1,
      [{ path: join(folder, "gone"), error: "There is no such file or folder" }, taken],
    ]);
  });

  async function untilAnalysed(key: string, id: string) {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const body = JSON.stringify({ trackIds: [id], timeoutSec: 60 });
    const { data: waited } = await jsonOf(
      await fetch(`${server.address}/api/v1/tracks/wait`, { method: "POST", headers, body }),
    );
    expect(waited).toMatchObject({ done: true, tracks: [{ analysis: { status: "completed" } }] });
    const { data } = await jsonOf(await get(`/api/v1/tracks/single?id=${id}`, headers));
    return data.track.audio_profile;
  }

  test("a second server on the same library is refused in one sentence", async () => {
    const second = await program.run(["serve"], { extra: { PORT: "0" } });

    expect(second.code).toBe(1);
    expect(second.stderr).toContain("Another server already uses");
  });

  test("only its owner can read the data folder", () => {
    expect(statSync(join(program.dataDir, "master-secret")).mode & 0o777).toBe(0o600);
  });

  test("a stopped server finishes cleanly: exit 0, and the database in one file", async () => {
    server.child.kill("SIGTERM");

    expect(await server.child.exited).toBe(0);
    expect(existsSync(join(program.dataDir, "dubplate.db-wal"))).toBe(false);
  });
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
    [
      ["platform-key", "create", "--name", "x", "--scopes", "platform:read:accounts", "--days", "366"],
      2,
      "1 to 365 days",
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

  test("help prints the commands", async () => {
    expect(await program.run(["help"])).toMatchObject({ code: 0, rows: [] });
  });

  test("doctor says what is used and what is missing, and creates nothing", async () => {
    const fresh = createProgram({ FFMPEG_PATH: "/nowhere/ffmpeg" });

    const { code, rows } = await fresh.run(["doctor"]);

    expect(code).toBe(0);
    expect(rows.map(({ check }) => check)).toEqual([
      "runtime",
      "data folder",
      "database",
      "free disk",
      "ffmpeg",
    ]);
    expect(rows[4]).toMatchObject({ ok: false, mend: expect.stringContaining("doctor --fix") });
    expect(existsSync(join(fresh.dataDir, "dubplate.db"))).toBe(false);
    await fresh.close();
  });

  test("doctor names the tools in MCP_TOOLS that do not exist", async () => {
    const { code, rows } = await program.run(["doctor"], { extra: { MCP_TOOLS: "list_tracks,list_songs" } });
    const right = await program.run(["doctor"], { extra: { MCP_TOOLS: "list_tracks" } });

    expect(code).toBe(1);
    expect(rows.at(-1)).toMatchObject({ check: "tools", found: expect.stringMatching(/: list_songs$/) });
    expect(right.rows.map(({ check }) => check)).not.toContain("tools");
  });
});

describe("the first start of an empty library", () => {
  const program = createProgram();
  let server: Awaited<ReturnType<typeof program.serve>>;
  beforeAll(async () => {
    server = await program.serve();
  });
  afterAll(() => program.close());

  /** Pastes the printed lines into a shell, which finds "song.mp3" in `folder`. */
  const paste = async (folder: string) => {
    const [lines] = await server.says(/^\(\n[\s\S]*?^\)$/m);
    const shell = Bun.spawn(["sh", "-c", lines.replace("sleep 10", "sleep 1")], {
      cwd: folder,
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, code] = await Promise.all([new Response(shell.stdout).text(), shell.exited]);
    return { stdout, code };
  };

  test("leads to the set-up page first", async () => {
    const [, page = ""] = await server.says(/Open this page and make your account: (\S+)/);
    await server.says(/Set-up code for the first account: [2-9A-Z]{5}-[2-9A-Z]{5}\n/);

    expect(page).toBe(`${server.address}/setup`);
    expect(await (await fetch(page)).text()).toContain("Set up your library");
  });

  test("prints lines that lead to a first search result, and stop at the first failure", async () => {
    const folder = join(program.dataDir, "songs");
    mkdirSync(folder);
    if (PIECE) writeFileSync(join(folder, "song.mp3"), await demoFile(PIECE));

    const pasted = await paste(folder);
    const again = await paste(folder);

    expect(pasted.code).toBe(0);
    expect(pasted.stdout).toContain("Your API key, for later: key_");
    expect(pasted.stdout).toContain('"results":[');
    expect(again.code).toBe(1);
    expect(again.stdout).toMatch(/^Stopped: no account was made\. .+\n$/);
  });

  test("is followed by starts that print one readable line", async () => {
    server.child.kill("SIGTERM");
    await server.child.exited;

    const later = await program.serve();
    later.child.kill("SIGTERM");

    expect((await later.says(/^[\s\S]+$/))[0]).toStartWith(`Dubplate is ready at ${later.address}\n`);
    expect(await later.child.exited).toBe(0);
  });
});

test.each([
  ["starts it", '"$@" & echo $! > "$DATA_DIR/pid"; wait', {}],
  // Like `npx ... start`: the shell that runs the script outlives npx.
  [
    "starts its parent",
    `sh -c '"$@" & echo $! > "$DATA_DIR/pid"; wait' sh "$@" & wait`,
    { npm_config_global_prefix: "/usr" },
  ],
])("npx passes no signal on: the server ends when the npx that %s has ended", async (_, script, extra) => {
  // Like npx, this shell ends at SIGTERM and does not stop its child.
  const shell = ["sh", "-c", script, "sh", process.execPath, MAIN];
  const program = createProgram({ npm_lifecycle_event: "start", ...extra }, { command: shell });
  const server = await program.serve();
  const pid = Number(await Bun.file(join(program.dataDir, "pid")).text());

  try {
    server.child.kill("SIGTERM");
    await server.child.exited;

    let looks = 0;
    while (looks++ < 1000 && (await isListening(server.address))) await Bun.sleep(50);
    expect(await isListening(server.address)).toBe(false);
  } finally {
    if (await isListening(server.address)) process.kill(pid, "SIGKILL");
    await program.close();
  }
});

const isListening = (address: string): Promise<boolean> =>
  fetch(`${address}/health`, { keepalive: false }).then(
    () => true,
    () => false,
  );

test("a mistyped command creates no library", async () => {
  const program = createProgram();
  const dataDir = join(program.dataDir, "none");

  for (const args of [
    ["account", "creat"],
    ["key", "create"],
    ["import"],
    ["doctor"],
    ["--version"],
    ["--help"],
  ])
    await program.run(args, { extra: { DATA_DIR: dataDir } });

  expect(existsSync(dataDir)).toBe(false);
  await program.close();
});

test("a stopping server finishes its current upload, and accepts no new request", async () => {
  const program = createProgram();
  const server = await program.serve();
  await program.run(["account", "create", "--email", EMAIL, "--name", "Me", "--password", PASSWORD]);
  const { rows } = await program.run(["key", "create", "--email", EMAIL, "--name", "cli"]);
  const form = new FormData();
  if (PIECE) form.append("files", new File([await demoFile(PIECE)], PIECE.filename));
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
});

/** Waits until the first bytes of an upload are on the disk. */
async function untilTemporaryFile(dataDir: string): Promise<void> {
  const folder = join(dataDir, "tmp");
  while (!existsSync(folder) || readdirSync(folder).length === 0) await Bun.sleep(5);
}
