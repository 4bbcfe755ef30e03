import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LibraryId } from "../../db/schema.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { createPackages, makeMarks, writeFolder } from "../../src/modules/delivery/packages/service.ts";
import { listCopies, setAsideEnded } from "../../src/modules/sharing/marks/service.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { noise, wavBytes } from "../support/signals.ts";
import { unzipped } from "../support/unzipped.ts";

const FFMPEG = findFfmpeg(Bun.env.FFMPEG_PATH)?.path ?? "";
const RATE_HZ = 44_100;
const SECONDS = 8;
const folder = mkdtempSync(join(tmpdir(), "dubplate-marked-"));
const master = wavBytes([noise(RATE_HZ, SECONDS, 0.4, 1), noise(RATE_HZ, SECONDS, 0.4, 2)], RATE_HZ, 16);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

let app: TestApp;
let web: ReturnType<TestApp["signedIn"]>;
let token: string;
let accountId: LibraryId;
let ids: string[];
let first: { id: string; files: { name: string; content: Buffer }[] };

beforeAll(async () => {
  app = await createTestApp({ ffmpegPath: FFMPEG });
  const account = app.createAccount();
  [accountId, token] = [account.accountId as LibraryId, account.token];
  web = app.signedIn(token);
  const mp3 = Bun.spawnSync([FFMPEG, "-v", "error", "-i", "-", "-f", "mp3", "-"], { stdin: master }).stdout;
  const form = new FormData();
  form.append("files", new File([master], "night.wav"));
  form.append("files", new File([Uint8Array.from(mp3)], "rain.mp3"));
  const { body } = await app.as(app.createKey(accountId))("POST", "/tracks/upload", form);
  ids = body.data.uploaded.map(({ id }: Json) => id);
  await app.drainJobs();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const plan = async (asked: Json) =>
  (await web("POST", "/app/deliveries", { name: "Estuary", where: { ids: ids.slice(0, 1) }, ...asked })).body
    .data;
const read = (path: string) => app.request(path, { headers: { authorization: `Bearer ${token}` } });
const progressOf = async (id: string) => (await web("GET", `/app/deliveries/${id}/progress`)).body.data;
const contentOf = (files: typeof first.files, name: string) =>
  files.find((file) => file.name === `Estuary/${name}`)?.content ?? Buffer.alloc(0);

async function lookUp(file: Uint8Array): Promise<Json> {
  const body = new FormData();
  body.set("file", new File([Uint8Array.from(file)], "posted.wav"));
  body.set("trackId", ids[0] ?? "");
  const answer = await app.request("/app/leaks", {
    ...{ method: "POST", body, headers: { authorization: `Bearer ${token}` } },
  });
  const { data } = (await answer.json()) as Json;
  for (;;) {
    const leak = (await web("GET", `/app/leaks/${data.id}`)).body.data;
    if (leak.status !== "working") return leak;
    await Bun.sleep(20);
  }
}

/** 40 pieces of the master's sound, none of which may be in what somebody got. */
const pieces = Array.from({ length: 40 }, (_, i) =>
  Buffer.from(master)
    .subarray(2000 + 9000 * i)
    .subarray(0, 24),
);

describe.skipIf(FFMPEG === "")("a package for somebody", () => {
  test("is marked for an agency and a person; stores, plants and nobody get masters as they are", async () => {
    const isMarked = async (asked: Json) => (await plan(asked)).isMarked;

    expect(await isMarked({ profile: "sync", recipient: "Bo" })).toBeTrue();
    expect(await isMarked({ profile: "custom", recipient: "Bo" })).toBeTrue();
    expect(await isMarked({ profile: "custom", recipient: "Bo", isMarked: false })).toBeFalse();
    expect(await isMarked({ profile: "custom" })).toBeFalse();
    expect(await isMarked({ profile: "store", recipient: "Bo" })).toBeFalse();
    expect(await isMarked({ profile: "cd", recipient: "Bo" })).toBeFalse();
    const asked = { where: { ids }, name: "Estuary", isMarked: true };
    const refused = [
      await web("POST", "/app/deliveries", { ...asked, profile: "store", recipient: "Bo" }),
      await web("POST", "/app/deliveries", { ...asked, profile: "custom" }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400]);
  });

  test("is not there until its copies are made, and then is what its hashes say, without a piece of the master", async () => {
    const options = { formats: ["tagged", "untouched"] };
    const { id, path } = await plan({ profile: "custom", recipient: "Bo", where: { ids }, options });
    const early = await read(path);
    expect([early.status, early.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(await early.json()).toMatchObject({ messageCode: "being_prepared" });
    expect(await progressOf(id)).toMatchObject({ state: "marking", markedTracks: 0 });
    await app.drainJobs();
    const { state, sizeBytes } = await progressOf(id);
    const archive = await read(path);
    const bytes = await archive.bytes();
    first = { id, files: unzipped(bytes) };

    expect([state, bytes.length, Number(archive.headers.get("content-length"))]).toEqual([
      "planned",
      sizeBytes,
      sizeBytes,
    ]);
    expect(first.files.map(({ name }) => name).slice(0, 3)).toEqual([
      "Estuary/audio/01 night.wav",
      "Estuary/audio/02 rain.m4a",
      "Estuary/originals/01 night.wav",
    ]);
    for (const line of contentOf(first.files, "SHA256SUMS").toString().trim().split("\n")) {
      const [hash, name = ""] = line.split(/ [ *]/);
      expect([name, sha256(contentOf(first.files, name))]).toEqual([name, hash ?? ""]);
    }
    expect(first.files.filter(({ content }) => pieces.some((piece) => content.includes(piece)))).toEqual([]);
    const manifest = JSON.parse(contentOf(first.files, "manifest.json").toString());
    expect(manifest.tracks[0].files[0]).toMatchObject({
      ...{ isMarked: true, originalSha256: sha256(master), pcmSha256: null },
      sha256: sha256(contentOf(first.files, "audio/01 night.wav")),
    });
    expect((await web("GET", "/app/deliveries")).body.data[0]).toMatchObject({
      ...{ id, isMarked: true, recipient: "Bo" },
    });
  });

  test("is one delivery, however often it is sent while it is planned", async () => {
    const listed = async () => (await web("GET", "/app/deliveries")).body.data.length;
    const before = await listed();

    const { length } = await (await read(`/app/deliveries/${first.id}/archive`)).bytes();

    expect(length).toBeGreaterThan(0);
    expect(await listed()).toBe(before);
  });

  test("leads to its recipient, by its bytes and by its sound", async () => {
    const file = contentOf(first.files, "audio/01 night.wav");
    // Cut in the middle of a tag and of the sound, it is another file.
    const [whole, part] = [await lookUp(file), await lookUp(file.subarray(0, file.length - 30_000))];

    expect([whole, part].map(({ says, method }) => [says, method])).toEqual([
      ["named", "exact"],
      ["named", "informed"],
    ]);
    for (const { candidates } of [whole, part])
      expect(candidates).toMatchObject([
        { recipient: "Bo", packageId: first.id, kind: "package", shareId: null },
      ]);
    expect(part.candidates[0].deliveredAt).not.toBeNull();
  });

  test("is made again with codes of its own, and asking twice begins once", async () => {
    const { body } = await web("POST", `/app/deliveries/${first.id}/marks`);
    expect(body.data.id).toBe(first.id);
    app.clock.advance(3_600_000);
    const again = (await web("POST", `/app/deliveries/${first.id}/marks`)).body.data;
    const twice = (await web("POST", `/app/deliveries/${first.id}/marks`)).body.data;
    const codes = listCopies(app.deps.db, accountId).map(({ code }) => code.toString("hex"));

    expect([again.id === first.id, twice.id]).toEqual([false, again.id]);
    expect([codes.length, new Set(codes).size]).toEqual([4, 4]);
  });

  test("says that it cannot be made when a version is deleted while its copies are made", async () => {
    const api = app.as(app.createKey(accountId));
    const path = `/tracks/${ids[0]}/versions`;
    const { id: earlier } = app.deps.db.$client
      .query<{ id: string }, [string]>("SELECT active_version_id AS id FROM tracks WHERE id = ?")
      .get(ids[0] ?? "") ?? { id: "" };
    const form = new FormData();
    form.append("file", new File([wavBytes([noise(RATE_HZ, 2, 0.4, 9)], RATE_HZ, 16)], "night 2.wav"));
    form.append("activate", "true");
    const { body } = await api("POST", path, form);
    await app.drainJobs();
    const { id } = await plan({ profile: "custom", recipient: "Bo" });
    await web("POST", `/app/deliveries/${id}/marks`);
    await api("POST", `${path}/${earlier}/activate`);
    const gone = await api("DELETE", `${path}/${body.data.id}`);
    expect(gone.status).toBe(200);

    await app.drainJobs();

    expect(await progressOf(id)).toMatchObject({
      state: "failed",
      message: expect.stringContaining("Leave it out"),
    });
  });

  test("that was not sent is forgotten after a day, and what broke off can be erased", async () => {
    const [unsent, broken] = [
      await plan({ profile: "custom", recipient: "Never" }),
      await plan({ profile: "custom", recipient: "Partly" }),
    ];
    for (const { id } of [unsent, broken]) await web("POST", `/app/deliveries/${id}/marks`);
    await app.drainJobs();
    await progressOf(broken.id);
    const body = (await read(broken.path)).body?.getReader();
    await body?.read();
    await body?.cancel();
    const recipients = () => listCopies(app.deps.db, accountId).map(({ recipient }) => recipient);
    expect(recipients()).toContain("Never");
    app.clock.advance(DAY_MS + 1);
    setAsideEnded(app.deps);
    expect(recipients()).not.toContain("Never");
    expect(recipients()).toContain("Partly");

    const erased = await web("DELETE", `/app/deliveries/${broken.id}`);

    expect(erased.status).toBe(200);
    expect(recipients()).not.toContain("Partly");
    expect((await web("DELETE", `/app/deliveries/${broken.id.replace(/.$/, "x")}`)).status).toBe(404);
  });

  test("is a link whose copies are marked, where it is one", async () => {
    const [{ id }, { id: store }] = [
      await plan({ profile: "sync", recipient: "Bo" }),
      await plan({ profile: "store", recipient: "Bo" }),
    ];
    const linkOf = async (plan: string) => (await web("POST", `/app/deliveries/${plan}/link`)).body.data;
    const [marked, plain] = [await linkOf(id), await linkOf(store)];
    const isMarked = async ({ shareId }: Json) =>
      (await web("GET", `/app/shares/${shareId}`)).body.data.isMarked;
    const { manifest } = (await web("GET", `/app/deliveries/${marked.id}`)).body.data;

    expect([await isMarked(marked), await isMarked(plain)]).toEqual([true, false]);
    expect(manifest.tracks[0].files[0]).toMatchObject({ isMarked: true, sha256: null });
  });

  test("keeps its files for a day and its codes for good; erased, it names nobody", async () => {
    app.clock.advance(DAY_MS);
    setAsideEnded(app.deps);
    const kept = app.deps.db.$client.query("SELECT 1 FROM marked_files WHERE is_kept").all();
    await web("DELETE", `/app/deliveries/${first.id}`);
    const [{ recipient, packageId }] = (await lookUp(contentOf(first.files, "audio/01 night.wav")))
      .candidates;

    expect(kept).toEqual([]);
    expect([recipient, packageId]).toEqual([null, first.id]);
  });

  test("is marked by the command too, which has no jobs", async () => {
    const packages = createPackages(app.deps);
    const asked = {
      where: { ids: ids.slice(0, 1) },
      profile: "sync",
      name: "Estuary",
      recipient: "Cy",
    } as const;
    const planned = await packages.plan({ accountId }, asked);
    const { signal } = new AbortController();
    await expect(writeFolder(app.deps, planned, folder, signal)).rejects.toThrow("before its copies are");
    await makeMarks(app.deps, planned, signal);
    const { files } = await writeFolder(app.deps, planned, folder, signal);
    const sound = files.find(({ path }) => path.endsWith(".wav"));

    expect(readdirSync(folder)).toEqual(["Estuary"]);
    const bytes = readFileSync(join(folder, sound?.path ?? ""));
    expect(pieces.some((piece) => bytes.includes(piece))).toBeFalse();
    expect((await lookUp(bytes)).candidates).toMatchObject([{ recipient: "Cy", kind: "package" }]);
  });
});
