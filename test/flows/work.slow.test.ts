import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureRates } from "../../scripts/work-rate/flow.ts";
import type { Json } from "../support/app.ts";
import { createProgram, freePort } from "../support/process.ts";
import { PROGRAM } from "../support/program-command.ts";
import { readAlong } from "../support/running-command.ts";
import { sine, wavBytes } from "../support/signals.ts";

const EMAIL = "ana@example.com";
/** The machine of a worker: an empty folder, which is also its temporary one. */
const machine = mkdtempSync(join(tmpdir(), "dubplate-machine-"));
const program = createProgram({ ANALYSIS_CONCURRENCY: "0" });
let address: string;
let key: string;
let workKey: string;
let server: Awaited<ReturnType<typeof program.serve>>;
let port: string;
beforeAll(async () => {
  const account = ["--email", EMAIL, "--name", "Ana", "--password", "correct horse battery"];
  await program.run(["account", "create", ...account]);
  key = String((await program.run(["key", "create", "--email", EMAIL, "--name", "x"])).rows[0]?.key);
  const scopes = ["--scopes", "platform:work", "--days", "3"];
  const made = await program.run(["platform-key", "create", "--name", "mac", ...scopes]);
  workKey = String(made.rows[0]?.key);
  port = String(await freePort());
  server = await program.serve({ PORT: port });
  address = server.address;
});
afterAll(async () => {
  await program.close();
  rmSync(machine, { recursive: true });
});

const here = (): Record<string, string> => ({ DUBPLATE_URL: address, DUBPLATE_WORK_KEY: workKey });
/** Starts `dubplate work` on a machine without a library. */
const spawn = (args: string[], env: Record<string, string>) =>
  Bun.spawn([...PROGRAM, "work", ...args], {
    cwd: machine,
    env: { PATH: process.env.PATH ?? "", HOME: program.dataDir, TMPDIR: machine, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
function startWork() {
  const child = spawn([], here());
  return { child, prints: readAlong(child.stdout), says: readAlong(child.stderr) };
}
/** Runs it to its end. */
async function work(args: string[], env = here()) {
  const child = spawn(args, env);
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  const lines = stdout.split("\n").filter(Boolean);
  return { code, stderr, rows: lines.map((line): Json => JSON.parse(line)) };
}

let songs = 0;
async function upload(seconds = 1): Promise<string> {
  songs++;
  const form = new FormData();
  form.append("files", new Blob([wavBytes([sine(8000, seconds, 200 + songs)], 8000, 16)]), "song.wav");
  const headers = { "x-api-key": key };
  const sent = await fetch(`${address}/api/v1/tracks/upload`, { method: "POST", headers, body: form });
  return ((await sent.json()) as Json).data.uploaded[0].id;
}
async function statusOf(id: string): Promise<string> {
  const headers = { "x-api-key": key };
  const answer = await fetch(`${address}/api/v1/tracks?limit=200`, { headers });
  const { data } = (await answer.json()) as Json;
  return data.find((track: Json) => track.id === id).analysis.status;
}
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(50);
}

describe("dubplate work", () => {
  test("does the analyses of a server that does not analyse, and leaves nothing on its machine", async () => {
    const ids = [await upload(), await upload()];

    const { code, rows } = await work(
      ["--server", address, "--key", workKey, "--once", "--concurrency", "2"],
      {},
    );

    expect(code).toBe(0);
    expect(rows).toEqual(
      ids.map(() => ({
        job: expect.stringMatching(/^job_/),
        kind: "analyze",
        outcome: "done",
        seconds: expect.any(Number),
      })),
    );
    expect(await Promise.all(ids.map(statusOf))).toEqual(["completed", "completed"]);
    expect(readdirSync(machine)).toEqual([]);
  });

  test("gives its job back when it is asked to stop, and another does it", async () => {
    const id = await upload(200);
    const { child } = startWork();
    await until(async () => (await statusOf(id)) === "processing");

    child.kill("SIGTERM");

    expect(await child.exited).toBe(0);
    expect(await statusOf(id)).toBe("pending");
    expect(readdirSync(machine)).toEqual([]);
    expect((await work(["--once"])).rows).toMatchObject([{ outcome: "done" }]);
    expect(await statusOf(id)).toBe("completed");
  });

  test("a worker waits for a server that cannot be reached, and goes on with it", async () => {
    const { child, prints, says } = startWork();
    server.child.kill("SIGTERM");
    await says.until(/cannot be reached: .*; trying again/);
    await server.child.exited;

    server = await program.serve({ PORT: port });
    const id = await upload();

    await prints.until(/"outcome":"done"/);
    expect(await statusOf(id)).toBe("completed");
    child.kill("SIGTERM");
    await child.exited;
  });

  test.each<[string, string[], Record<string, string>, number, RegExp]>([
    ["no server", [], { DUBPLATE_WORK_KEY: "x" }, 2, /^usage: dubplate work/],
    ["no key", ["--server", "http://127.0.0.1:1"], {}, 2, /^usage: dubplate work/],
    ["no places", ["--server", "http://127.0.0.1:1", "--key", "x", "--concurrency", "0"], {}, 2, /^usage/],
    ["another address", ["--server", "music.example", "--key", "x"], {}, 1, /^--server must be an address/],
    ["a server that is away", ["--server", "http://127.0.0.1:1", "--key", "x", "--once"], {}, 3, /cannot be/],
  ])("with %s it ends at once", async (_, args, env, code, message) => {
    expect(await work(args, env)).toMatchObject({ code, stderr: expect.stringMatching(message) });
    expect(existsSync(join(machine, "storage"))).toBe(false);
  });

  test("a worker with a key for something else ends with the server's sentence", async () => {
    expect(await work([], { ...here(), DUBPLATE_WORK_KEY: key })).toMatchObject({
      code: 1,
      stderr: "This API key lacks the scope platform:work\n",
    });
  });

  test("doctor says when nothing analyses the library", async () => {
    const doctor = async () => (await program.run(["doctor"])).rows.find(({ check }) => check === "workers");
    expect(await doctor()).toMatchObject({
      ok: true,
      found: expect.stringContaining("1 keys are for workers"),
    });

    await program.run(["platform-key", "revoke", String(workKey.split(".")[0])]);

    expect(await doctor()).toMatchObject({ ok: false, mend: expect.stringContaining("platform:work") });
  });
});

test("two workers analyse each track once, with the server's own values", async () => {
  const { one, two, wrong } = await measureRates({ pieces: 3, seconds: 2, kills: 0, say: () => undefined });

  expect(wrong).toEqual([]);
  expect(one).toBeGreaterThan(0);
  expect(two).toBeGreaterThan(0);
});
