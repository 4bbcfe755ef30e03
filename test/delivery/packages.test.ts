import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseBuffer } from "music-metadata";
import type { LibraryId } from "../../db/schema.ts";
import { blobPath } from "../../src/blobs/store.ts";
import { createPackages, writeArchive, writeFolder } from "../../src/modules/delivery/packages/service.ts";
import { wavBytes } from "../media/wave-bytes.ts";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";
import { startBucketServer } from "../support/bucket-server.ts";
import { sine } from "../support/signals.ts";
import { unzipped } from "../support/unzipped.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const song = (hertz: number) =>
  wavBytes({
    depth: "s16",
    sampleRateHz: 8000,
    samples: [...sine(8000, 1, hertz)],
  }) as Uint8Array<ArrayBuffer>;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** An owner with tracks of these file names; each sounds different. */
async function owner(...names: string[]) {
  const { accountId, token } = app.createAccount();
  const form = new FormData();
  for (const [at, name] of names.entries()) form.append("files", new File([song(200 + 10 * at)], name));
  const key = app.as(app.createKey(accountId));
  const { body } = await key("POST", "/tracks/upload", form);
  const ids: string[] = body.data.uploaded.map(({ id }: Json) => id);
  const web = app.signedIn(token);
  const read = (path: string, method = "GET") =>
    app.request(path, { method, headers: { authorization: `Bearer ${token}` } });
  const plan = (asked: Json) => web("POST", "/app/deliveries", { profile: "store", name: "Night", ...asked });
  const archive = async (path: string) => unzipped(await (await read(path)).bytes());
  return { accountId, ids, key, web, read, plan, archive };
}

const contentOf = (files: { name: string; content: Buffer }[], name: string) => {
  const file = files.find((each) => each.name === name);
  if (!file) throw new Error(`no ${name} among ${files.map((each) => each.name)}`);
  return file.content;
};

