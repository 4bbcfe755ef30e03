import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";

type Bytes = Uint8Array<ArrayBuffer>;

let songs = 0;
/** A short song with bytes of its own. */
const song = (): Bytes => {
  songs++;
  return wavBytes([sine(8000, 0.05, 200 + songs)], 8000, 16) as Bytes;
};
const hashOf = (bytes: Bytes) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

type File = { path: string; bytes: Bytes; kind?: string; source?: string; trackId?: string; label?: string };

/** An account, and a machine that sends its files with a key. */
function studio() {
  const { accountId, token } = app.createAccount();
  const key = app.createKey(accountId);
  const ask = async (
    { path, bytes, kind = "watch", source = "mac:/Bounces", ...rest }: File,
    uploadId?: string,
  ) => {
    const about = { path, sizeBytes: bytes.length, modifiedAt: 1.5, sha256: hashOf(bytes), ...rest };
    const body = { kind, source, files: [{ ...about, ...(uploadId && { uploadId }) }] };
    const { body: answer } = await app.as(key)("POST", "/uploads/take", body);
    return answer.data.files[0] as Json;
  };
  const upload = async (bytes: Bytes): Promise<string> => {
    const { headers } = await app.request("/api/v1/uploads", {
      method: "POST",
      headers: {
        "x-api-key": key,
        "tus-resumable": "1.0.0",
        "upload-length": String(bytes.length),
        "content-type": "application/offset+octet-stream",
      },
      body: bytes,
    });
    return headers.get("location")?.split("/").at(-1) ?? "";
  };
  return {
    accountId,
    key,
    ask,
    upload,
    /** Offers a file, and sends it when it is needed. */
    take: async (file: File) => {
      const first = await ask(file);
      return first.outcome === "needed" ? ask(file, await upload(file.bytes)) : first;
    },
    web: app.signedIn(token),
    titles: async () =>
      (await app.signedIn(token)("GET", "/app/tracks?limit=200")).body.data
        .map(({ title }: Json) => title)
        .sort() as string[],
    versions: async (trackId: string) =>
      (await app.as(key)("GET", `/tracks/${trackId}/versions`)).body.data as Json,
  };
}

let ana: ReturnType<typeof studio>;
beforeEach(() => {
  ana = studio();
});

/** The table of the studio: each file with the track that it lands in and its label. */
const TABLE: readonly (readonly [path: string, song: string, label: string | null])[] = [
  ["Night Drive.wav", "Night Drive", null],
  ...["v2", "v3", "v4"].map(
    (v, at) => [`Night Drive${[" v2", "_v3", "-V4"][at]}.wav`, "Night Drive", v] as const,
  ),
  ["night drive v5.aif", "Night Drive", "v5"],
  ["Night Drive (v6).wav", "Night Drive", "v6"],
  ["Night Drive [v7].wav", "Night Drive", "v7"],
  ["Night Drive ver 8.wav", "Night Drive", "v8"],
  ["Night Drive version 9.wav", "Night Drive", "v9"],
  ["Night Drive v9.1.wav", "Night Drive", "v9.1"],
  ["Night Drive v10b.wav", "Night Drive", "v10b"],
  ["Night Drive (mix 3).aif", "Night Drive", "mix 3"],
  ["Night Drive mix4.wav", "Night Drive", "mix 4"],
  ["Night Drive - Rough Mix.wav", "Night Drive", "rough mix"],
  ["Night Drive_FINAL.wav", "Night Drive", "final"],
  ["Night Drive final 2.wav", "Night Drive", "final 2"],
  ["Night Drive MASTER.wav", "Night Drive", "master"],
  ["Night Drive (Master 2).wav", "Night Drive", "master 2"],
  ["Night Drive demo 1.wav", "Night Drive", "demo 1"],
  ["Night Drive take 5.wav", "Night Drive", "take 5"],
  ["Night Drive rev2.wav", "Night Drive", "rev 2"],
  ["Night Drive 2026-11-22.wav", "Night Drive", "2026-11-22"],
  ["Night Drive 20261123.wav", "Night Drive", "2026-11-23"],
  ["Night Drive-001.wav", "Night Drive", "001"],
  ["Night Drive (1).wav", "Night Drive", "(1)"],
  ["Night Drive v11 final.wav", "Night Drive", "v11 final"],
  ["Night Drive 2.wav", "Night Drive 2", null],
  ["Night Drive Part 2.wav", "Night Drive Part 2", null],
  ["Vol 3.wav", "Vol 3", null],
  ["808.wav", "808", null],
  ["Night Drive (Instrumental).wav", "Night Drive (Instrumental)", null],
  ["Night Drive v12 (Instrumental).wav", "Night Drive (Instrumental)", "v12"],
  ["Night Drive (Instrumental) v13.wav", "Night Drive (Instrumental)", "v13"],
  ["Night Drive (Extended Mix).wav", "Night Drive (Extended Mix)", null],
  ["Night Drive (Remix).wav", "Night Drive (Remix)", null],
  ["Night Drive (feat. Ana).wav", "Night Drive (feat. Ana)", null],
  ["Night Driver v2.wav", "Night Driver", "v2"],
  ["Été à Zürich.wav", "Été à Zürich", null],
  ["Été à Zürich v2.wav".normalize("NFD"), "Été à Zürich", "v2"],
  ["Blue Hour/v3.wav", "Blue Hour", "v3"],
];

