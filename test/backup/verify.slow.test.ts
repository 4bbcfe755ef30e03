import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { untilIdle } from "../../scripts/bench/library.ts";
import { createProgram } from "../support/process.ts";
import { createLibrary, filesBelow, furnish, hashOf } from "./support.ts";

const SETTINGS = { RATE_LIMIT: "0", FFMPEG_PATH: "", NETWORK_ALLOW: "hooks.example.com" };

describe("verify", () => {
  const program = createProgram(SETTINGS);
  const folder = mkdtempSync(join(tmpdir(), "dubplate-verify-test-"));
  const backup = join(folder, "library.tar");
  let server: Awaited<ReturnType<typeof program.serve>>;
  let token: string;
  let copies = 0;

  beforeAll(async () => {
    const owner = await createLibrary(program, { songs: 5 });
    token = owner.token;
    server = await program.serve();
    await untilIdle(program.dataDir);
    await furnish({ ...owner, address: server.address });
  });
  afterAll(async () => {
    await program.close();
    for (const each of [folder, `${program.dataDir}.music`]) rmSync(each, { recursive: true, force: true });
  });

  /** Runs it on a library of its own that something was done to. */
  async function verify(harm: (dataDir: string) => void, args: string[] = []) {
    const dataDir = join(folder, `copy-${++copies}`);
    cpSync(program.dataDir, dataDir, { recursive: true });
    harm(dataDir);
    return { dataDir, ...(await program.run(["verify", ...args], { extra: { DATA_DIR: dataDir } })) };
  }

  const originals = () =>
    [...filesBelow(join(program.dataDir, "audio")).keys()].map((path) => `audio/${path}`);
  const original = (index = 0) => originals()[index] ?? "";
  const change = (dataDir: string, sql: string) => {
    const db = new Database(join(dataDir, "dubplate.db"));
    db.run("PRAGMA foreign_keys = OFF");
    db.run(sql);
    db.close();
  };
  /** A row that is made of a comment `c` and another track `o` than its own. */
  const besideNote = (insert: string) =>
    `${insert} FROM comments c JOIN tracks o ON o.id <> c.track_id ORDER BY o.id LIMIT 1`;
  const flip = (path: string, at: number) => {
    const bytes = readFileSync(path);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  };
  const idIn = (table: string, where = "true") => {
    const db = new Database(join(program.dataDir, "dubplate.db"), { readonly: true });
    const row = db.query<{ id: string }, []>(`SELECT id FROM ${table} WHERE ${where} ORDER BY id`).get();
    db.close();
    return row?.id ?? "";
  };

  test("finds nothing in a sound library that is served", async () => {
    const { code, rows, stderr } = await program.run(["verify"]);

    expect([code, rows]).toEqual([0, []]);
    expect(stderr).toMatch(/^Checked 8 files, \d+ kB: sound\n$/);
  });

  test("finds nothing when tracks are in the bin, brought back, or deleted for good", async () => {
    const authorization = `Bearer ${token}`;
    const send = (method: string, path: string) =>
      fetch(`${server.address}/app/tracks${path}`, { method, headers: { authorization } });
    const [kept, gone] = [idIn("tracks", "title = 'Night Bus'"), idIn("tracks", "title IS NULL")];
    const verified = [];

    for (const [method, path] of [
      ["DELETE", `/${kept}`],
      ["POST", `/${kept}/restore`],
      ["DELETE", `/${gone}`],
      ["DELETE", `/deleted/${gone}`],
    ] as const) {
      const { status } = await send(method, path);
      const { code, rows } = await program.run(["verify"]);
      verified.push([status, code, rows]);
    }

    expect(verified).toEqual(verified.map(() => [200, 0, []]));
  });

  test("works when the server has stopped", async () => {
    server.child.kill("SIGTERM");
    expect(await server.child.exited).toBe(0);

    expect(await program.run(["verify"])).toMatchObject({ code: 0, rows: [] });
    expect((await program.run(["backup", backup])).code).toBe(0);
  });

  describe("names", () => {
    const hashOfFirst = () => original().split("/").at(-1);
    test.each<[string, (dataDir: string) => void, () => object]>([
      [
        "a flipped bit in a song",
        (dir) => flip(join(dir, original()), 900),
        () => ({ kind: "damaged", path: original(), id: idIn("versions", `sha256 = '${hashOfFirst()}'`) }),
      ],
      [
        "a song that is too short",
        (dir) => truncateSync(join(dir, original()), 500),
        () => ({ kind: "damaged", path: original(), detail: "The file has 500 bytes and should have 16044" }),
      ],
      [
        "an empty song",
        (dir) => truncateSync(join(dir, original()), 0),
        () => ({ kind: "damaged", path: original() }),
      ],
      [
        "a missing song",
        (dir) => rmSync(join(dir, original())),
        () => ({ kind: "missing", path: original(), detail: "The file is missing" }),
      ],
      [
        "a song that is in the quarantine",
        (dir) => {
          const aside = join(dir, "quarantine/2026-11-01", original());
          mkdirSync(dirname(aside), { recursive: true });
          renameSync(join(dir, original()), aside);
        },
        () => ({
          kind: "missing",
          path: original(),
          detail: expect.stringContaining("quarantine/2026-11-01"),
        }),
      ],
      [
        "all songs, when the disk of the audio is not there",
        (dir) => rmSync(join(dir, "audio"), { recursive: true }),
        () => ({ kind: "missing", path: original(3) }),
      ],
      [
        "a missing picture",
        (dir) => rmSync(join(dir, "artwork"), { recursive: true }),
        () => ({
          kind: "missing",
          path: expect.stringMatching(/^artwork\/[0-9a-f]{32}\.jpg$/),
          id: idIn("tracks", "cover IS NOT NULL"),
        }),
      ],
      [
        "a version without its track",
        (dir) => change(dir, `DELETE FROM tracks WHERE id = '${idIn("tracks")}'`),
        () => ({ kind: "dangling", id: `versions ${idIn("versions", `track_id = '${idIn("tracks")}'`)}` }),
      ],
      [
        "an account's rows without the account",
        (dir) => change(dir, "DELETE FROM accounts"),
        () => ({ kind: "dangling", id: `tracks ${idIn("tracks")}` }),
      ],
      [
        "a track without its active version",
        (dir) => change(dir, `DELETE FROM versions WHERE track_id = '${idIn("tracks")}'`),
        () => ({ kind: "dangling", id: idIn("tracks"), detail: "The track's active version does not exist" }),
      ],
      [
        "missing measurements",
        (dir) => change(dir, "DELETE FROM analyses"),
        () => ({
          kind: "missing",
          id: idIn("tracks"),
          detail: "The measurements that the track shows do not exist",
        }),
      ],
      [
        "a track that is missing from the full-text index",
        (dir) => change(dir, "DELETE FROM track_text WHERE rowid = (SELECT max(seq) FROM tracks)"),
        () => ({
          kind: "missing",
          id: idIn("tracks", "seq = (SELECT max(seq) FROM tracks)"),
          detail: expect.stringContaining("full-text index"),
        }),
      ],
      [
        "a row of the full-text index without a track",
        (dir) => change(dir, "INSERT INTO track_text (rowid, name) VALUES (99, 'ghost')"),
        () => ({ kind: "dangling", id: "99" }),
      ],
      [
        "a missing vector",
        (dir) => change(dir, "DELETE FROM track_vectors"),
        () => ({ kind: "missing", id: idIn("tracks"), detail: "The track has no vector" }),
      ],
      [
        "a library without an owner",
        (dir) => change(dir, "UPDATE members SET role = 'manager'"),
        () => ({ kind: "missing", id: idIn("accounts"), detail: "The library has no owner" }),
      ],
      [
        "somebody who sees a room of another library",
        (dir) =>
          change(
            dir,
            `INSERT INTO invitations (id, account_id, email, role, playlist_id, created_at, expires_at)
             SELECT 'inv_x', 'usr_x', 'x@example.com', 'artist', id, 1, 2 FROM playlists LIMIT 1`,
          ),
        () => ({ kind: "dangling", id: "inv_x", detail: "Somebody of one library sees a room of another" }),
      ],
      [
        "a reply whose note is on another track",
        (dir) =>
          change(
            dir,
            besideNote(
              "INSERT INTO comments (id, track_id, author_name, text, created_at, parent_id) SELECT 'cmt_x', o.id, 'B', 'x', 1, c.id",
            ),
          ),
        () => ({ kind: "dangling", id: "cmt_x", detail: "The reply's note is not on its track" }),
      ],
      [
        "a note that is answered in a version of another track",
        (dir) =>
          change(
            dir,
            "UPDATE comments SET resolved_at = 1, resolved_in = (SELECT v.id FROM versions v WHERE v.track_id <> comments.track_id)",
          ),
        () => ({
          kind: "dangling",
          id: idIn("comments"),
          detail: "The note is answered in a version of another track",
        }),
      ],
      [
        "a place of a note in a version of another track",
        (dir) =>
          change(
            dir,
            besideNote("INSERT INTO comment_places SELECT c.id, o.active_version_id, 1, NULL, 'placed'"),
          ),
        () => ({
          kind: "dangling",
          id: idIn("comments"),
          detail: "The note has a place in a version of another track",
        }),
      ],
      [
        "a review of a version of another track",
        (dir) =>
          change(
            dir,
            besideNote(
              "INSERT INTO reviews SELECT 'rev_x', c.track_id, o.active_version_id, NULL, NULL, 'B', 'approved', NULL, 1",
            ),
          ),
        () => ({ kind: "dangling", id: "rev_x", detail: "The review is of a version of another track" }),
      ],
      [
        "half a vector",
        (dir) => change(dir, "UPDATE track_vectors SET embedding = substr(embedding, 1, 12)"),
        () => ({ kind: "damaged", id: idIn("tracks"), detail: expect.stringContaining("vector") }),
      ],
      [
        "a page of the database that something overwrote",
        (dir) => {
          const path = join(dir, "dubplate.db");
          const bytes = readFileSync(path);
          writeFileSync(path, bytes.fill(0x5a, 4096 * 5, 4096 * 9));
        },
        () => ({ kind: "damaged", path: "dubplate.db" }),
      ],
      [
        "a database that is another kind of file",
        (dir) => writeFileSync(join(dir, "dubplate.db"), "no database ".repeat(1000)),
        () => ({ kind: "damaged", path: "dubplate.db" }),
      ],
      [
        "a missing database",
        (dir) => rmSync(join(dir, "dubplate.db")),
        () => ({ kind: "missing", path: "dubplate.db" }),
      ],
      [
        "a wrong master secret",
        (dir) => writeFileSync(join(dir, "master-secret"), Buffer.alloc(32, 1)),
        () => ({ kind: "damaged", path: "master-secret" }),
      ],
      [
        "a missing master secret",
        (dir) => rmSync(join(dir, "master-secret")),
        () => ({ kind: "missing", path: "master-secret" }),
      ],
      [
        "a sealed secret that does not open",
        (dir) => change(dir, "UPDATE api_keys SET secret_copy = zeroblob(60)"),
        () => ({
          kind: "damaged",
          id: idIn("api_keys"),
          detail: expect.stringContaining("cannot be opened"),
        }),
      ],
      [
        "a webhook's secret that does not open",
        (dir) => change(dir, "UPDATE api_keys SET webhook_secret = zeroblob(60)"),
        () => ({ kind: "damaged", id: idIn("api_keys"), detail: expect.stringContaining("webhook") }),
      ],
      [
        "the folder of another library",
        (dir) =>
          writeFileSync(
            join(dir, "store.json"),
            '{"id":"other","generation":1,"createdAt":"2026-11-22T00:00:00.000Z"}\n',
          ),
        () => ({ kind: "damaged", path: "store.json" }),
      ],
    ])("%s", async (_, harm, finding) => {
      const { code, rows, stderr } = await verify(harm);

      expect(rows).toContainEqual(expect.objectContaining(finding()));
      for (const row of rows) expect(Object.keys(row).sort()).toEqual(["detail", "id", "kind", "path"]);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^\d+ faults? found\n$/);
    });

    test("a damaged song is named, also when the database is gone", async () => {
      const { rows } = await verify((dir) => {
        rmSync(join(dir, "dubplate.db"));
        flip(join(dir, original()), 900);
      });

      expect(rows.map(({ kind, path }) => [kind, path])).toEqual([
        ["missing", "dubplate.db"],
        ["damaged", original()],
      ]);
    });

    test("a file that no row names is noted", async () => {
      const name = hashOf("stray");
      const path = `audio/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;

      const { code, rows } = await verify((dir) => {
        mkdirSync(dirname(join(dir, path)), { recursive: true });
        writeFileSync(join(dir, path), "stray");
        writeFileSync(join(dir, "audio/README"), "not ours");
      });

      expect([code, rows]).toEqual([
        0,
        [{ kind: "unreferenced", id: name, path, detail: "No row names this file" }],
      ]);
    });
  });

  test("--quick compares sizes only", async () => {
    const flipped = await verify((dir) => flip(join(dir, original()), 900), ["--quick"]);
    const short = await verify((dir) => truncateSync(join(dir, original()), 9), ["--quick"]);

    expect([flipped.code, flipped.rows]).toEqual([0, []]);
    expect(short.rows).toMatchObject([{ kind: "damaged", path: original() }]);
  });

  test("--repair takes good bytes from a backup, and names what it could not repair", async () => {
    const harm = (dir: string) => {
      flip(join(dir, original(0)), 900);
      rmSync(join(dir, original(1)));
      for (const part of ["artwork", "artwork-originals"]) rmSync(join(dir, part), { recursive: true });
    };
    const fromFile = await verify(harm, ["--repair", backup]);
    const dir = join(folder, "snapshots-of-it");
    expect((await program.run(["backup", `${dir}/`])).code).toBe(0);
    const fromFolder = await verify(harm, ["--repair", `${dir}/`]);
    rmSync(join(dir, original(1)));
    const inPart = await verify(harm, ["--repair", dir]);

    for (const { code, rows, dataDir } of [fromFile, fromFolder]) {
      expect(code).toBe(0);
      expect(rows).toHaveLength(5);
      expect(rows.every(({ repaired }) => repaired === true)).toBe(true);
      for (const part of ["audio", "artwork", "artwork-originals"])
        expect(filesBelow(join(dataDir, part))).toEqual(filesBelow(join(program.dataDir, part)));
      expect([...filesBelow(join(dataDir, "tmp")).keys()]).toEqual([]);
    }
    expect(inPart.code).toBe(1);
    expect(inPart.rows.filter(({ repaired }) => !repaired)).toMatchObject([
      { kind: "missing", path: original(1) },
    ]);
    expect(await program.run(["verify", fromFile.dataDir])).toMatchObject({ code: 0, rows: [] });
  });

  test.each([
    [["verify", "a", "b"]],
    [["verify", "x.tar", "--repair", "y.tar"]],
    [["verify", "--fast"]],
    [["backup"]],
    [["backup", "a", "b"]],
    [["restore"]],
    [["restore", "x.tar", "--at", "2026-11-22"]],
  ])("%p is wrong usage", async (args) => {
    const { code, stderr } = await program.run(args);

    expect(code).toBe(2);
    expect(stderr).toStartWith("usage: dubplate ");
  });
});
