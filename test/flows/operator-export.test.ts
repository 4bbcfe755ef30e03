import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Json } from "../support/app.ts";
import { plantMails } from "../support/planted-mails.ts";
import { createProgram } from "../support/process.ts";
import { call, createTenant, fillLibrary, type Tenant } from "../support/tenant.ts";

const FIXTURES = join(import.meta.dir, "../fixtures");
const program = createProgram({ RATE_LIMIT: "0", NETWORK_ALLOW: "127.0.0.1:9" });
const folder = join(program.dataDir, "export");
let address: string;
let tenant: Tenant;
let other: Tenant;
let exported: Awaited<ReturnType<typeof program.run>>;
let library: Json;

const exportTo = (dir: string, email = tenant.email) =>
  program.run(["account", "export", "--email", email, dir], { extra: { PUBLIC_URL: address } });
const bytesOf = (path: string) => readFileSync(path).toString("hex");
const hashOf = (path: string) => new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex");

beforeAll(async () => {
  ({ address } = await program.serve());
  const hookUrl = "http://127.0.0.1:9/";
  tenant = await createTenant(program, address, { email: "ana@example.com", hookUrl });
  other = await createTenant(program, address, { email: "bo@example.com", hookUrl });
  await fillLibrary(address, tenant, other);
  await untilCarried();
  const link: Json = (await call(address, "GET", "/app/shares", undefined, tenant.session)).data.find(
    ({ url }: Json) => url === tenant.openShareUrl,
  );
  const { accountId, otherId } = tenant;
  plantMails(program.dataDir, { accountId, shareId: link.id, trackId: otherId });
  exported = await exportTo(folder);
  library = JSON.parse(readFileSync(join(folder, "library.json"), "utf8"));
});
afterAll(() => program.close());

/** Waits until the comment has its place in the first version, which is looked for in the background. */
async function untilCarried(): Promise<void> {
  const track = `${address}/app/tracks/${tenant.trackId}`;
  const read = async (path: string): Promise<Json> =>
    ((await (await fetch(`${track}${path}`, { headers: tenant.session })).json()) as Json).data;
  const first = (await read("/versions")).find(({ order }: Json) => order === 0);
  while ((await read(`/comments?versionId=${first.id}`))[0].place.how !== "carried") await Bun.sleep(50);
}