describe("a package", () => {
  test("is exactly what was planned, and its list of hashes names every file", async () => {
    const { ids, key, plan, read } = await owner("one.wav", "two.wav");
    await key("PATCH", `/tracks/details?id=${ids[0]}`, { title: "Night Bus", artist: "Ana" });

    const { body } = await plan({ where: { ids }, name: "For: Store", recipient: "Bo" });
    const response = await read(body.data.path);
    const bytes = await response.bytes();
    const files = unzipped(bytes);

    expect(response.headers.get("content-disposition")).toStartWith('attachment; filename="For_ Store.zip"');
    expect(bytes.length).toBe(body.data.sizeBytes);
    expect(body.data.bucketBytes).toBe(0);
    expect(files.map(({ name, content }) => ({ path: name, sizeBytes: content.length }))).toEqual(
      body.data.tree,
    );
    expect(files.map(({ name }) => name)).toEqual([
      "For_ Store/audio/01 Ana - Night Bus.wav",
      "For_ Store/audio/02 two.wav",
      "For_ Store/papers/split-sheet.csv",
      "For_ Store/papers/split-sheet.html",
      "For_ Store/papers/credits.csv",
      "For_ Store/papers/ai-use.csv",
      "For_ Store/papers/readiness.html",
      "For_ Store/proof/01 Night Bus.proof.json",
      "For_ Store/proof/02 two.proof.json",
      "For_ Store/proof/ledger-verify.mjs",
      "For_ Store/manifest.json",
      "For_ Store/SHA256SUMS",
    ]);
    const sums = contentOf(files, "For_ Store/SHA256SUMS").toString();
    expect(sums).toBe(
      files
        .slice(0, -1)
        .map(({ name, content }) => `${sha256(content)}  ${name.slice("For_ Store/".length)}\n`)
        .join(""),
    );
  });

  test("has a manifest that says what each file is, and what the original was", async () => {
    const { ids, plan, archive } = await owner("one.wav");

    const { body } = await plan({ where: { ids } });
    const files = await archive(body.data.path);
    const manifest = JSON.parse(contentOf(files, "Night/manifest.json").toString());

    const content = contentOf(files, "Night/audio/01 one.wav");
    expect(manifest).toMatchObject({ format: 1, profile: "store", release: { title: "Night" } });
    expect(manifest.program).toStartWith("Dubplate ");
    expect(manifest.tracks).toMatchObject([
      {
        place: 1,
        title: "one",
        writers: [],
        files: [
          {
            path: "audio/01 one.wav",
            bytes: content.length,
            sha256: sha256(content),
            originalSha256: sha256(song(200)),
          },
        ],
      },
    ]);
  });

  test("has copies that say what is known of the songs, around the same sound", async () => {
    const { ids, key, plan, archive } = await owner("one.wav", "two.wav");
    const details = { title: "Night Bus", artist: "Ana", isrc: "DEA123456789", bpm: 120 };
    await key("PATCH", `/tracks/details?id=${ids[0]}`, details);
    const { body: made } = await key("POST", "/playlists", { name: "Night", trackIds: ids });
    await key("PATCH", `/playlists/${made.data.playlist.id}`, { kind: "album", artist: "Ana & Bo" });

    const { body } = await plan({ where: { playlistId: made.data.playlist.id } });
    const files = await archive(body.data.path);
    const copy = contentOf(files, "Night/audio/01 Ana - Night Bus.wav");
    const { common } = await parseBuffer(copy, { mimeType: "audio/wav" });

    expect(common).toMatchObject({ title: "Night Bus", album: "Night", bpm: 120, track: { no: 1, of: 2 } });
    expect([common.artist, common.albumartist, common.isrc]).toEqual(["Ana", "Ana & Bo", ["DEA123456789"]]);
    expect(copy.includes(song(200).subarray(44))).toBe(true);
    const [track] = JSON.parse(contentOf(files, "Night/manifest.json").toString()).tracks;
    expect(track.files[0].written).toContain("isrc");
    expect(track.files[0].originalSha256).toBe(sha256(song(200)));
    expect(track.files[0].sha256).toBe(sha256(copy));
  });

  test("of an album has its songs in order, its codes and its cover; for a CD a cue sheet", async () => {
    const { ids, key, plan, archive } = await owner("b.wav", "a.wav");
    await key("PATCH", `/tracks/details?id=${ids[1]}`, {
      title: 'The "One"',
      artist: "Ana",
      isrc: "DEA123456789",
    });
    const { body: made } = await key("POST", "/playlists", { name: "Night", trackIds: [ids[1], ids[0]] });
    const playlistId = made.data.playlist.id;
    await key("PATCH", `/playlists/${playlistId}`, { kind: "album", artist: "Ana", upc: "4006381333931" });

    const { body } = await plan({ where: { playlistId }, profile: "cd", options: { gapSec: 1.5 } });
    const files = await archive(body.data.path);

    expect(contentOf(files, "Night/album.cue").toString().split("\r\n")).toEqual([
      "CATALOG 4006381333931",
      'PERFORMER "Ana"',
      'TITLE "Night"',
      `FILE "audio/01 Ana - The _One_.wav" WAVE`,
      "  TRACK 01 AUDIO",
      `    TITLE "The 'One'"`,
      '    PERFORMER "Ana"',
      "    ISRC DEA123456789",
      "    INDEX 01 00:00:00",
      'FILE "audio/02 b.wav" WAVE',
      "  TRACK 02 AUDIO",
      '    TITLE "b"',
      "    PREGAP 00:01:38",
      "    INDEX 01 00:00:00",
      "",
    ]);
    expect(JSON.parse(contentOf(files, "Night/manifest.json").toString()).release).toMatchObject({
      artist: "Ana",
      upc: "4006381333931",
    });
  });

  test("for an agency has the whole set of each song, in folders by kind", async () => {
    const { ids, key, plan, archive } = await owner("main.wav", "i.wav", "cut.wav", "d.wav", "x.wav");
    for (const id of ids)
      await key("PATCH", `/tracks/details?id=${id}`, { title: "Night Bus", artist: "Ana" });
    const [main, instrumental, cut, drums, other] = ids;
    const join = (id: string | undefined, kind: Json) =>
      key("PUT", `/tracks/${id}/family`, { with: main, ...kind });
    await join(instrumental, { kind: "instrumental" });
    await join(cut, { kind: "instrumental", editSec: 30 });
    await join(drums, { kind: "stem", part: "drums" });

    const { body } = await plan({ where: { ids: [instrumental, other] }, profile: "sync" });
    const files = await archive(body.data.path);

    expect(files.map(({ name }) => name).filter((name) => name.includes("/audio/"))).toEqual([
      "Night/audio/Night Bus/Ana - Night Bus.wav",
      "Night/audio/Night Bus/Instrumental/Ana - Night Bus (Instrumental).wav",
      "Night/audio/Night Bus/Instrumental/Ana - Night Bus (Instrumental, 30 s).wav",
      "Night/audio/Night Bus/Stems/Ana - Night Bus (Drums).wav",
      "Night/audio/05 Ana - Night Bus.wav",
    ]);
    const manifest = JSON.parse(contentOf(files, "Night/manifest.json").toString());
    expect(manifest.tracks.map(({ kind, editSec }: Json) => [kind, editSec])).toEqual([
      ["main", null],
      ["instrumental", null],
      ["instrumental", 30],
      ["stem", null],
      ["main", null],
    ]);
    const family = await plan({ where: { familyOf: drums } });
    expect(family.body.data.tracks).toBe(4);
  });

  test("says what was checked and what failed, in the plan, on paper and in the manifest", async () => {
    const { ids, key, plan, archive } = await owner("one.wav");
    await key("PATCH", `/tracks/details?id=${ids[0]}`, { title: "<script>alert(1)</script>" });

    const { body } = await plan({ where: { ids } });
    const files = await archive(body.data.path);
    const manifest = JSON.parse(contentOf(files, "Night/manifest.json").toString());
    const paper = contentOf(files, "Night/papers/readiness.html").toString();

    expect(body.data.findings.stop).toBeGreaterThan(0);
    const missing = manifest.tracks[0].findings.find(({ code }: Json) => code === "isrc_missing");
    expect(missing).toMatchObject({ level: "stop" });
    expect(paper).toContain(`<li>Must be mended: ${Bun.escapeHTML(missing.message)}`);
    expect(paper).toContain(manifest.rules);
    expect(paper).not.toContain("<script");
  });

  test("has the words with their times, and proofs that its own verifier accepts", async () => {
    const { ids, key, plan, archive } = await owner("one.wav");
    await key("PATCH", `/tracks/details?id=${ids[0]}`, { lyrics: "Night bus\nGoing home" });

    const { body } = await plan({ where: { ids } });
    const files = await archive(body.data.path);

    expect(contentOf(files, "Night/lyrics/01 one.txt").toString()).toBe("Night bus\nGoing home\n");
    const verifier = contentOf(files, "Night/proof/ledger-verify.mjs").toString();
    const { check, proofIn } = await import(
      `data:text/javascript;base64,${Buffer.from(verifier).toString("base64")}`
    );
    const proof = proofIn(contentOf(files, "Night/proof/01 one.proof.json").toString());
    expect(() => check(proof, {})).not.toThrow();
    const without = await plan({
      where: { ids },
      profile: "custom",
      options: { papers: ["credits.csv"], lyrics: false, proof: false },
    });
    expect(without.body.data.tree.map(({ path }: Json) => path)).toEqual([
      "Night/audio/01 one.wav",
      "Night/papers/credits.csv",
      "Night/manifest.json",
      "Night/SHA256SUMS",
    ]);
  });

  test("with both forms keeps the untouched originals in a folder of their own", async () => {
    const { ids, plan, archive } = await owner("one.wav");

    const { body } = await plan({
      where: { ids },
      profile: "custom",
      options: { formats: ["tagged", "untouched"] },
    });
    const files = await archive(body.data.path);

    expect(contentOf(files, "Night/originals/01 one.wav")).toEqual(Buffer.from(song(200)));
    expect(files.map(({ name }) => name)).toContain("Night/audio/01 one.wav");
  });

  test("has names that every system takes, whatever a title says", async () => {
    const { ids, key, plan, archive } = await owner("a.wav", "b.wav", "c.wav", "d.wav", "e.wav");
    const titles = ["../../etc/passwd", "con\u0007.wav\\x", `${"ж".repeat(400)}`, " ", "\u202e"];
    for (const [at, title] of titles.entries())
      await key("PATCH", `/tracks/details?id=${ids[at]}`, { title, artist: "Ana" });

    const { body } = await plan({ where: { ids }, name: "../.." });
    const files = await archive(body.data.path);

    for (const { name } of files) {
      expect(name).not.toMatch(/\\|\p{Cc}|:|(^|\/)\.\.?(\/|$)/u);
      for (const part of name.split("/")) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(160);
    }
    expect(files.map(({ name }) => name)).toContain("_/audio/04 Ana - d.wav");
    expect(files.map(({ name }) => name)).toContain("_/audio/05 Ana.wav");
  });
});

