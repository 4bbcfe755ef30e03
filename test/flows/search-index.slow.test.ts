import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Db, openDb } from "../../db/client.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { type Json, jsonOf, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";
import { createProgram } from "../support/process.ts";

const TRACKS = 2100;
const WROTE = "Wrote a search index to its file";
const READ = "Read a search index from its file";
const FAILED = "The search index could not be written to its file";

type Server = Awaited<ReturnType<ReturnType<typeof createProgram>["serve"]>>;

let program: ReturnType<typeof createProgram>;
let key: string;
let ownerId: string;
beforeAll(async () => {
  program = createProgram({ LOG_LEVEL: "info", RATE_LIMIT: "0" });
  const of = ["--email", "me@example.com", "--name", "Me"];
  const account = await program.run(["account", "create", ...of, "--password", "correct horse battery"]);
  ownerId = String(account.rows[0]?.id);
  key = String((await program.run(["key", "create", ...of])).rows[0]?.key);
  withDatabase((db) => {
    const random = randomFrom("search index");
    const tracks = Array.from({ length: TRACKS }, (_, index) => ({
      title: `Track ${index}`,
      bpm: 60 + random() * 120,
      vector: [random(), random(), random()],
      tags: { genres: [random() < 0.5 ? "Techno" : "House"], moods: random() < 0.5 ? ["Dark"] : [] },
    }));
    db.$client.transaction(() => addTracks({ deps: { db } } as TestApp, ownerId, tracks))();
  });
});
beforeEach(() => rmSync(folder(), { recursive: true, force: true }));
afterAll(() => program.close());

const folder = () => join(program.dataDir, "search-index");

function withDatabase(work: (db: Db) => void): void {
  const db = openDb(join(program.dataDir, "dubplate.db"));
  work(db);
  db.$client.close();
}

async function search({ address }: Server, query: string): Promise<Json> {
  const response = await fetch(`${address}/api/v1/tracks/search`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ query, limit: 50 }),
  });
  expect(response.status).toBe(200);
  return (await jsonOf(response)).data.results;
}

/** Reads the server's output until one of the messages appears, and returns that line. */
async function untilLogged({ child }: Server, messages: readonly string[]): Promise<Json> {
  const reader = (child.stdout as ReadableStream<Uint8Array>).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    text += new TextDecoder().decode(value);
    const line = text.split("\n").find((each) => messages.some((message) => each.includes(message)));
    if (line !== undefined) return JSON.parse(line);
    if (done) throw new Error(`The server ended and said: ${text}`);
  }
}

async function stop({ child }: Server): Promise<void> {
  child.kill("SIGTERM");
  await child.exited;
}

describe("a server with a large library", () => {
  test("reads its index and writes the file at a start, before the first search", async () => {
    const server = await program.serve();

    expect(await untilLogged(server, [WROTE])).toMatchObject({ tracks: TRACKS });
    await stop(server);
  });

  test("keeps searching when the file cannot be written", async () => {
    writeFileSync(folder(), "where the folder should be");

    const server = await program.serve();
    const results = await search(server, "dark techno");

    expect(await untilLogged(server, [FAILED, WROTE])).toMatchObject({ level: "warn", message: FAILED });
    expect(await search(server, "dark techno")).toEqual(results);
    await stop(server);
  });

  test("searches from a file after a restart, and finds what changed meanwhile", async () => {
    const first = await program.serve();
    const before = await search(first, "dark techno at 120 bpm");
    expect(await untilLogged(first, [WROTE])).toMatchObject({ tracks: TRACKS });
    await stop(first);
    expect(readdirSync(folder()).length).toBe(1);

    const second = await program.serve();
    expect(await search(second, "dark techno at 120 bpm")).toEqual(before);
    expect(await untilLogged(second, [READ, WROTE])).toMatchObject({ message: READ, tracks: TRACKS });
    await stop(second);

    const [best] = before;
    withDatabase((db) => db.$client.run("DELETE FROM tracks WHERE id = ?", [best.id]));
    const third = await program.serve();
    const after = await search(third, "dark techno at 120 bpm");
    expect(await untilLogged(third, [READ, WROTE])).toMatchObject({ message: READ });
    expect(after.map(({ id }: Json) => id).slice(0, 10)).toEqual(
      before.map(({ id }: Json) => id).slice(1, 11),
    );
  });
});