describe("account export, beside a running server", () => {
  test("reports what it wrote", () => {
    expect([exported.code, exported.stderr]).toEqual([0, ""]);
    expect(exported.rows).toEqual([
      { email: tenant.email, folder, tracks: 2, files: 5, bytes: expect.any(Number) },
    ]);
  });

  test("writes originals under readable names, and the versions of a track in a folder", () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

    expect(files.sort()).toEqual([
      "artwork/Ana _ Bo - Night_ Drive_.jpg",
      "artwork/originals/Ana _ Bo - Night_ Drive_.jpg",
      "library.json",
      "tracks/Ana _ Bo - Night_ Drive_/v1 tone.flac",
      "tracks/Ana _ Bo - Night_ Drive_/v2 (rough mix) mix 2.wav",
      "tracks/Dawn.mp3",
    ]);
    expect(bytesOf(join(folder, "tracks/Dawn.mp3"))).toBe(bytesOf(join(FIXTURES, "tone.mp3")));
    expect(bytesOf(join(folder, "tracks/Ana _ Bo - Night_ Drive_/v2 (rough mix) mix 2.wav"))).toBe(
      bytesOf(join(FIXTURES, "tone.wav")),
    );
  });

  test("describes each track with its tags, its versions and where their files are", () => {
    const track = library.tracks.find(({ id }: Json) => id === tenant.trackId);

    expect(library).toMatchObject({
      format: 1,
      program: { name: "dubplate" },
      account: { id: tenant.accountId, email: tenant.email, active: true },
    });
    expect(track).toMatchObject({
      name: "tone.flac",
      title: "Night: Drive?",
      lyrics: "Lights of the harbour",
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      coverFile: "artwork/Ana _ Bo - Night_ Drive_.jpg",
      tags: { genres: ["Deep House"], tags: ["for Bo"] },
      versions: [
        { label: null, active: false, file: "tracks/Ana _ Bo - Night_ Drive_/v1 tone.flac" },
        { label: "rough mix", active: true, mediaType: "audio/wav" },
      ],
    });
    for (const { versions } of library.tracks)
      for (const { file, sha256 } of versions) expect(hashOf(join(folder, file))).toBe(sha256);
  });

  test("says who is in the library", () => {
    expect(library.members).toMatchObject([
      {
        personId: tenant.accountId,
        name: "Ana",
        email: tenant.email,
        role: "owner",
        seesSplits: true,
        endsAt: null,
      },
    ]);
  });

  test("says to whom it wrote, what they answered and who wants no more, and never what a mail says", () => {
    expect(library.mails).toEqual([
      expect.objectContaining({
        ...{ kind: "link", toEmail: "waits@example.com", state: "waiting" },
        madeBy: { id: tenant.accountId, name: "Ana" },
      }),
      expect.objectContaining({ kind: "reminder", toEmail: "stopped@example.com", state: "sent" }),
    ]);
    expect(Object.keys(library.mails[0])).not.toContain("body");
    expect(library.answers).toMatchObject([{ answer: "interested", text: "Send stems?", doneAt: null }]);
    expect(library.stops).toMatchObject([
      { email: `other.${tenant.otherId}@example.com`, source: "link", at: expect.any(String) },
    ]);
    expect(library.wishes).toMatchObject([
      { every: "weekly", kinds: ["answers"], sentUntil: "2023-11-14T22:13:20.000Z" },
    ]);
  });

  test("has everything else of the account", () => {
    expect(library.tags).toContainEqual({ category: "genres", name: "Deep House", tracks: 1 });
    expect(library.playlists).toMatchObject([
      { id: tenant.playlistId, name: "Roughs", tracks: [{ trackId: tenant.trackId }] },
    ]);
    expect(library.composers).toMatchObject([
      { fullName: "Ada", tracks: [{ trackId: tenant.trackId, share: 60, role: "composer" }] },
    ]);
    expect(library.comments).toMatchObject([
      {
        text: "Louder here",
        positionSec: 1,
        authorId: tenant.accountId,
        parentId: null,
        places: [{ atSec: 1, how: "carried" }],
      },
    ]);
    expect(library.reviews).toEqual([]);
    expect(library.briefs).toMatchObject([
      { name: "Songs", url: tenant.brief.publicUrl, requests: [{ email: "asked@example.com" }] },
    ]);
    expect(library.submissions).toMatchObject([
      { direction: "received", message: "Mine", briefName: "Songs" },
    ]);
    expect(library.links.map(({ url }: Json) => url).sort()).toEqual(
      [tenant.shareUrl, tenant.openShareUrl, tenant.publicLink].sort(),
    );
    expect(library.links.filter(({ hasPassword }: Json) => hasPassword)).toHaveLength(1);
    expect(library.saves).toMatchObject([{ entity: "playlist", entityId: tenant.playlistId }]);
    expect(library.searches).toMatchObject([{ query: "harbour" }]);
    expect(library.notifications.map(({ kind }: Json) => kind)).toContain("brief.submission");
    expect(library.activity.map(({ metric }: Json) => metric)).toContain("shares");
    expect(library.keys).toMatchObject([{ id: tenant.keyId, name: "all" }]);
    expect(library.programs).toMatchObject([{ clientName: "Studio Helper" }]);
    expect(library.tagVerdicts).toContainEqual(
      expect.objectContaining({ verdict: "added", name: "Deep House" }),
    );
    expect(library.audit.map(({ action }: Json) => action)).toContain("account.export");
  });

  test("an export of the sender of a submission has what was sent, and nothing else of the receiver", async () => {
    const dir = join(program.dataDir, "export-of-the-other");
    await exportTo(dir, other.email);
    const text = readFileSync(join(dir, "library.json"), "utf8");

    expect(JSON.parse(text).submissions).toMatchObject([
      { direction: "sent", message: "Mine", briefName: "Songs" },
    ]);
    for (const foreign of [tenant.trackId, tenant.email, "Lights of the harbour", "asked@example.com"])
      expect(text).not.toContain(foreign);
  });

  test("holds no secret", () => {
    const text = readFileSync(join(folder, "library.json"), "utf8");

    for (const secret of [
      tenant.password,
      tenant.sharePassword,
      tenant.key.split(".")[1] ?? "",
      tenant.sessionToken,
      tenant.cookie,
      tenant.webhookSecret,
      tenant.accessToken,
      tenant.refreshToken,
      tenant.oauthCode,
      "argon2id",
    ])
      expect(text).not.toContain(secret);
  });

  test("is only for its owner to read", () => {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "library.json")).mode & 0o777).toBe(0o600);
  });

  test("is refused for a folder that is not empty, and changes nothing in it", async () => {
    const before = readdirSync(folder);

    const again = await exportTo(folder);

    expect([again.code, again.rows]).toEqual([1, []]);
    expect(again.stderr).toBe(`${folder} is not empty: name an empty folder or a new one\n`);
    expect(readdirSync(folder)).toEqual(before);
  });

  test("takes originals and pictures from the quarantine too", async () => {
    const dir = join(program.dataDir, "export-of-quarantined");
    const day = join(program.dataDir, "quarantine/2026-01-15");
    for (const shelf of ["audio", "artwork", "artwork-originals"]) {
      mkdirSync(day, { recursive: true });
      renameSync(join(program.dataDir, shelf), join(day, shelf));
    }

    const result = await exportTo(dir);
    await program.run(["quarantine", "restore"]);

    expect([result.code, result.stderr, result.rows]).toEqual([
      0,
      "",
      exported.rows.map((row) => ({ ...row, folder: dir })),
    ]);
    expect(bytesOf(join(dir, "tracks/Dawn.mp3"))).toBe(bytesOf(join(FIXTURES, "tone.mp3")));
  });

  test("names files that are missing or damaged, exports the rest, and ends with 1", async () => {
    const dir = join(program.dataDir, "export-of-damage");
    const [flac, mp3] = library.tracks.map(({ versions }: Json) => versions[0].sha256);
    const at = (sha256: string) =>
      join(program.dataDir, "audio", sha256.slice(0, 2), sha256.slice(2, 4), sha256);
    const [good, kept] = [readFileSync(at(flac)), readFileSync(at(mp3))];
    rmSync(at(flac));
    writeFileSync(at(mp3), Buffer.from(kept.map((byte) => byte ^ 1)));

    const result = await exportTo(dir);
    mkdirSync(join(at(flac), ".."), { recursive: true });
    writeFileSync(at(flac), good);
    writeFileSync(at(mp3), kept);

    expect(result.code).toBe(1);
    expect(result.stderr.split("\n")).toEqual([
      "missing: tracks/Ana _ Bo - Night_ Drive_/v1 tone.flac",
      "damaged: tracks/Dawn.mp3",
      "2 of the files could not be exported as they were uploaded: a backup may have them",
      "",
    ]);
    expect(existsSync(join(dir, "library.json"))).toBe(true);
    expect(result.rows).toMatchObject([{ tracks: 2, files: 4 }]);
  });
});

