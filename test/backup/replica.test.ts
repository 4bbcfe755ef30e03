import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Json, jsonOf } from "../support/app.ts";
import { createProgram, freePort } from "../support/process.ts";
import { createLibrary, EMAIL, hashOf, songBytes } from "./support.ts";

const LITESTREAM = Bun.which(Bun.env.LITESTREAM_PATH ?? "litestream");
const DAY_MS = 86_400_000;

describe.skipIf(LITESTREAM === null)("a library that Litestream replicates", () => {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-replicated-"));
  const replica = `file://${join(folder, "replica")}`;
  const temporary = join(folder, "tmp");
  const token = "a-token-for-the-metrics";
  const program = createProgram({
    RATE_LIMIT: "0",
    FFMPEG_PATH: "",
    LOG_LEVEL: "info",
    LITESTREAM_PATH: LITESTREAM ?? "",
    METRICS_TOKEN: token,
    TMPDIR: temporary,
  });
  let key: string;
  let session: string;
  let litestream: Bun.Subprocess;

  const startLitestream = () =>
    Bun.spawn([LITESTREAM ?? "", "replicate", join(program.dataDir, "dubplate.db"), replica], {
      stdio: ["ignore", "ignore", "ignore"],
    });
  const verify = (...args: string[]) => program.run(["verify", "--replica", replica, ...args]);
  const stateFile = Bun.file(join(program.dataDir, "backups.json"));

  beforeAll(async () => {
    mkdirSync(temporary);
    ({ key, token: session } = await createLibrary(program, { songs: 2 }));
    litestream = startLitestream();
    // The first state is in the replica a second or two later.
    while ((await verify()).code !== 0) await Bun.sleep(100);
  });
  afterAll(async () => {
    litestream.kill("SIGKILL");
    await litestream.exited;
    await program.close();
    for (const each of [folder, `${program.dataDir}.music`]) rmSync(each, { recursive: true, force: true });
  });

  test("has a replica that is the same, beside a server that writes", async () => {
    const { address, child } = await program.serve();
    const made = await program.run(["account", "create", "--email", "b@example.com", "--name", "B"], {
      input: "long enough 1\n",
    });

    const { code, rows, stderr } = await verify();
    const metrics = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const text = await metrics.text();
    child.kill("SIGTERM");
    await child.exited;

    expect(made.code).toBe(0);
    expect({ code, rows }).toMatchObject({
      code: 0,
      rows: [{ accounts: 2, tracks: 2, versions: 2, isCompared: true, ageSeconds: expect.any(Number) }],
    });
    expect(stderr).toMatch(/Restored .* MB, \d+ s old: the same as the library/);
    expect(text).toMatch(/^dubplate_replica_last_success_timestamp_seconds 1\d{9}/m);
    expect(text).toMatch(/^dubplate_replica_findings 0$/m);
    expect((await program.run(["doctor"])).rows).toContainEqual(
      expect.objectContaining({ check: "replica", ok: true }),
    );
  });

  test("leaves no temporary folder behind, nor that of a killed check", async () => {
    const { exited, pid } = Bun.spawn(["true"]);
    await exited;
    mkdirSync(join(temporary, `dubplate-replica-${pid}-x`));

    await verify();

    expect(readdirSync(temporary).filter((name) => name.startsWith("dubplate-replica-"))).toEqual([]);
  });

  test("can still be checked, backed up, restored and exported", async () => {
    const backup = join(folder, "library.tar");
    const restored = { extra: { DATA_DIR: join(folder, "restored") } };

    expect(await program.run(["verify"])).toMatchObject({ code: 0, rows: [] });
    expect((await program.run(["backup", backup])).code).toBe(0);
    expect((await program.run(["verify", backup])).code).toBe(0);
    expect((await program.run(["restore", backup], restored)).code).toBe(0);
    expect(await program.run(["verify"], restored)).toMatchObject({ code: 0, rows: [] });
    const exported = await program.run(["account", "export", "--email", EMAIL, join(folder, "exported")]);
    expect(exported.rows).toMatchObject([{ tracks: 2, files: 2 }]);
  });

  test("is back on another machine from replica, originals and master secret", async () => {
    const dataDir = join(folder, "elsewhere");
    mkdirSync(dataDir, { mode: 0o700 });
    const restore = [LITESTREAM ?? "", "restore", "-o", join(dataDir, "dubplate.db"), replica];
    expect(await Bun.spawn(restore, { stdio: ["ignore", "ignore", "ignore"] }).exited).toBe(0);
    for (const name of ["master-secret", "audio"])
      cpSync(join(program.dataDir, name), join(dataDir, name), { recursive: true });

    const { address } = await program.serve({ DATA_DIR: dataDir });
    const login = await fetch(`${address}/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: EMAIL, password: "long enough 1" }),
    });
    const tracks = await jsonOf(await fetch(`${address}/api/v1/tracks`, { headers: { "x-api-key": key } }));
    const versions = `${address}/api/v1/tracks/${tracks.data[0].id}/versions`;
    const [version] = (await jsonOf(await fetch(versions, { headers: { "x-api-key": key } }))).data.versions;
    const song = await fetch(version.downloadUrl);

    expect(login.status).toBe(200);
    expect([hashOf(songBytes(1)), hashOf(songBytes(2))]).toContain(hashOf(await song.bytes()));
    expect((await program.run(["verify"], { extra: { DATA_DIR: dataDir } })).code).toBe(0);
  });

  test("is checked by its server, which tells the operator when the replica is gone", async () => {
    const state = await stateFile.json();
    await Bun.write(stateFile, JSON.stringify({ ...state, replicaCheckedAt: Date.now() - 2 * DAY_MS }));
    const served = await program.serve({ DATABASE_REPLICA: replica });
    while ((await stateFile.json()).replicaCheckedAt < Date.now() - DAY_MS) await Bun.sleep(25);
    served.child.kill("SIGTERM");
    expect(await served.child.exited).toBe(0);
    expect(await stateFile.json()).toMatchObject({ replicaFaults: 0 });

    await Bun.write(stateFile, JSON.stringify({ ...state, replicaCheckedAt: Date.now() - 2 * DAY_MS }));
    const { address, child } = await program.serve({ DATABASE_REPLICA: `file://${join(folder, "none")}` });
    const notices = async () =>
      (
        await jsonOf(
          await fetch(`${address}/app/notifications`, { headers: { authorization: `Bearer ${session}` } }),
        )
      ).data.filter(({ kind }: Json) => kind === "library.replica_failed");
    while ((await notices()).length === 0) await Bun.sleep(25);
    expect(await notices()).toMatchObject([
      { title: expect.stringContaining("The replica cannot be restored") },
    ]);
    child.kill("SIGTERM");
    await child.exited;
    expect((await program.run(["doctor"])).rows).toContainEqual(
      expect.objectContaining({ check: "replica", ok: false, mend: expect.any(String) }),
    );
  });

  test("is served by Litestream with the sample configuration, to the last change", async () => {
    litestream.kill("SIGTERM");
    await litestream.exited;
    const config = join(folder, "litestream.yml");
    const sample = await Bun.file(join(import.meta.dir, "../../packaging/litestream.yml")).text();
    const paths = sample.replace("/var/lib/dubplate", program.dataDir).replace(/s3:.*/, replica);
    await Bun.write(config, paths);
    const main = join(import.meta.dir, "../../src/main.ts");
    const port = await freePort();
    const child = Bun.spawn(
      [LITESTREAM ?? "", "replicate", "-config", config, "-exec", `bun ${main} serve`],
      {
        env: { ...Bun.env, DATA_DIR: program.dataDir, PORT: String(port) },
        stdio: ["ignore", "ignore", "ignore"],
      },
    );
    const address = `http://127.0.0.1:${port}`;
    while (!(await fetch(`${address}/health`).catch(() => undefined))?.ok) await Bun.sleep(25);
    const body = JSON.stringify({ fullName: "Ana", email: "ana@example.com" });
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const made = await fetch(`${address}/api/v1/composers`, { method: "POST", headers, body });
    child.kill("SIGTERM");
    const code = await child.exited;

    expect({ made: made.status, code }).toEqual({ made: 200, code: 0 });
    expect(await program.run(["verify", "--replica", config, "--wait", "0"])).toMatchObject({ code: 0 });
    litestream = startLitestream();
  });

  test("is refused when the replica lacks what the library has, or is of another library", async () => {
    litestream.kill("SIGKILL");
    await litestream.exited;
    await program.run(["account", "create", "--email", "c@example.com", "--name", "C"], {
      input: "long enough 1\n",
    });

    const behind = await verify("--wait", "1");
    const other = createProgram({ LITESTREAM_PATH: LITESTREAM ?? "", TMPDIR: temporary });
    await other.run(["account", "create", "--email", EMAIL, "--name", "Me", "--password", "long enough 1"]);
    const foreign = await other.run(["verify", "--replica", replica, "--wait", "0"]);
    await other.close();

    expect(behind.code).toBe(1);
    expect(behind.rows).toContainEqual({
      kind: "missing",
      id: expect.stringMatching(/^accounts \d+$/),
      path: null,
      detail: "A row of accounts is in the library and not in the replica",
    });
    expect(foreign.code).toBe(1);
    expect(foreign.rows).toContainEqual(
      expect.objectContaining({ kind: "damaged", detail: "The replica is of another library" }),
    );
    expect(existsSync(join(program.dataDir, "dubplate.db"))).toBe(true);
  });
});

describe("verify --replica", () => {
  const program = createProgram();
  afterAll(() => program.close());

  test.each([
    [["--replica"], "usage: "],
    [["--replica", "file:///r", "--quick"], "usage: "],
    [["--wait", "5"], "usage: "],
  ])("refuses %p as wrong usage", async (args, said) => {
    const { code, stderr } = await program.run(["verify", ...args]);

    expect(code).toBe(2);
    expect(stderr).toStartWith(said);
  });

  test.each([
    [
      { LITESTREAM_PATH: "/nowhere" },
      "LITESTREAM_PATH (/nowhere) is not a program: set it to the path of litestream\n",
    ],
    [{ PATH: "/nowhere" }, "litestream was not found: install it, or set LITESTREAM_PATH\n"],
  ])("says what is missing with %p", async (extra, said) => {
    expect(await program.run(["verify", "--replica", "file:///r"], { extra })).toMatchObject({
      code: 1,
      rows: [],
      stderr: said,
    });
  });
});