describe("what was delivered", () => {
  test("is listed when the last byte was taken, and not before", async () => {
    const { ids, web, read, plan } = await owner("one.wav");
    const { body } = await plan({ where: { ids }, recipient: "Bo" });
    const listed = async () => (await web("GET", "/app/deliveries")).body.data;

    const broken = (await read(body.data.path)).body?.getReader();
    await broken?.read();
    await broken?.cancel();
    await read(body.data.path, "HEAD");
    const before = await listed();
    const files = unzipped(await (await read(body.data.path)).bytes());
    const after = await listed();

    expect(before).toEqual([]);
    expect(after).toMatchObject([
      {
        id: body.data.id,
        name: "Night",
        recipient: "Bo",
        tracks: 1,
        sizeBytes: body.data.sizeBytes,
        sha256: sha256(contentOf(files, "Night/SHA256SUMS")),
        way: "zip",
        isErased: false,
      },
    ]);
    const progress = await web("GET", `/app/deliveries/${body.data.id}/progress`);
    expect(progress.body.data).toMatchObject({ state: "made", sentBytes: body.data.sizeBytes });
  });

  test("is made again from the same versions after the track has a new one", async () => {
    const { ids, web, key, plan, archive } = await owner("one.wav");
    const { body } = await plan({ where: { ids } });
    await archive(body.data.path);
    const form = new FormData();
    form.append("file", new File([song(900)], "new.wav"));
    await key("POST", `/tracks/${ids[0]}/versions`, form);
    app.clock.advance(11 * 60_000);

    const again = await archive(body.data.path);

    expect(contentOf(again, "Night/audio/01 one.wav").includes(song(200).subarray(44))).toBe(true);
    expect((await web("GET", "/app/deliveries")).body.data).toHaveLength(2);
  });

  test("is refused whole when one of its versions is gone", async () => {
    const { ids, web, read, plan, archive } = await owner("one.wav", "two.wav");
    const { body } = await plan({ where: { ids } });
    await archive(body.data.path);
    await web("DELETE", `/app/tracks/${ids[1]}`);

    const soon = await read(body.data.path);
    app.clock.advance(11 * 60_000);
    const later = await read(body.data.path);

    expect([soon.status, later.status]).toEqual([409, 409]);
    expect(await later.json()).toMatchObject({ messageCode: "changed_since" });
  });

  test("is told to other tabs when it went out, and when it is erased", async () => {
    const { accountId, ids, web, plan, archive } = await owner("one.wav");
    const { body } = await plan({ where: { ids } });
    const told = app.deps.db.$client.query<{ seq: number; topic: string }, [string, string]>(
      "SELECT seq, topic FROM account_changes WHERE account_id = ?1 AND id = ?2",
    );
    const planned = told.all(accountId, body.data.id);

    await archive(body.data.path);
    const [out] = told.all(accountId, body.data.id);
    await web("DELETE", `/app/deliveries/${body.data.id}`);
    const [erased] = told.all(accountId, body.data.id);

    expect(planned).toEqual([]);
    expect([out?.topic, erased?.topic]).toEqual(["shares", "shares"]);
    expect(erased?.seq).toBeGreaterThan(out?.seq ?? Number.POSITIVE_INFINITY);
  });

  test("is erased but for its hash", async () => {
    const { ids, web, read, plan, archive } = await owner("one.wav");
    const { body } = await plan({ where: { ids }, recipient: "Bo" });
    await archive(body.data.path);
    const path = `/app/deliveries/${body.data.id}`;
    const { body: before } = await web("GET", path);

    const erased = await web("DELETE", path);

    expect(before.data.manifest.tracks).toHaveLength(1);
    expect(erased.body.data).toEqual({ id: body.data.id, erased: true });
    const { db } = app.deps;
    const told = ["ledger_openings", "ledger_pending"].map((table) =>
      db.$client
        .query(`SELECT 1 FROM ${table} WHERE subject = ? AND detail LIKE '%recipient%'`)
        .all(body.data.id),
    );
    expect(told).toEqual([[], []]);
    const { body: after } = await web("GET", path);
    expect(after.data).toEqual({ ...before.data, recipient: null, manifest: null, isErased: true });
    expect((await read(`${path}/archive`)).status).toBe(404);
  });

  test("is nobody else's business", async () => {
    const [ana, bo] = [await owner("one.wav"), await owner("two.wav")];
    const { body } = await ana.plan({ where: { ids: ana.ids } });
    await ana.archive(body.data.path);
    const path = `/app/deliveries/${body.data.id}`;

    const seen = [
      await bo.web("GET", path),
      await bo.web("DELETE", path),
      await bo.web("GET", `${path}/progress`),
      await bo.read(`${path}/archive`),
      await bo.plan({ where: { ids: ana.ids } }),
    ];

    expect(seen.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await bo.web("GET", "/app/deliveries")).body.data).toEqual([]);
  });
});

