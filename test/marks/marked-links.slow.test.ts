import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { renditions, shares, versions } from "../../db/schema.ts";
import { READING_RATE_HZ } from "../../src/audio/watermark/grid.ts";
import { readInformed } from "../../src/audio/watermark/informed.ts";
import { codeOf, patternOf } from "../../src/audio/watermark/pattern.ts";
import { scoresOf } from "../../src/audio/watermark/verdict.ts";
import { blobPath } from "../../src/blobs/store.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { renditionPath } from "../../src/modules/library/renditions/files.ts";
import { sharePages } from "../../src/modules/pages.ts";
import { findMarkKey, listCopies, setAsideEnded } from "../../src/modules/sharing/marks/service.ts";
import { grant, type Right } from "../../src/modules/sharing/shares/access/proofs.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { noise, wavBytes } from "../support/signals.ts";
import { unzipped } from "../support/unzipped.ts";

const FFMPEG = findFfmpeg(Bun.env.FFMPEG_PATH)?.path ?? "";
const RATE_HZ = 44_100;
const SECONDS = 5;
const RIGHTS: readonly Right[] = ["listen", "compare", "download"];
const folder = mkdtempSync(join(tmpdir(), "dubplate-marked-"));

let app: TestApp;
let session: ReturnType<TestApp["signedIn"]>;
let api: ReturnType<TestApp["as"]>;
let accountId: string;
/** Ids of tracks by the format of their originals. */
const tracks: Record<string, string> = {};
let playlistId: string;
/** An earlier version of the WAV, on which a link made a note. */
let earlierId: string;
const links: Json[] = [];
/** A link to the WAV with what is kept together with it. */
let set: Json;

const stereo = (seed: number) => [noise(RATE_HZ, SECONDS, 0.4, seed), noise(RATE_HZ, SECONDS, 0.4, seed + 1)];

async function ffmpeg(...args: string[]): Promise<void> {
  const { exitCode } = Bun.spawnSync([FFMPEG, "-v", "error", "-y", "-threads", "1", ...args]);
  if (exitCode !== 0) throw new Error(args.join(" "));
}

/** A sound of `seed` in a format; the file says things beside its sound. */
async function fileOf(seed: number, name: string, bits: 16 | 24): Promise<File> {
  const [wav, path] = [join(folder, `${seed}.wav`), join(folder, name)];
  await Bun.write(wav, wavBytes(stereo(seed), RATE_HZ, bits));
  const depth = name.endsWith("aiff")
    ? ["-c:a", `pcm_s${bits}be`]
    : name.endsWith("wav")
      ? ["-c:a", `pcm_s${bits}le`]
      : [];
  await ffmpeg("-i", wav, ...depth, "-metadata", "title=Night Bus", "-metadata", "comment=Take 2", path);
  return new File([await Bun.file(path).bytes()], name);
}

async function upload(file: File): Promise<string> {
  const form = new FormData();
  form.append("files", file);
  return (await api("POST", "/tracks/upload", form)).body.data.uploaded[0].id;
}

const versionsOf = (trackId: string) =>
  app.deps.db.select().from(versions).where(eq(versions.trackId, trackId)).all();
const activeOf = (trackId: string) =>
  app.deps.db.$client
    .query<{ id: string }, [string]>("SELECT active_version_id AS id FROM tracks WHERE id = ?")
    .get(trackId)?.id ?? "";
const rowOf = (id: string) => {
  const row = app.deps.db.select().from(shares).where(eq(shares.id, id)).get();
  if (!row) throw new Error("There is such a link");
  return row;
};
const share = async (body: object) =>
  (await session("POST", "/app/shares", { allowDownload: true, allowComments: true, ...body })).body.data;
const address = ({ entity, link }: Json, use: string, versionId: string, right: Right, id: string) =>
  `/${entity}/${link}/${use}/${versionId}?${grant(app.deps, rowOf(id), right, versionId)}${right === "compare" ? "&compare" : ""}`;
const listen = (link: Json, versionId: string) => address(link, "listen", versionId, "listen", link.id);
const download = (link: Json, versionId: string) => address(link, "download", versionId, "download", link.id);