describe("files of a folder land where their names say", () => {
  test("the files of a folder land on their tracks, name by name, as the table of the studio says", async () => {
    const landed: [string, string, string | null][] = [];
    for (const [path] of TABLE) {
      const { title, label } = await ana.take({ path, bytes: song() });
      landed.push([path, title, label]);
    }

    expect(landed).toEqual(TABLE.map((row) => [...row]));
    expect(await ana.titles()).toEqual([...new Set(TABLE.map(([, title]) => title))].sort());
  });

  test("the files of a folder land on the same tracks in reverse, though a track is then called by its first file", async () => {
    const tracks = new Map<string, string>();
    for (const [path, title] of TABLE.toReversed()) {
      const { trackId } = await ana.take({ path, bytes: song() });
      expect([path, tracks.get(title) ?? trackId]).toEqual([path, trackId]);
      tracks.set(title, trackId);
    }
    expect(new Set(tracks.values()).size).toBe(tracks.size);
  });

  test.each([
    "Halo v3 FINAL final (2) 48k.wav",
    "Halo v2 Jonas thoughts.wav",
    "Halov6.wav",
    "Halo mix.wav",
    "Halo v7 (for Jonas).wav",
    "Halo R1 -14LUFS.wav",
  ])("an odd name such as %s keeps no later version from its song", async (odd) => {
    const plain = ["Halo v1.wav", "Halo v8.wav", "Halo v9.wav"];
    const homes = async (paths: readonly string[], source: string) => {
      const taken: Json[] = [];
      for (const path of paths) taken.push(await ana.take({ path, bytes: song(), source }));
      return new Set(taken.map(({ trackId }) => trackId)).size;
    };

    const first = await homes([odd, ...plain], "mac:/a");
    ana = studio();
    const between = await homes([plain[0] ?? "", odd, ...plain.slice(1)], "mac:/a");

    expect([first, between]).toEqual([1, 1]);
  });

  test("a name written together or with its words after a number is the song's, but a song's number is not", async () => {
    const { trackId } = await ana.take({ path: "GlassHarbour.wav", bytes: song() });
    const spaced = await ana.take({ path: "Glass Harbour v2.wav", bytes: song() });
    const glued = await ana.take({ path: "glass harbourv3.wav", bytes: song() });
    const words = await ana.take({ path: "Glass Harbour v4 SSL.wav", bytes: song() });
    const others = ["Glass Harbour 5.wav", "Glass Harbour v5 Jonas mix.wav", "Glass Harbours v2.wav"];
    const own = [];
    for (const path of others) own.push((await ana.take({ path, bytes: song() })).outcome);

    expect([spaced, glued, words].map((each) => each.trackId)).toEqual([trackId, trackId, trackId]);
    expect([glued.label, words.label]).toEqual(["v3", "v4 SSL"]);
    expect(own).toEqual(["track", "track", "track"]);
  });

  test("songs that are only called Demo and Mixdown in a folder of all sorts are not one song", async () => {
    for (const folder of ["Misc", "2026", "Downloads"]) {
      const demo = await ana.take({ path: `${folder}/Demo.wav`, bytes: song() });
      const mixdown = await ana.take({ path: `${folder}/Mixdown.wav`, bytes: song() });
      expect([demo.outcome, demo.title, mixdown.outcome, mixdown.title]).toEqual([
        "track",
        "Demo",
        "track",
        "Mixdown",
      ]);
    }
  });

  test("a file that is only called Demo is a song in a folder whose songs have other names", async () => {
    await ana.take({ path: "Mara/Tide.wav", bytes: song() });
    const demo = await ana.take({ path: "Mara/Demo 2.wav", bytes: song() });
    const mixdown = await ana.take({ path: "Mara/Mixdown.wav", bytes: song() });
    const first = await ana.take({ path: "Ember/Ember v1.wav", bytes: song() });
    const second = await ana.take({ path: "Ember/Final Mix.wav", bytes: song() });

    expect([demo.outcome, demo.title, mixdown.outcome]).toEqual(["track", "Demo 2", "track"]);
    expect([second.outcome, second.trackId]).toEqual(["version", first.trackId]);
  });

  test("names of other scripts find their tracks", async () => {
    for (const [one, another] of [
      ["夜のバス.wav", "夜のバス_ミックス3.wav"],
      ["Ночь.wav", "ночь финал 2.wav"],
      ["밤 버스.wav", "밤 버스 최종.wav"],
      ["ليل.wav", "ليل v2.wav"],
    ] as const) {
      const first = await ana.take({ path: one, bytes: song() });
      const second = await ana.take({ path: another, bytes: song() });
      expect([another, second.outcome, second.trackId]).toEqual([another, "version", first.trackId]);
    }
  });

  test("the same bytes are known, whatever their name", async () => {
    const bytes = song();
    const first = await ana.take({ path: "Tide.wav", bytes });

    const again = await ana.ask({ path: "Tide.wav", bytes });
    const renamed = await ana.ask({ path: "Tide old.wav", bytes });
    const elsewhere = await ana.ask({ path: "x.wav", bytes, source: "pc:/Mixes", kind: "send" });

    expect(again).toEqual(first);
    for (const known of [renamed, elsewhere])
      expect(known).toMatchObject({ outcome: "known", trackId: first.trackId, versionId: null });
  });

  test("other bytes at the same path are the next version, whatever the track is called now", async () => {
    const { trackId } = await ana.take({ path: "Audio 1.wav", bytes: song() });
    await app.as(ana.key)("PATCH", `/tracks/details?id=${trackId}`, { title: "Tide" });

    const next = await ana.take({ path: "Audio 1.wav", bytes: song() });

    expect(next).toMatchObject({ outcome: "version", trackId, label: null });
  });

  test("the same name in another folder is another piece, and its versions find it", async () => {
    const one = await ana.take({ path: "Red/Intro.wav", bytes: song() });
    const other = await ana.take({ path: "Blue/Intro.wav", bytes: song() });
    const next = await ana.take({ path: "Blue/Bounces/Intro v2.wav", bytes: song() });

    expect(other).toMatchObject({ outcome: "track", reason: "another folder" });
    expect(other.trackId).not.toBe(one.trackId);
    expect(next).toMatchObject({ outcome: "version", trackId: other.trackId });
  });

  test("a name that two tracks have makes a third", async () => {
    for (const source of ["a", "b"]) {
      const { trackId } = await ana.take({ path: `${source}.wav`, bytes: song(), source });
      await app.as(ana.key)("PATCH", `/tracks/details?id=${trackId}`, { title: "Tide" });
    }

    expect(await ana.take({ path: "Tide v2.wav", bytes: song() })).toMatchObject({
      outcome: "track",
      reason: "ambiguous",
    });
  });

  test("an older mark, and a lossy copy of a known mark, do not become the active version", async () => {
    const { trackId } = await ana.take({ path: "Tide v10.wav", bytes: song() });
    const older = await ana.take({ path: "Tide v9.wav", bytes: song() });
    const newer = await ana.take({ path: "Tide v11.wav", bytes: song() });
    const tone = new Uint8Array(await Bun.file("test/fixtures/tone.mp3").arrayBuffer());
    const lossy = await ana.take({ path: "Tide v11.mp3", bytes: tone });

    const { activeVersionId, count } = await ana.versions(trackId);
    expect([activeVersionId, count]).toEqual([newer.versionId, 4]);
    expect([older.outcome, lossy.outcome]).toEqual(["version", "version"]);
  });

  test("a sender may name the track and the label", async () => {
    const { trackId } = await ana.take({ path: "Tide.wav", bytes: song() });
    const file = { path: "/tmp/render.wav", bytes: song(), kind: "send", trackId, label: "for Ana" };

    expect(await ana.take(file)).toMatchObject({
      outcome: "version",
      trackId,
      label: "for Ana",
      title: "Tide",
    });
  });

  test("a file that is no music, or has other bytes than announced, is refused with a reason", async () => {
    const bytes = song();
    const other = await ana.ask({ path: "Tide.wav", bytes }, await ana.upload(song()));
    const none = await ana.ask({ path: "Tide.wav", bytes }, "A".repeat(22));

    expect([other.outcome, other.reason]).toEqual(["failed", "The upload has other bytes than the file"]);
    expect(none.outcome).toBe("failed");
    expect(await ana.titles()).toEqual([]);
  });

  test("the files known of a folder can be read page by page, by their account alone", async () => {
    for (const path of ["One.wav", "Two.wav", "Two.wav"]) await ana.take({ path, bytes: song() });
    const list = (key: string, more = "") =>
      app.as(key)("GET", `/uploads/remembered?source=${encodeURIComponent("mac:/Bounces")}&limit=1${more}`);

    const first = (await list(ana.key)).body;
    const second = (await list(ana.key, `&cursor=${first.paging.next_cursor}`)).body;
    const paths = [...first.data, ...second.data].map(({ path, modifiedAt }: Json) => [path, modifiedAt]);

    expect(paths).toEqual([
      ["Two.wav", 1.5],
      ["One.wav", 1.5],
    ]);
    expect(second.paging.next_cursor).toBeNull();
    expect((await list(studio().key)).body.data).toEqual([]);
  });

  test.each([
    ["POST", "/uploads", ["read:tracks"], 403],
    ["POST", "/uploads/take", ["create:tracks"], 403],
    ["GET", "/uploads/remembered?source=a", ["update:tracks"], 403],
  ])("%s %s needs its scope", async (method, path, scopes, status) => {
    const key = app.createKey(ana.accountId, scopes);

    expect((await app.as(key)(method, path, method === "POST" ? {} : undefined)).status).toBe(status);
  });
});