test("a folder that cannot be written, or a damaged original, refuses a package with the reason", async () => {
  const { accountId, ids } = await owner("one.wav");
  const folder = mkdtempSync(join(tmpdir(), "unwritable-"));
  const packages = createPackages(app.deps);
  const asked = { where: { ids }, profile: "store", name: "Night" } as const;
  const plan = () => packages.plan({ accountId: accountId as LibraryId }, asked);
  const { signal } = new AbortController();
  const [gone, taken] = [join(folder, "gone"), join(folder, "taken")];
  writeFileSync(taken, "no folder");
  try {
    const refusal = { code: "storage_unavailable" };
    await expect(writeFolder(app.deps, await plan(), gone, signal)).rejects.toMatchObject(refusal);
    await expect(writeFolder(app.deps, await plan(), taken, signal)).rejects.toMatchObject(refusal);
    const inside = join(taken, "Night.zip");
    await expect(writeArchive(app.deps, await plan(), inside, signal)).rejects.toMatchObject(refusal);
    const damaged = song(200);
    damaged[damaged.length - 1] = 77;
    writeFileSync(blobPath(app.deps.settings, sha256(song(200))), damaged);
    await expect(writeFolder(app.deps, await plan(), folder, signal)).rejects.toMatchObject({
      code: "file_missing",
      message: expect.stringContaining("one.wav is damaged"),
    });
    expect(readdirSync(folder)).toEqual(["taken"]);
  } finally {
    rmSync(folder, { recursive: true });
    writeFileSync(blobPath(app.deps.settings, sha256(song(200))), song(200));
  }
});