beforeAll(async () => {
  app = await createTestApp({ ffmpegPath: FFMPEG });
  const account = app.createAccount();
  accountId = account.accountId;
  session = app.signedIn(account.token);
  api = app.as(app.createKey(accountId));
  for (const [index, [name, bits]] of (
    [
      ["a.wav", 16],
      ["b.flac", 24],
      ["c.aiff", 16],
      ["d.mp3", 16],
    ] as const
  ).entries())
    tracks[name] = await upload(await fileOf(10 * index + 1, name, bits));
  await app.drainJobs();
  const wav = tracks["a.wav"] ?? "";
  earlierId = activeOf(wav);
  playlistId = (await api("POST", "/playlists", { name: "Set", trackIds: Object.values(tracks) })).body.data
    .playlist.id;
  links.push(await share({ trackId: wav, recipient: "Bo", allowReview: true }));
  links.push(await share({ trackId: wav, recipient: "Cy", allowReview: true }));
  links.push(await share({ playlistId, recipient: "Bo" }));
  await api("PUT", `/tracks/${tracks["b.flac"]}/family`, { with: wav, kind: "instrumental" });
  set = await share({ trackId: wav, recipient: "Ida", wholeFamily: true });
  // A note on the earlier version, so that the page compares it with the one that plays now.
  const [bo] = links;
  app.deps.db.$client.run(
    `INSERT INTO comments (id, track_id, share_id, author_name, text, created_at, version_id, heard_label, position_sec)
     VALUES ('cmt_1', '${wav}', '${bo.id}', 'Bo', 'Louder', 1, '${earlierId}', 'v1', 2)`,
  );
  const form = new FormData();
  form.append("file", await fileOf(91, "a2.wav", 16));
  form.append("activate", "true");
  expect((await api("POST", `/tracks/${wav}/versions`, form)).status).toBe(200);
  await app.drainJobs();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Pieces of everything that must not leave: of originals and of what others hear. A codec may write one frame of a marked sound as it
 * wrote the unmarked one, so pieces of what was encoded are longer than a frame.
 */
function unmarkedPieces(): Buffer[] {
  const { db, settings } = app.deps;
  const originals = db
    .select()
    .from(versions)
    .all()
    .map(({ sha256 }) => blobPath(settings, sha256));
  const heard = db
    .select()
    .from(renditions)
    .all()
    .map((row) => renditionPath(settings, row));
  return [
    ...originals.flatMap((path) => piecesOf(path, 24)),
    ...heard.flatMap((path) => piecesOf(path, 1200)),
  ];
}

/** 40 pieces of a file, behind its head, which says what kind of file it is. */
function piecesOf(path: string, length: number): Buffer[] {
  const bytes = readFileSync(path);
  const step = Math.floor((bytes.length - 20_000 - length) / 40);
  return Array.from({ length: 40 }, (_, i) => bytes.subarray(20_000 + i * step).subarray(0, length));
}

/** What a visitor may send beside an address of sound; others are asked for as they are. */
const ASKED: readonly RequestInit[] = [
  {},
  { headers: { range: "bytes=0-" } },
  { headers: { range: "bytes=30000-30999" } },
  { headers: { range: "bytes=-2000" } },
  { headers: { accept: "audio/wav,audio/flac" } },
  { headers: { "user-agent": "AppleCoreMedia/1.0" } },
  { method: "HEAD" },
];

type Address = { at: string; method: string; path: string };

/** Every address below the links, from the table of routes, with every proof that a page of the link gives. */
function addressesOf(link: Json): Address[] {
  const ids = app.deps.db.select({ id: versions.id }).from(versions).all();
  const routes = sharePages(app.deps, {} as never).map(({ at }) => at);
  return routes.flatMap((at) => {
    const [method = "", pattern = ""] = at.split(" ");
    if (!pattern.startsWith(`/${link.entity}/`)) return [];
    const path = pattern.replace(":token", link.link).replace(":id", "cmt_1");
    const proofs = (subject: string) =>
      RIGHTS.flatMap((right) => {
        const proof =
          grant(app.deps, rowOf(link.id), right, subject) + (right === "compare" ? "&compare" : "");
        const kinds = pattern.includes("/listen/") ? ["", "&as=original", "&as=opus", "&as=aac"] : [""];
        return kinds.map((as) => proof + as);
      });
    if (!path.includes(":version"))
      return [...proofs("all"), ""].map((query) => ({ at, method, path: `${path}?${query}` }));
    return ids.flatMap(({ id }) =>
      proofs(id).map((query) => ({ at, method, path: `${path.replace(":version", id)}?${query}` })),
    );
  });
}

/** What is asked for at an address. A form says all that any form of a page says. */
function requestsOf({ at, method, path }: Address): { path: string; init: RequestInit }[] {
  if (method === "GET") return (/listen|download/.test(at) ? ASKED : [{}]).map((init) => ({ path, init }));
  const form = new URLSearchParams({
    password: "x",
    name: "Bo",
    text: "Louder",
    answer: "pass",
    verdict: "changes",
  });
  const bodies = [
    form,
    JSON.stringify({ seconds: [[0, 3]], played: [[0, 3]], versionId: earlierId, all: true }),
  ];
  return bodies.map((body) => ({ path, init: { method, body } }));
}

/** Asks for everything, and returns what had unmarked sound in it, and how many answers had sound. */
async function walk(link: Json, pieces: readonly Buffer[]): Promise<{ leaks: string[]; sounds: number }> {
  const leaks: string[] = [];
  let sounds = 0;
  for (const { path, init } of addressesOf(link).flatMap(requestsOf)) {
    const response = await app.request(path, init);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.ok && isSound(response)) sounds++;
    if (hasAny(pieces, bytes)) leaks.push(`${JSON.stringify(init)} ${path}`);
  }
  return { leaks, sounds };
}

/** What was found in bodies that were looked through: most addresses give the same few. */
const looked = new WeakMap<readonly Buffer[], Map<number | bigint, boolean>>();

function hasAny(pieces: readonly Buffer[], bytes: Buffer): boolean {
  const known = looked.get(pieces) ?? new Map<number | bigint, boolean>();
  looked.set(pieces, known);
  const hash = Bun.hash(bytes);
  const has = known.get(hash) ?? pieces.some((piece) => bytes.includes(piece));
  known.set(hash, has);
  return has;
}

const isSound = ({ headers }: Response) => /^audio|zip/.test(headers.get("content-type") ?? "");

async function decoded(bytes: Uint8Array, name: string) {
  const [path, raw] = [join(folder, name), join(folder, `${name}.f32`)];
  await Bun.write(path, bytes);
  await ffmpeg("-i", path, "-ac", "2", "-ar", String(READING_RATE_HZ), "-f", "f32le", raw);
  const samples = new Float32Array(await Bun.file(raw).arrayBuffer());
  return {
    left: samples.filter((_, i) => i % 2 === 0),
    right: samples.filter((_, i) => i % 2 === 1),
  };
}

describe.skipIf(FFMPEG === "")("a link whose copies are marked", () => {
  test("is what a new link for somebody is, and one for anyone is not", async () => {
    const trackId = tracks["b.flac"];
    const open = await share({ trackId });
    const off = await share({ trackId, recipient: "Di", isMarked: false });

    expect(links.map(({ isMarked }) => isMarked)).toEqual([true, true, true]);
    expect([open.isMarked, off.isMarked]).toEqual([false, false]);
    const on = await session("PATCH", `/app/shares/${off.id}`, { isMarked: true });
    expect(on.body.data.isMarked).toBeTrue();
    for (const { id } of [open, off]) await session("DELETE", `/app/shares/${id}`);
  });

  test("gives nothing while its copies are being made, least of all the unmarked sound", async () => {
    const trackId = tracks["c.aiff"] ?? "";
    const link = await share({ trackId, recipient: "Eve" });
    const response = await app.request(listen(link, activeOf(trackId)), { headers: { range: "bytes=0-" } });

    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("10");
    expect(await response.json()).toMatchObject({ messageCode: "being_prepared" });

    await app.drainJobs();
    const answer = await app.request(listen(link, activeOf(trackId)));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "audio/ogg"]);
    await session("DELETE", `/app/shares/${link.id}`);
  });

  test("gives no unmarked byte by any address, with any proof, range or header", async () => {
    // What was not asked for before is made now: downloads, and the earlier version.
    const [bo, , list] = links;
    for (const link of [bo, list, set])
      await Promise.all(
        addressesOf(link)
          .filter(({ method }) => method === "GET")
          .map(({ path }) => app.request(path)),
      );
    await app.drainJobs();
    const pieces = unmarkedPieces();

    for (const link of [bo, list, set]) {
      const { leaks, sounds } = await walk(link, pieces);
      expect(leaks).toEqual([]);
      expect(sounds).toBeGreaterThan(20);
    }
  });

  test("would be noticed if it did: the same walk finds the sound of a link that is not marked", async () => {
    const link = await share({ trackId: tracks["c.aiff"] });

    const { leaks } = await walk(link, unmarkedPieces());

    expect(leaks.length).toBeGreaterThan(4);
    await session("DELETE", `/app/shares/${link.id}`);
  });

  test.each(["opus", "aac"])("is heard as %s, and its mark names the recipient", async (kind) => {
    const [bo, cy] = links;
    const versionId = activeOf(tracks["a.wav"] ?? "");
    const [own, other] = await Promise.all(
      [bo, cy].map(async (link) => (await app.request(`${listen(link, versionId)}&as=${kind}`)).bytes()),
    );
    const sound = await decoded(own ?? new Uint8Array(), `heard.${kind}`);
    const original = await decoded(
      await Bun.file(
        blobPath(app.deps.settings, versionsOf(tracks["a.wav"] ?? "").at(-1)?.sha256 ?? ""),
      ).bytes(),
      "original.wav",
    );

    expect(Buffer.compare(own as Uint8Array, other as Uint8Array)).not.toBe(0);
    expect(nameOf(sound, original, versionId)).toBe("Bo");
  });

  /** Returns whose copy it is, by the best of all codes of the version. */
  function nameOf(sound: Json, original: Json, versionId: string): string | null | undefined {
    const key = findMarkKey(app.deps, { accountId, versionId });
    const copies = listCopies(app.deps.db, accountId, [versionId]);
    const readings = readInformed(sound, original, patternOf(key ?? new Uint8Array()));
    const scores = scoresOf(
      readings.map(({ soft }) => soft),
      copies.map(({ code }) => codeOf(code)),
    );
    const best = Math.max(...scores);
    return best > 7 ? copies[scores.indexOf(best)]?.recipient : undefined;
  }

  test.each(["b.flac", "c.aiff"])(
    "is downloaded in the format of %s, with all that it says",
    async (name) => {
      const trackId = tracks[name] ?? "";
      const versionId = activeOf(trackId);
      const bytes = await (await app.request(download(links[2], versionId))).bytes();
      await Bun.write(join(folder, `got-${name}`), bytes);
      const original = blobPath(app.deps.settings, versionsOf(trackId)[0]?.sha256 ?? "");
      const told = (path: string) =>
        Bun.spawnSync([
          ...[
            "ffprobe",
            "-v",
            "error",
            "-show_entries",
            "stream=codec_name,sample_rate,channels,bits_per_raw_sample,duration",
          ],
          ...["-show_entries", "format=format_name:format_tags", "-of", "json", path],
        ]).stdout.toString();

      expect(told(join(folder, `got-${name}`)).replace(/got-/, "")).toBe(told(original));
      const [marked, plain] = [
        await decoded(bytes, `got-2-${name}`),
        await decoded(await Bun.file(original).bytes(), name),
      ];
      expect(marked.left).not.toEqual(plain.left);
      expect(nameOf(marked, plain, versionId)).toBe("Bo");
      const copy = listCopies(app.deps.db, accountId, [versionId]).find(({ kind }) => kind === "download");
      expect(copy?.deliveredAt).not.toBeNull();
    },
  );

  test("keeps lossy originals for listening, also in an archive", async () => {
    const list = links[2];
    const versionId = activeOf(tracks["d.mp3"] ?? "");

    expect((await app.request(download(list, versionId))).status).toBe(403);
    expect((await app.request(listen(list, versionId))).headers.get("content-type")).toBe("audio/ogg");
    const all = await app.request(
      `/playlist/${list.link}/download?${grant(app.deps, rowOf(list.id), "download", "all")}`,
    );
    expect(
      unzipped(await all.bytes())
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["a2.wav", "b.flac", "c.aiff"]);
    const page = await (await app.request(`/playlist/${list.link}`)).text();
    expect(page).not.toContain(`/download/${versionId}`);
  });

  test("is marked in the archive of a set, with what is kept together", async () => {
    const proof = grant(app.deps, rowOf(set.id), "download", "all");
    const archive = unzipped(await (await app.request(`/track/${set.link}/download?${proof}`)).bytes());
    const [versionId, other] = [activeOf(tracks["a.wav"] ?? ""), activeOf(tracks["b.flac"] ?? "")];
    const files = [versionId, other].map((id) => app.request(download(set, id)));
    const alone = await Promise.all(files.map(async (file) => Buffer.from(await (await file).arrayBuffer())));

    expect(archive.map(({ content }) => content.length).sort()).toEqual(
      alone.map(({ length }) => length).sort(),
    );
    for (const { content } of archive) expect(alone.some((file) => file.equals(content))).toBeTrue();
  });

  test("gives nothing unmarked while its job runs, its version changes, and its switch is turned", async () => {
    const trackId = tracks["c.aiff"] ?? "";
    const versionId = activeOf(trackId);
    const link = await share({ trackId, recipient: "Flo" });
    const next = await fileOf(71, "c2.aiff", 16);
    const pieces = [...unmarkedPieces(), ...piecesOf(join(folder, "c2.aiff"), 24)];
    const statuses = new Set<number>();
    const leaks: string[] = [];
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const response = await app.request(path, { headers });
      statuses.add(response.status);
      if (hasAny(pieces, Buffer.from(await response.arrayBuffer()))) leaks.push(path);
      return response;
    };
    const askDuring = async (work: Promise<unknown>) => {
      let isOver = false;
      const over = work.finally(() => {
        isOver = true;
      });
      const paths = () => versionsOf(trackId).flatMap(({ id }) => [listen(link, id), download(link, id)]);
      // Each waits for its copy while the job runs, so that they meet it at different moments.
      while (!isOver)
        await Promise.all(paths().flatMap((path) => [ask(path), ask(path, { range: "bytes=30000-" })]));
      await over;
    };
    await askDuring(app.drainJobs());

    const form = new FormData();
    form.append("file", next);
    form.append("activate", "true");
    const activating = api("POST", `/tracks/${trackId}/versions`, form).then(() => app.drainJobs());
    await askDuring(activating);
    const newId = activeOf(trackId);

    await session("PATCH", `/app/shares/${link.id}`, { isMarked: false });
    const plain = await app.request(listen(link, newId));
    const [tag, length] = [plain.headers.get("etag") ?? "", (await plain.bytes()).length];
    await session("PATCH", `/app/shares/${link.id}`, { isMarked: true });
    const kept = await ask(listen(link, newId), { "if-none-match": tag });
    const rest = await ask(listen(link, newId), { range: `bytes=${length - 1000}-`, "if-range": tag });
    await session("PATCH", `/app/shares/${link.id}`, { recipient: "Gus" });
    const theirs = await ask(listen(link, newId), { "if-none-match": kept.headers.get("etag") ?? "" });

    expect(leaks).toEqual([]);
    expect(newId).not.toBe(versionId);
    expect([kept.status, rest.status, theirs.status]).toEqual([200, 200, 503]);
    // Heard and downloaded, in parts, waited for, and what a link does not open.
    expect([...statuses].filter((status) => ![200, 206, 404, 403, 503].includes(status))).toEqual([]);
    expect([...statuses]).toContain(206);
    await session("DELETE", `/app/shares/${link.id}`);
  });

  test("has a copy of a version that becomes active before somebody asks for it", async () => {
    const trackId = tracks["c.aiff"] ?? "";
    const list = links[2];
    const newId = activeOf(trackId);

    const heard = listCopies(app.deps.db, accountId, [newId]).filter(({ shareId }) => shareId === list.id);

    expect(heard).toMatchObject([{ kind: "listen", deliveredAt: null }]);
    expect((await app.request(listen(list, newId))).status).toBe(200);
  });

  test("has tags of its own: nothing that was kept of another link or of the unmarked sound is confirmed", async () => {
    const [bo, cy] = links;
    const versionId = activeOf(tracks["a.wav"] ?? "");
    const tagOf = async (link: Json) =>
      (await app.request(listen(link, versionId))).headers.get("etag") ?? "";
    const [own, other] = [await tagOf(bo), await tagOf(cy)];
    await session("PATCH", `/app/shares/${cy.id}`, { isMarked: false });
    const unmarked = await tagOf(cy);
    await session("PATCH", `/app/shares/${cy.id}`, { isMarked: true });
    const statusWith = async (etag: string) =>
      (await app.request(listen(bo, versionId), { headers: { "if-none-match": etag } })).status;

    expect(new Set([own, other, unmarked]).size).toBe(3);
    expect(await Promise.all([own, other, unmarked].map(statusWith))).toEqual([304, 200, 200]);
    const half = await app.request(listen(bo, versionId), {
      headers: { range: "bytes=1000-", "if-range": unmarked },
    });
    expect(half.status).toBe(200);
  });

  test("is made again with the same bits when its file is gone, and set aside when the link ends", async () => {
    const [bo] = links;
    const versionId = activeOf(tracks["a.wav"] ?? "");
    const before = await (await app.request(download(bo, versionId))).bytes();
    app.deps.db.$client.run("UPDATE marked_files SET is_kept = 0");
    await app.request(download(bo, versionId));
    await app.drainJobs();
    const again = await (await app.request(download(bo, versionId))).bytes();

    expect(Buffer.compare(again, before)).toBe(0);
    await session("DELETE", `/app/shares/${bo.id}`);
    app.clock.advance(DAY_MS);
    setAsideEnded(app.deps);
    const kept = app.deps.db.$client
      .query(
        "SELECT 1 FROM marked_files f JOIN marked_copies c ON c.id = f.copy_id WHERE c.share_id = ? AND f.is_kept",
      )
      .all(bo.id);
    expect(kept).toEqual([]);
    expect(listCopies(app.deps.db, accountId).some(({ shareId }) => shareId === bo.id)).toBeTrue();
  });
});