describe("what was taken in shows in the console", () => {
  test("the files taken in are listed newest first, and only those that changed the library", async () => {
    const bytes = song();
    await ana.take({ path: "Tide.wav", bytes });
    await ana.take({ path: "Tide copy.wav", bytes });
    await ana.take({ path: "Tide v2.wav", bytes: song() });

    const { data } = (await ana.web("GET", "/app/intakes")).body;

    expect(data.map(({ path, outcome, title, label }: Json) => [path, outcome, title, label])).toEqual([
      ["Tide v2.wav", "version", "Tide", "v2"],
      ["Tide.wav", "track", "Tide", null],
    ]);
    expect((await studio().web("GET", "/app/intakes")).body.data).toEqual([]);
  });

  test("a version that is taken back leaves its track unchanged, and does not come back by itself", async () => {
    const bytes = song();
    const { trackId, versionId } = await ana.take({ path: "Tide.wav", bytes: song() });
    await ana.take({ path: "Tide v2.wav", bytes });
    const [{ id }] = (await ana.web("GET", "/app/intakes")).body.data;

    const undone = await ana.web("POST", `/app/intakes/${id}/undo`);
    const again = await ana.web("POST", `/app/intakes/${id}/undo`);

    expect([undone.status, undone.body.data.undoneAt === null]).toEqual([200, false]);
    expect(again.body.messageCode).toBe("undo_not_found");
    expect(await ana.versions(trackId)).toMatchObject({ activeVersionId: versionId, count: 1 });
    expect(await ana.ask({ path: "Tide v2.wav", bytes })).toMatchObject({
      outcome: "known",
      reason: "undone",
    });
    expect(await ana.ask({ path: "Tide v3.wav", bytes })).toMatchObject({
      outcome: "known",
      reason: "undone",
    });
    expect((await ana.take({ path: "Tide v4.wav", bytes: song() })).trackId).toBe(trackId);
    // Sent on purpose, it comes back.
    expect((await ana.take({ path: "Tide v2.wav", bytes, kind: "send" })).outcome).toBe("version");
  });

  test("a track that is taken back is in the bin", async () => {
    const { trackId } = await ana.take({ path: "Tide.wav", bytes: song() });
    const [{ id }] = (await ana.web("GET", "/app/intakes")).body.data;

    await ana.web("POST", `/app/intakes/${id}/undo`);

    expect(await ana.titles()).toEqual([]);
    const bin = (await ana.web("GET", "/app/tracks/deleted")).body.data;
    expect(bin.map(({ id }: Json) => id)).toEqual([trackId]);
  });

  test("a file whose track was changed since is not taken back", async () => {
    await ana.take({ path: "Tide.wav", bytes: song() });
    await ana.take({ path: "Tide v2.wav", bytes: song() });
    const { data } = (await ana.web("GET", "/app/intakes")).body;

    const { body } = await ana.web("POST", `/app/intakes/${data[1].id}/undo`);
    const foreign = await studio().web("POST", `/app/intakes/${data[0].id}/undo`);

    expect(body.messageCode).toBe("changed_since");
    expect(foreign.body.messageCode).toBe("undo_not_found");
    expect((await ana.web("GET", "/app/intakes")).body.data).toEqual(data);
  });
});