test("a plan of tracks without a file says what to do", async () => {
  const { ids, plan } = await owner("one.wav");
  const path = blobPath(app.deps.settings, sha256(song(200)));
  rmSync(path);
  try {
    const { status, body } = await plan({ where: { ids } });

    expect(status).toBe(404);
    expect(body.message).toEndWith("Upload each again as a new version, or restore it from a backup");
  } finally {
    writeFileSync(path, song(200));
  }
});

test("of one person's plans the three newest can be made, and older ones are gone", async () => {
  const { ids, read, plan } = await owner("one.wav");
  const paths: string[] = [];
  for (const name of ["First", "Second", "Third", "Fourth"])
    paths.push((await plan({ where: { ids }, name })).body.data.path);

  const answers = await Promise.all(paths.map((path) => read(path)));

  expect(answers.map(({ status }) => status)).toEqual([404, 200, 200, 200]);
  expect(await jsonOf(answers[0] as Response)).toMatchObject({ messageCode: "not_found" });
  await Promise.all(answers.slice(1).map((answer) => answer.bytes()));
});

test("a damaged original never leaves: the archive breaks off, and says at which file", async () => {
  const { ids, web, read, plan } = await owner("one.wav", "two.wav");
  const { body } = await plan({ where: { ids } });
  const damaged = song(210);
  damaged[damaged.length - 1] = 77;
  writeFileSync(blobPath(app.deps.settings, sha256(song(210))), damaged);

  const reading = (await read(body.data.path)).bytes();

  expect(await reading.catch((error: Error) => error.message)).toContain("two.wav is damaged");
  expect((await web("GET", "/app/deliveries")).body.data).toEqual([]);
  expect((await web("GET", `/app/deliveries/${body.data.id}/progress`)).body.data).toMatchObject({
    state: "failed",
    message: "Night/audio/02 two.wav is damaged in the store: its bytes are not those that were uploaded",
  });
});

