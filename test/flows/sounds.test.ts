import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import { type Db, openDb } from "../../db/client.ts";
import { DESCRIPTOR_DIMENSIONS, DESCRIPTOR_VERSION } from "../../src/audio/analyzer.ts";
import { randomFrom } from "../../src/demo/dsp/random.ts";
import { checkSounds, distancesTo, fillSome, soundsOf } from "../../src/modules/library/sounds/service.ts";
import type { TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";
import { createProgram } from "../support/process.ts";

const TRACKS = 1200;
const program = createProgram({ RATE_LIMIT: "0", FFMPEG_PATH: "" });
const path = join(program.dataDir, "dubplate.db");
let ownerId: string;
let ids: string[];

beforeAll(async () => {
  const of = ["--email", "me@example.com", "--name", "Me"];
  const account = await program.run(["account", "create", ...of, "--password", "long enough 1"]);
  ownerId = String(account.rows[0]?.id);
  const random = randomFrom("sounds of a program");
  const tracks = Array.from({ length: TRACKS }, (_, index) => ({
    title: `Song ${index}`,
    vector: Array.from({ length: DESCRIPTOR_DIMENSIONS }, () => random() - 0.5),
    vectorVersion: DESCRIPTOR_VERSION,
  }));
  withDatabase((db) => {
    ids = db.$client.transaction(() => addTracks({ deps: { db } } as TestApp, ownerId, tracks))();
  });
});
afterAll(() => program.close());

function withDatabase<Result>(work: (db: Db) => Result): Result {
  const db = openDb(path);
  try {
    return work(db);
  } finally {
    db.$client.close();
  }
}

const countIn = (db: Db, sql: string) => db.$client.query<{ n: number }, []>(sql).get()?.n ?? -1;
const faults = () =>
  withDatabase((db) => {
    const found: object[] = [];
    checkSounds(db, (fault) => found.push(fault));
    return found;
  });

describe("the vectors of a library that was made without them", () => {
  test("are whole after their making was killed again and again", async () => {
    const fill = `import { openDb } from ${JSON.stringify(join(import.meta.dir, "../../db/client.ts"))};
      import { fillSome } from ${JSON.stringify(join(import.meta.dir, "../../src/modules/library/sounds/service.ts"))};
      const db = openDb(process.argv.at(-1));
      console.log("open");
      while (fillSome(db));`;
    const random = randomFrom("kills");
    for (let kill = 0; kill < 4; kill++) {
      withDatabase((db) => db.$client.run("UPDATE vector_fill SET sound_seq = 0"));
      if (kill % 2) withDatabase((db) => db.$client.run("DELETE FROM sound_vectors"));
      const child = Bun.spawn([process.execPath, "-e", fill, path], { stdio: ["ignore", "pipe", "inherit"] });
      await child.stdout.getReader().read();
      await Bun.sleep(random() * 80);
      child.kill("SIGKILL");
      await child.exited;
      expect(faults()).toEqual([]);
    }
    withDatabase((db) => {
      while (fillSome(db));
    });

    expect(faults()).toEqual([]);
    expect(withDatabase((db) => countIn(db, "SELECT count(*) AS n FROM sound_vectors"))).toBe(TRACKS);
  });

  test("are made by the server, and counted by doctor", async () => {
    withDatabase((db) => {
      db.$client.run("DELETE FROM sound_vectors");
      db.$client.run("UPDATE vector_fill SET sound_seq = 0");
    });

    const { child } = await program.serve();
    const isFilled = () =>
      withDatabase((db) => countIn(db, "SELECT sound_seq IS NULL AS n FROM vector_fill")) === 1;
    while (!isFilled()) await Bun.sleep(50);
    child.kill("SIGTERM");
    await child.exited;

    const { rows } = await program.run(["doctor"]);
    expect(rows.find(({ check }) => check === "vectors")).toMatchObject({
      ok: true,
      found: expect.stringMatching(new RegExp(`^${TRACKS} in ${DESCRIPTOR_VERSION}\\+`)),
    });
    expect(faults()).toEqual([]);
  });
});

test("verify names vectors that are at fault, and repairs them without a backup", async () => {
  withDatabase((db) => {
    const [seq = 0] = seqsOf(db);
    db.$client.run("DELETE FROM sound_vectors WHERE seq = ?", [seq]);
    db.$client.run(
      "INSERT INTO sound_vectors (seq, owner_id, embedding, space) SELECT 999999, owner_id, embedding, space FROM sound_vectors WHERE seq = ?",
      [seq + 1],
    );
  });
  const ofVectors = (rows: Record<string, unknown>[]) =>
    rows.filter(({ detail }) => /vector/.test(String(detail)));

  const found = await program.run(["verify", "--quick"]);
  const repaired = await program.run(["verify", "--quick", "--repair"]);
  const after = await program.run(["verify", "--quick"]);

  expect(found.code).toBe(1);
  expect(ofVectors(found.rows)).toEqual([
    { kind: "dangling", id: "999999", path: null, detail: expect.any(String) },
    { kind: "missing", id: ids[0], path: null, detail: expect.any(String) },
  ]);
  expect(ofVectors(repaired.rows).map((row) => row.repaired)).toEqual([true, true]);
  expect(repaired.stderr).toContain("2 vectors repaired");
  expect(ofVectors(after.rows)).toEqual([]);
});

const seqsOf = (db: Db) =>
  db.$client
    .query<{ seq: number }, []>("SELECT seq FROM tracks ORDER BY seq")
    .all()
    .map(({ seq }) => seq);

describe("another program", () => {
  const copy = join(program.dataDir, "copy.db");
  const id = () => ids[7] ?? "";
  /** The statement of docs/search.md, about a track. */
  const recipe = () => {
    const docs = readFileSync(join(import.meta.dir, "../../docs/search.md"), "utf8");
    const [, sql = ""] = /^\.load \.\/vec0\n(SELECT[^;]+;)/m.exec(docs) ?? [];
    return sql.replaceAll("trk_1", id());
  };
  const nearest = () =>
    withDatabase((db) => {
      const seqs = seqsOf(db);
      const own = seqs[7] ?? 0;
      const target = soundsOf(db, ownerId, [own]).get(own);
      const [distances = []] = target ? distancesTo(db, ownerId, [target], seqs) : [];
      return [...distances]
        .filter(([each]) => each !== own)
        .sort(([, a], [, b]) => a - b)
        .slice(0, 10)
        .map(([each]) => ids[seqs.indexOf(each)] ?? "");
    });
  beforeAll(() => {
    // As `dubplate backup` makes it, by a connection without the extension.
    const db = new Database(path);
    db.run(`VACUUM INTO '${copy}'`);
    db.close();
  });

  test("finds the ten nearest of a track by the recipe in docs/search.md", async () => {
    const shell = Bun.which("sqlite3");
    const inBun = `const { Database } = require("bun:sqlite");
      const db = new Database(process.argv.at(-1)); db.loadExtension(${JSON.stringify(getLoadablePath())});
      for (const row of db.query(${JSON.stringify(recipe())}).all()) console.log(Object.values(row).join("|"));`;
    const commands = [
      [process.execPath, "-e", inBun, copy],
      ...(shell ? [[shell, copy, `.load ${getLoadablePath()}`, recipe()]] : []),
    ];
    for (const command of commands) {
      const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "inherit"] });
      const lines = (await new Response(child.stdout).text()).trim().split("\n");

      expect(lines.map((line) => line.split("|")[0] ?? "")).toEqual(nearest());
      expect(lines).toHaveLength(10);
    }
  });

  test("reads, checks and mends a library without the extension", () => {
    const mended = join(program.dataDir, "mended.db");
    cpSync(copy, mended);
    const db = new Database(mended);

    expect(db.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(db.query("PRAGMA foreign_key_check").all()).toEqual([]);
    expect(db.run("DELETE FROM tracks WHERE id = ?", [id()]).changes).toBeGreaterThan(0);
    expect(() => db.query("SELECT 1 FROM sound_vectors").all()).toThrow("no such module: vec0");
    db.close();
  });
});
