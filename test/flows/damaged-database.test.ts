import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../support/app.ts";
import { createProgram } from "../support/process.ts";
import { noise, wavBytes } from "../support/signals.ts";

const OF = ["--email", "me@example.com"];

describe("a database that is found to be damaged while it is served", () => {
  const program = createProgram({ FFMPEG_PATH: "", LOG_LEVEL: "info" });
  let key: string;
  beforeAll(async () => {
    await program.run(["account", "create", ...OF, "--name", "Me", "--password", "long enough 1"]);
    key = String((await program.run(["key", "create", ...OF, "--name", "K"])).rows[0]?.key);
    const song = join(program.dataDir, "song.wav");
    await Bun.write(song, wavBytes([noise(8000, 1)], 8000, 16));
    await program.run(["import", song, ...OF]);
    const { child } = await program.serve();
    child.kill("SIGTERM");
    await child.exited;
    overwriteTable(program.dataDir, "search_changes");
  });
  afterAll(() => program.close());

  test("is only read from then on, and reports the damage on /health", async () => {
    // It stopped in good order, so the check comes after the start.
    const { address, child } = await program.serve();
    const log = new Response(child.stdout as ReadableStream).text();
    const get = (path: string) => fetch(`${address}${path}`, { headers: { "x-api-key": key } });

    await until(async () => (await get("/health")).status === 503);

    expect(await (await get("/health")).json()).toEqual({
      statusCode: 503,
      messageCode: "library_damaged",
      message: "The server's database is damaged and can only be read: tell the operator",
      error: "Service Unavailable",
    });
    const listed = await get("/api/v1/tracks");
    expect([listed.status, ((await listed.json()) as Json).data]).toEqual([200, [expect.anything()]]);
    const changed = await fetch(`${address}/api/v1/composers`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify({ fullName: "Ada", email: "ada@example.com" }),
    });
    expect([changed.status, ((await changed.json()) as Json).messageCode]).toEqual([503, "library_damaged"]);

    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    const told = (await log).split("\n").filter((line) => line.includes("is damaged: it is only read"));
    expect(told).toHaveLength(1);
  });

  test("is refused by the next start, since this server did not stop in good order", async () => {
    const { code, stderr } = await program.run(["serve"]);

    expect([code, stderr]).toEqual([
      1,
      `dubplate.db in DATA_DIR (${program.dataDir}) is damaged: restore a backup, or see docs/recovery.md for what can be saved\n`,
    ]);
  });
});

describe("damage that a request meets", () => {
  const program = createProgram({ FFMPEG_PATH: "" });
  afterAll(() => program.close());

  test("a request that meets the damage is answered 503 with its code, and nothing is written from then on", async () => {
    await program.run(["account", "create", ...OF, "--name", "Me", "--password", "long enough 1"]);
    const key = String((await program.run(["key", "create", ...OF, "--name", "K"])).rows[0]?.key);
    overwriteTable(program.dataDir, "composers");
    const { address } = await program.serve();
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { "x-api-key": key, "content-type": "application/json" };
      const response = await fetch(`${address}/api/v1${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      return [response.status, ((await response.json()) as Json).messageCode];
    };

    const ada = { fullName: "Ada", email: "ada@example.com" };
    expect(await ask("POST", "/composers", ada)).toEqual([503, "library_damaged"]);
    expect(await ask("POST", "/tracks/search", { query: "dark" })).toEqual([503, "library_damaged"]);
    expect(await ask("GET", "/tracks")).toEqual([200, 200]);
    expect((await fetch(`${address}/health`)).status).toBe(503);
  });
});

/** Asks again and again until something is so. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(10);
}

/** Writes other bytes over the first page of a table. */
function overwriteTable(folder: string, table: string): void {
  const path = join(folder, "dubplate.db");
  const db = new Database(path);
  const pageSize = Number(db.query<{ page_size: number }, []>("PRAGMA page_size").get()?.page_size);
  const root = Number(
    db.query<{ rootpage: number }, [string]>("SELECT rootpage FROM sqlite_master WHERE name = ?").get(table)
      ?.rootpage,
  );
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  expect(statSync(path).size).toBeGreaterThanOrEqual(root * pageSize);
  const file = openSync(path, "r+");
  writeSync(file, new Uint8Array(pageSize).fill(7), 0, pageSize, (root - 1) * pageSize);
  closeSync(file);
}