test("account export gives every track a name that any system takes, and that leads nowhere else", async () => {
  const email = "names@example.com";
  const titles = ["../../up", "CON", "Same", "same", ". .", "\u0000\n/", "ŸŹ 🎧".repeat(80), "v1.5 final."];
  await program.run(["account", "create", "--email", email, "--name", "N", "--password", "long enough"]);
  const key = String((await program.run(["key", "create", "--email", email, "--name", "k"])).rows[0]?.key);
  const form = new FormData();
  const mp3 = readFileSync(join(FIXTURES, "tone.mp3"));
  for (const index of titles.keys()) form.append("files", new File([mp3], `${index}.mp3`));
  const byKey = { "x-api-key": key };
  const { data } = await call(address, "POST", "/api/v1/tracks/upload", form, byKey);
  for (const [index, title] of titles.entries())
    await call(
      address,
      "PATCH",
      `/api/v1/tracks/details?id=${data.uploaded[index].id}`,
      { title, artist: null },
      byKey,
    );
  const dir = join(program.dataDir, "names");

  const { code } = await exportTo(dir, email);

  const names = readdirSync(join(dir, "tracks")).sort();
  const { tracks } = JSON.parse(readFileSync(join(dir, "library.json"), "utf8"));
  const [long = ""] = names.filter((name) => name.includes("🎧"));
  expect(code).toBe(0);
  expect(names.filter((name) => name !== long)).toEqual([
    "Same.mp3",
    "_.._up.mp3",
    "_CON.mp3",
    "___.mp3",
    "same (2).mp3",
    "untitled.mp3",
    "v1.5 final.mp3",
  ]);
  expect(Buffer.byteLength(long)).toBeWithin(150, 256);
  expect(tracks.map(({ versions: [{ file }] }: Json) => file.slice("tracks/".length)).sort()).toEqual(names);
});