test("two packages are made at once, and a third one waits", async () => {
  const { accountId, ids } = await owner("one.wav");
  const packages = createPackages(app.deps);
  const asked = { where: { ids }, profile: "store" as const, name: "Night" };
  const plans = await Promise.all(
    [1, 2, 3].map(() => packages.plan({ accountId: accountId as LibraryId }, asked)),
  );
  const states = () => plans.map(({ progress }) => progress.state);

  // A body that is read within the process is made ahead of its reader, and would be over too soon.
  const { signal } = new AbortController();
  const bodies = plans.map((plan) => packages.archive(plan).bytes(signal));
  const firsts = bodies.map((body) => body.next());
  await Promise.all(firsts.slice(0, 2));
  const before = states();
  await bodies[0]?.return(undefined);
  await firsts[2];
  const after = states();
  for (const body of bodies) await body.return(undefined);

  expect(before).toEqual(["making", "making", "waiting"]);
  expect(after[2]).toBe("making");
});

test("a package that is written into a folder waits for its turn beside those that are sent", async () => {
  const { accountId, ids } = await owner("one.wav");
  const packages = createPackages(app.deps);
  const asked = { where: { ids }, profile: "store" as const, name: "Night" };
  const planned = () => packages.plan({ accountId: accountId as LibraryId }, asked);
  const folder = mkdtempSync(join(tmpdir(), "dubplate-delivery-"));
  const { signal } = new AbortController();
  try {
    const sent = [packages.archive(await planned()), packages.archive(await planned())];
    const [first, second] = sent.map(({ bytes }) => bytes(signal));
    await Promise.all([first?.next(), second?.next()]);
    const third = await planned();
    const written = packages.write(third, folder, signal);
    const before = [third.progress.state, readdirSync(folder)];
    await first?.return(undefined);
    await written;
    await second?.return(undefined);

    expect(before).toEqual(["waiting", []]);
    expect(third.progress.state).toBe("made");
    expect(readdirSync(folder)).toEqual(["Night"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a link for the recipient is a delivery too, and lets them download", async () => {
  const { ids, web, plan } = await owner("one.wav", "two.wav");
  const { body } = await plan({ where: { ids }, recipient: "Bo" });

  const { body: made } = await web("POST", `/app/deliveries/${body.data.id}/link`, {});
  const { body: share } = await web("GET", `/app/shares/${made.data.shareId}`);
  const [listed] = (await web("GET", "/app/deliveries")).body.data;

  expect(share.data).toMatchObject({
    entity: "playlist",
    name: "Night",
    recipient: "Bo",
    allowDownload: true,
  });
  expect(listed).toMatchObject({ way: "link", shareId: made.data.shareId, recipient: "Bo", tracks: 2 });
});

test("a plan says what making it reads from a bucket: the original, then what goes in", async () => {
  const server = await startBucketServer();
  const elsewhere = await createTestApp({ settings: { bucket: server.newBucket() } });
  try {
    const { accountId, token } = elsewhere.createAccount();
    const form = new FormData();
    form.append("files", new File([song(300)], "one.wav"));
    const { body } = await elsewhere.as(elsewhere.createKey(accountId))("POST", "/tracks/upload", form);
    const ids = [body.data.uploaded[0].id];
    const asked = { where: { ids }, profile: "store", name: "Night" };
    const { body: plan } = await elsewhere.signedIn(token)("POST", "/app/deliveries", asked);
    const read = await elsewhere.request(plan.data.path, { headers: { authorization: `Bearer ${token}` } });
    const files = unzipped(await read.bytes());

    const copy = contentOf(files, "Night/audio/01 one.wav");
    expect(plan.data.bucketBytes).toBe(song(300).length + copy.length);
  } finally {
    await elsewhere.close();
    await server.close();
  }
});

test("the folder on the server is the operator's, and there only where the server has one", async () => {
  const { ids, web, plan } = await owner("one.wav");
  const { body } = await plan({ where: { ids } });

  expect(body.data.hasFolder).toBe(false);
  expect((await web("POST", `/app/deliveries/${body.data.id}/folder`, {})).status).toBe(404);
});

test("the command's folder and archive hold what the plan says, whole or not at all", async () => {
  const { accountId, ids, web } = await owner("six.wav");
  const packages = createPackages(app.deps);
  const asked = { where: { ids }, profile: "store" as const, name: "Night" };
  const member = { accountId: accountId as LibraryId };
  const folder = mkdtempSync(join(tmpdir(), "dubplate-delivery-"));
  const { signal } = new AbortController();
  const [old, young] = [join(folder, ".pkg_old.part"), join(folder, ".pkg_young.part")];
  for (const part of [old, young]) mkdirSync(join(part, "Night"), { recursive: true });
  utimesSync(old, 0, app.deps.now() / 1000 - 2 * 86_400);
  try {
    const plan = await packages.plan(member, asked);
    const { path, files } = await writeFolder(app.deps, plan, folder, signal);
    const second = await writeFolder(app.deps, await packages.plan(member, asked), folder, signal);
    await writeArchive(app.deps, await packages.plan(member, asked), join(folder, "n.zip"), signal);

    expect(readdirSync(folder).sort()).toEqual([".pkg_young.part", "Night", "Night (2)", "n.zip"]);
    expect([path, second.path]).toEqual([join(folder, "Night"), join(folder, "Night (2)")]);
    for (const file of files) expect(sha256(readFileSync(join(folder, file.path)))).toBe(file.sha256);
    expect(unzipped(readFileSync(join(folder, "n.zip"))).map(({ name }) => name)).toEqual(
      files.map((file) => file.path),
    );
    expect((await web("GET", "/app/deliveries")).body.data.map(({ way }: Json) => way)).toEqual([
      "zip",
      "folder",
      "folder",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
