import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { migrate } from "../../db/migrations.ts";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";

const FOLDER = join(import.meta.dir, "../fixtures/library-before-people");
const read = (name: string) => gunzipSync(readFileSync(join(FOLDER, name)));
const before = JSON.parse(read("answers.json.gz").toString());
/** The last schema in which a comment was nothing but a comment. */
const BEFORE_REVIEWS = 60;
const COMMENTS = 250;

type Old = { id: string; text: string; positionSec: number | null; createdAt: number; authorName: string };

/** A library of people who commented for years: equal times, odd texts, visitors, versions that are gone. */
function oldLibrary(): { database: Uint8Array; trackId: string; rows: Old[] } {
  const client = Database.deserialize(read("library.db.gz"), { strict: true });
  client.run("PRAGMA foreign_keys = ON");
  migrate(client, BEFORE_REVIEWS);
  const { trackId = "" } =
    client.query<{ trackId: string }, []>("SELECT track_id AS trackId FROM comments").get() ?? {};
  const insert = client.query(
    `INSERT INTO comments (id, track_id, author_id, author_name, text, position_sec, created_at, share_id, version_id, heard_label)
     SELECT 'cmt_' || $n, $trackId, NULL, 'Visitor ' || $n, $text, $positionSec, $createdAt,
       (SELECT id FROM shares WHERE entity_id = $trackId LIMIT 1),
       iif($n % 3 = 0, NULL, (SELECT id FROM versions WHERE track_id = $trackId ORDER BY version_order LIMIT 1)), iif($n % 2 = 0, 'rough', NULL)`,
  );
  const texts = ["x".repeat(2000), "Zeile\neins\tzwei", "🥁 = + - @", "<b>louder</b>", "  blank  "];
  client.transaction(() => {
    for (let n = 0; n < COMMENTS; n++)
      insert.run({
        ...{ n, trackId, text: texts[n % texts.length] ?? "" },
        positionSec: n % 4 === 0 ? null : n / 7,
        createdAt: before.now - Math.floor(n / 3) * 1000,
      });
  })();
  const rows = client
    .query<Old, [string]>(
      `SELECT id, text, position_sec AS positionSec, created_at AS createdAt, author_name AS authorName FROM comments
       WHERE track_id = ? ORDER BY created_at DESC, id DESC`,
    )
    .all(trackId);
  const database = client.serialize();
  client.close();
  return { database, trackId, rows };
}

const old = oldLibrary();
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ database: old.database, settings: { networkAllow: ["127.0.0.1:9"] } });
  app.clock.advance(before.now - app.clock.now());
});
afterAll(() => app.close());

const get = async (path: string): Promise<Json> =>
  jsonOf(await app.request(path, { headers: { authorization: `Bearer ${before.sessionToken}` } }));

async function listAll(query = ""): Promise<Json[]> {
  const listed: Json[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page: Json = await get(`/app/tracks/${old.trackId}/comments?limit=100${query}${after}`);
    listed.push(...page.data);
    cursor = page.paging.next_cursor;
  }
  return listed;
}

describe("comments of a library from before review rounds", () => {
  test("keep their ids, texts, positions, names and order", async () => {
    const listed = await listAll();

    expect(listed).toHaveLength(COMMENTS + 1);
    expect(
      listed.map(({ id, text, positionSec, createdAt, author }) => ({
        ...{ id, text, positionSec, createdAt: Date.parse(createdAt), authorName: author.name },
      })),
    ).toEqual(old.rows);
  });

  test("are open notes at a moment, which nobody has answered", async () => {
    const found = new Set(
      (await listAll()).map(({ endSec, parentId, answeredAt, answeredBy, answeredIn, replyCount, place }) =>
        JSON.stringify({ endSec, parentId, answeredAt, answeredBy, answeredIn, replyCount, place }),
      ),
    );

    expect([...found]).toEqual([
      JSON.stringify({
        ...{ endSec: null, parentId: null, answeredAt: null, answeredBy: null, answeredIn: null },
        ...{ replyCount: 0, place: undefined },
      }),
    ]);
  });

  test("say the version that was probably heard, or what it was called when it is gone", async () => {
    const labels = new Map((await listAll()).map(({ id, versionLabel }) => [id, versionLabel]));

    expect([1, 2, 3, 6].map((n) => labels.get(`cmt_${n}`))).toEqual([
      "probably Original",
      "Original",
      null,
      "rough",
    ]);
  });

  test("are deleted and written as ever, by a client that knows the old fields alone", async () => {
    const send = (method: string, path: string, body?: object) =>
      app.request(path, {
        method,
        headers: { authorization: `Bearer ${before.sessionToken}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });

    app.clock.advance(1);
    const added = await jsonOf(
      await send("POST", `/app/tracks/${old.trackId}/comments`, { text: "New", positionSec: 0.5 }),
    );
    const gone = await send("DELETE", "/app/comments/cmt_7");

    expect(added.data).toMatchObject({ text: "New", positionSec: 0.5, versionLabel: "rough mix" });
    expect(gone.status).toBe(200);
    const ids = (await listAll()).map(({ id }) => id);
    expect([ids[0], ids.includes("cmt_7"), ids.length]).toEqual([added.data.id, false, COMMENTS + 1]);
  });
});
