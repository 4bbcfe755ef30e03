import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { analyses, renditions, versions } from "../../db/schema.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addPlayer, queryOf, upload } from "../support/door.ts";
import { picture } from "../support/pictures.ts";
import { noise, wavBytes } from "../support/signals.ts";
import { addMeasuredRow } from "../support/track-rows.ts";
import { ANSWERS, asJson, faults, readXml, withEmptyLists } from "./shapes.ts";

const HOSTILE = `]]> & <b> "x" \u0000\ud800 ümlaut`;

let app: TestApp;
let owner: ReturnType<TestApp["createAccount"]>;
let key: ReturnType<TestApp["as"]>;
let web: ReturnType<TestApp["signedIn"]>;
let player: Awaited<ReturnType<typeof addPlayer>>;
let drive: { id: string; bytes: Uint8Array };
let rain: { id: string; bytes: Uint8Array };
let drums: { id: string; bytes: Uint8Array };
let loose: { id: string; bytes: Uint8Array };
let albumId: string;

const measured = (id: string, integratedLufs: number, truePeakDbtp: number, durationSec: number) => {
  const version = app.deps.db.select().from(versions).where(eq(versions.trackId, id)).get();
  app.deps.db.delete(analyses).where(eq(analyses.trackId, id)).run();
  addMeasuredRow(app.deps.db, id, version?.id ?? "", { integratedLufs, truePeakDbtp, durationSec });
};

/** Puts a rendition of a track's audio where an encoder would. */
function rendition(id: string, bytes: string): void {
  const { db, settings } = app.deps;
  const sha256 = db.select().from(versions).where(eq(versions.trackId, id)).get()?.sha256 ?? "";
  mkdirSync(join(settings.dataDir, "renditions"), { recursive: true });
  writeFileSync(join(settings.dataDir, "renditions", `${sha256}.m4a`), bytes);
  db.insert(renditions).values({ sha256, encoding: "aac", sizeBytes: bytes.length, createdAt: 1 }).run();
}

beforeAll(async () => {
  app = await createTestApp();
  owner = app.createAccount();
  key = app.as(app.createKey(owner.accountId));
  web = app.signedIn(owner.token);
  drive = await upload(app, key, "Night Drive.wav", 1);
  rain = await upload(app, key, "Rain.wav", 2);
  drums = await upload(app, key, "Rain (Drums).wav", 3);
  loose = await upload(app, key, "Loose.wav", 4);
  const details = (id: string, body: Json) => key("PATCH", `/tracks/details?id=${id}`, body);
  const cover = `data:image/png;base64,${(await picture("png", { width: 500, height: 500 })).toString("base64")}`;
  await details(drive.id, {
    title: "Night Drive",
    artist: "Mara",
    cover,
    year: "2024",
    bpm: 121.6,
    isrc: "DEA123456789",
  });
  await details(rain.id, {
    title: HOSTILE,
    artist: "Mara & Jonas",
    lyrics: "One\n\nTwo",
    language: "English",
  });
  await key("PUT", `/tracks/${drive.id}/lyrics`, { lrc: "[00:01.50]Headlights\n[00:04.00]Rain" });
  await key("PUT", `/tracks/${drums.id}/family`, { with: rain.id, kind: "stem", part: "drums" });
  const made = await web("POST", "/app/playlists", {
    name: "Wanderer",
    kind: "album",
    artist: "Mara",
    type: "ep",
    label: "Nachtzug",
    releaseDate: "2026-03",
    trackIds: [rain.id, drive.id],
  });
  albumId = made.body.data.id;
  await web("POST", "/app/playlists", { name: "Car", trackIds: [drive.id, drive.id, loose.id] });
  await web("PUT", `/app/saves/track/${drive.id}`);
  await web("PUT", `/app/saves/playlist/${albumId}`);
  await key("PUT", "/tags/tracks", { trackId: drive.id, genres: ["techno"] }).catch(() => undefined);
  measured(drive.id, -9, -0.5, 180);
  measured(rain.id, -12, -1, 60);
  rendition(drive.id, "small sound");
  player = await addPlayer(app, owner.token);
});
afterAll(() => app.close());

const songOf = async (id: string): Promise<Json> => (await player.door("getSong", { id })).song;
const albumNamed = async (name: string): Promise<Json> =>
  (await player.door("search3", { query: "" })).searchResult3.album.find((each: Json) => each.name === name);

describe("a library at the door", () => {
  test("is listed as a whole by an empty query, and by two quotes, in pages that lose nothing", async () => {
    const whole = (await player.door("search3", { query: '""', songCount: 500 })).searchResult3;
    const pages: string[] = [];
    for (let songOffset = 0; songOffset < 5; songOffset++)
      for (const { id } of (await player.door("search3", { query: "", songCount: 1, songOffset }))
        .searchResult3.song)
        pages.push(id);

    expect(whole.song.map(({ id }: Json) => id)).toEqual(pages);
    expect(pages).toHaveLength(4);
    expect(whole.artist.map(({ name }: Json) => name)).toEqual(["Mara", "Mara & Jonas", "Someone"]);
    expect(whole.album.map(({ name }: Json) => name)).toEqual([
      HOSTILE.toWellFormed(),
      "Unreleased",
      "Wanderer",
    ]);
  });

  test("has the library's albums, sets and what is unreleased as albums", async () => {
    const wanderer = (await player.door("getAlbum", { id: (await albumNamed("Wanderer")).id })).album;
    const set = (await player.door("getAlbum", { id: (await albumNamed(HOSTILE.toWellFormed())).id })).album;

    expect(wanderer).toMatchObject({
      artist: "Mara",
      songCount: 2,
      duration: 240,
      year: 2026,
      releaseDate: { year: 2026, month: 3 },
      recordLabels: [{ name: "Nachtzug" }],
      releaseTypes: ["EP"],
      starred: expect.any(String),
      song: [
        { id: `${rain.id}-0`, track: 1, album: "Wanderer", artist: "Mara & Jonas", parent: wanderer.id },
        { id: `${drive.id}-0`, track: 2, title: "Night Drive", bpm: 122, isrc: ["DEA123456789"], year: 2024 },
      ],
    });
    expect(set).toMatchObject({
      releaseTypes: ["Single"],
      song: [{ id: `${rain.id}-0` }, { id: `${drums.id}-0` }],
    });
    expect((await songOf(rain.id)).albumId).toBe(wanderer.id);
    expect((await songOf(drums.id)).albumId).toBe(set.id);
    expect((await songOf(loose.id)).album).toBe("Unreleased");
  });

  test("says how loud a song is, and its album as a whole", async () => {
    const { replayGain } = await songOf(drive.id);

    // -9 LUFS for 180 s and -12 LUFS for 60 s are -9.58 LUFS together.
    expect(replayGain).toEqual({ trackGain: -9, albumGain: -8.42, trackPeak: 0.944061, albumPeak: 0.944061 });
    expect((await songOf(loose.id)).replayGain).toBeUndefined();
    expect((await songOf(drums.id)).replayGain).toBeUndefined();
  });

  test("finds by the beginnings of words, and forgives slips of spelling where nothing has the words as they are", async () => {
    const find = async (query: string) =>
      (await player.door("search3", { query })).searchResult3.song.map(({ title }: Json) => title);

    expect(await find("nig dri")).toEqual(["Night Drive"]);
    expect(await find("NIGHT wander")).toEqual(["Night Drive"]);
    expect(await find("nihgt drvie")).toEqual(["Night Drive"]);
    expect(await find("rive")).toEqual(["Night Drive"]);
    expect(await find("ive")).toEqual([]);
    expect(await find("nihgt zebra")).toEqual([]);
    expect(await find("!?")).toEqual([]);
    expect(await find("umlaut mara jo")).toEqual([HOSTILE.toWellFormed()]);
  });

  test("has its playlists behind two that are made, and what was saved as starred", async () => {
    const { playlist } = (await player.door("getPlaylists")).playlists;
    const car = (await player.door("getPlaylist", { id: playlist[2].id })).playlist;
    const added = (await player.door("getPlaylist", { id: "auto-added" })).playlist;

    expect(playlist.map(({ name, readonly }: Json) => [name, readonly])).toEqual([
      ["Recently added", true],
      ["New mixes", true],
      ["Car", true],
    ]);
    expect(car.entry.map(({ id }: Json) => id)).toEqual(
      [drive.id, drive.id, loose.id].map((id) => `${id}-0`),
    );
    expect(car.created).toMatch(/^2026-.*\.\d{3}Z$/);
    expect(added.entry.map(({ id }: Json) => id)).toEqual(
      [loose.id, rain.id, drive.id].map((id) => `${id}-0`),
    );
    const { starred2 } = await player.door("getStarred2");
    expect([starred2.song, starred2.album]).toMatchObject([
      [{ id: `${drive.id}-0` }],
      [{ name: "Wanderer" }],
    ]);
  });

  test("has words with their times where these are known", async () => {
    const of = async (id: string) =>
      (await player.door("getLyricsBySongId", { id })).lyricsList.structuredLyrics;

    expect(await of(drive.id)).toMatchObject([
      {
        synced: true,
        lang: "xxx",
        displayTitle: "Night Drive",
        line: [
          { start: 1500, value: "Headlights" },
          { start: 4000, value: "Rain" },
        ],
      },
    ]);
    expect(await of(rain.id)).toMatchObject([
      { synced: false, lang: "en", line: [{ value: "One" }, { value: "" }, { value: "Two" }] },
    ]);
    expect(await of(loose.id)).toEqual([]);
    const { lyrics } = await player.door("getLyrics", { artist: "mara", title: "night drive" });
    expect(lyrics).toEqual({ artist: "Mara", title: "Night Drive", value: "Headlights\nRain" });
  });

  test("counts its years and lists albums by them, by name, and the newest first", async () => {
    const list = async (type: string, more = {}) =>
      (await player.door("getAlbumList2", { type, ...more })).albumList2.album.map(({ name }: Json) => name);
    const all = [HOSTILE.toWellFormed(), "Unreleased", "Wanderer"];

    expect(await list("alphabeticalByName")).toEqual(all);
    expect(await list("newest")).toEqual(["Unreleased", HOSTILE.toWellFormed(), "Wanderer"]);
    expect((await list("random")).sort()).toEqual([...all].sort());
    expect(await list("byYear", { fromYear: 2030, toYear: 2020 })).toEqual(["Wanderer"]);
    expect(await list("starred")).toEqual(["Wanderer"]);
    expect(await list("alphabeticalByArtist", { size: 1, offset: 1 })).toHaveLength(1);
    expect((await player.door("getAlbumList2", { type: "loudest" })).error.code).toBe(0);
    expect((await player.door("getAlbumList2")).error.code).toBe(10);
  });

  test("has one music folder; another one is empty", async () => {
    const { artists } = await player.door("getArtists", { musicFolderId: 2 });

    expect(artists.index).toEqual([]);
    expect((await player.door("getMusicFolders")).musicFolders.musicFolder).toEqual([
      { id: 1, name: "Someone" },
    ]);
  });

  test("a new mix is a new song, and the old id still leads to its track", async () => {
    const { id, bytes } = await upload(app, key, "Demo.wav", 7);
    const mix = wavBytes([noise(8000, 1, 0.5, 8)], 8000, 16) as Uint8Array<ArrayBuffer>;
    const form = new FormData();
    form.append("activate", "true");
    form.append("file", new File([mix], "Demo 2.wav"));
    await key("POST", `/tracks/${id}/versions`, form);

    const { song } = (await player.door("search3", { query: "demo" })).searchResult3;
    const stream = await player.get(`stream?id=${id}-0&format=raw`);

    expect(song.map((each: Json) => each.id)).toEqual([`${id}-1`]);
    expect((await songOf(`${id}-0`)).id).toBe(`${id}-1`);
    expect(await stream.bytes()).toEqual(mix);
    expect(bytes).not.toEqual(mix);
    const { playlist } = await player.door("getPlaylist", { id: "auto-changed" });
    expect(playlist.entry.map((each: Json) => each.id)).toEqual([`${id}-1`]);
    await key("DELETE", `/tracks?id=${id}`);
    app.deps.db.$client.run("UPDATE tracks SET deleted_at = 1 WHERE id = ?", [id]);
    expect((await player.door("getSong", { id: `${id}-1` })).error.code).toBe(70);
    expect((await player.door("stream", { id: `${id}-1` })).error.code).toBe(70);
    expect((await player.door("search3", { query: "demo" })).searchResult3.song).toEqual([]);
  });
});

/** What to ask each method for, where it must be asked for something. */
async function asked(): Promise<Record<string, Json>> {
  const song = await songOf(drive.id);
  return {
    getUser: { username: player.username },
    getMusicDirectory: { id: song.albumId },
    getArtist: { id: song.artistId },
    getAlbum: { id: song.albumId },
    getAlbumList: { type: "newest" },
    getAlbumList2: { type: "newest" },
    getSong: { id: song.id },
    getSongsByGenre: { genre: "techno" },
    search2: { query: "" },
    search3: { query: "" },
    getPlaylist: { id: "auto-added" },
    getSimilarSongs: { id: song.id },
    getSimilarSongs2: { id: song.albumId },
    getLyrics: { title: "Night Drive" },
    getLyricsBySongId: { id: song.id },
    scrobble: { id: song.id, time: app.clock.now() },
    getTopSongs: { artist: "Mara" },
  };
}

describe("every method", () => {
  test.each(Object.keys(ANSWERS))(
    "%s answers in the shape of OpenSubsonic, and says the same in XML",
    async (method) => {
      const [field, shape] = ANSWERS[method] ?? [];
      const parameters = (await asked())[method];
      app.deps.db.$client.run("DELETE FROM listens");

      const json = await player.door(method, parameters);
      const response = await app.request(
        `/rest/${method}.view?${queryOf(player, { ...parameters, f: "xml" })}`,
      );
      const text = await response.text();

      expect(response.headers.get("content-type")).toStartWith("text/xml");
      expect(response.headers.get("cache-control")).toBe("no-store");
      const { status, version, type, serverVersion, openSubsonic, ...rest } = json;
      expect([status, version, type, openSubsonic]).toEqual(["ok", "1.16.1", "dubplate", true]);
      expect(Object.keys(rest)).toEqual(field === undefined ? [] : [field]);
      const xml = readXml(text);
      expect(xml.attributes).toMatchObject({
        xmlns: "http://subsonic.org/restapi",
        status: "ok",
        serverVersion,
      });
      if (field === undefined || shape === undefined) return;
      expect(faults(shape, json[field], field)).toEqual([]);
      if (["getRandomSongs", "getIndexes"].includes(method)) return;
      const isList = shape.endsWith("[]");
      const said = xml.children.map((each) => asJson(shape.replace("[]", ""), each));
      const clean = JSON.parse(JSON.stringify(withEmptyLists(shape, json[field])).replaceAll("\\u0000", ""));
      expect(isList ? said : said[0]).toEqual(clean);
    },
  );

  test.each(
    "star unstar setRating createPlaylist updatePlaylist deletePlaylist createShare updateShare deleteShare savePlayQueue createBookmark deleteBookmark createUser updateUser deleteUser changePassword startScan jukeboxControl addChatMessage refreshPodcasts createInternetRadioStation savePlayQueueByIndex reportPlayback".split(
      " ",
    ),
  )("%s changes nothing", async (method) => {
    app.app.usage.flush();
    const changes = () => (app.deps.db.$client.query("SELECT total_changes() AS n").get() as { n: number }).n;
    const before = changes();

    const { error } = await player.door(method, {
      id: `${drive.id}-0`,
      name: "Mine",
      rating: 5,
      songId: drive.id,
    });

    expect(error).toMatchObject({ code: 50, message: "Dubplate is read only for music apps" });
    expect(changes()).toBe(before);
  });

  test("one that there is not is the one error with status 404", async () => {
    const response = await player.get("getEverything");

    expect(response.status).toBe(404);
    expect(((await response.json()) as Json)["subsonic-response"].error.code).toBe(0);
  });
});

describe("sound", () => {
  test("Original gives the original bit for bit, and says what it is", async () => {
    const original = await addPlayer(app, owner.token, { sound: "original" });
    const { song } = await original.door("getSong", { id: drive.id });

    const response = await original.get(`stream?id=${song.id}`);

    expect(await response.bytes()).toEqual(drive.bytes);
    expect(song).toMatchObject({
      suffix: "wav",
      contentType: "audio/wav",
      size: drive.bytes.length,
      bitDepth: 24,
    });
    expect(response.headers.get("content-type")).toBe(song.contentType);
    const unlimited = await original.get(`stream?id=${song.id}&maxBitRate=0&format=mp3`);
    expect(await unlimited.bytes()).toEqual(drive.bytes);
  });

  test("Original gives what was made of the original to whoever can take less only", async () => {
    const original = await addPlayer(app, owner.token, { sound: "original" });
    const id = (await songOf(drive.id)).id;
    const setLength = (seconds: number) =>
      app.deps.db.$client.run(
        "UPDATE analyses SET duration_sec = ? WHERE version_id IN (SELECT id FROM versions WHERE track_id = ?)",
        [seconds, drive.id],
      );
    setLength(0.1);
    const { bitRate } = (await original.door("getSong", { id })).song;

    const [less, enough] = [
      await original.get(`stream?id=${id}&maxBitRate=${bitRate - 1}`),
      await original.get(`stream?id=${id}&maxBitRate=${bitRate}`),
    ];

    expect([less.headers.get("content-type"), await less.text()]).toEqual(["audio/mp4", "small sound"]);
    expect(await enough.bytes()).toEqual(drive.bytes);
    setLength(180);
  });

  test("Small gives the rendition, and the original to whoever asks for it, or where there is no other", async () => {
    const song = await songOf(drive.id);
    const small = await player.get(`stream?id=${song.id}`);

    expect(song).toMatchObject({ suffix: "m4a", contentType: "audio/mp4", size: 11 });
    expect("bitDepth" in song).toBe(false);
    expect([small.headers.get("content-type"), await small.text()]).toEqual(["audio/mp4", "small sound"]);
    expect(await (await player.get(`stream?id=${song.id}&format=mp3`)).text()).toBe("small sound");
    expect(await (await player.get(`stream?id=${song.id}&format=raw`)).bytes()).toEqual(drive.bytes);
    expect(await (await player.get(`download?id=${song.id}`)).bytes()).toEqual(drive.bytes);
    expect(await (await player.get(`stream?id=${loose.id}`)).bytes()).toEqual(loose.bytes);
  });

  test("comes in ranges, is asked about by HEAD, and is not sent again when it is unchanged", async () => {
    const part = await player.get(`stream?id=${drive.id}`, { headers: { range: "bytes=6-" } });
    const head = await player.get(`stream?id=${drive.id}`, { method: "HEAD" });
    const etag = part.headers.get("etag") ?? "";
    const again = await player.get(`stream?id=${drive.id}`, { headers: { "if-none-match": etag } });
    const outside = await player.get(`stream?id=${drive.id}`, { headers: { range: "bytes=600-" } });

    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      "bytes 6-10/11",
      "sound",
    ]);
    expect([head.status, head.headers.get("accept-ranges"), await head.text()]).toEqual([200, "bytes", ""]);
    expect(again.status).toBe(304);
    expect([outside.status, outside.headers.get("content-range")]).toEqual([416, "bytes */11"]);
  });

  test("is counted neither as a play nor as a download", async () => {
    const rows = () => app.deps.db.$client.query("SELECT count(*) AS n FROM activity").get();
    const before = rows();

    await (await player.get(`download?id=${drive.id}`)).bytes();
    await (await player.get(`stream?id=${drive.id}`)).bytes();

    expect(rows()).toEqual(before);
  });

  test("the picture of a song, an album, an artist and a playlist, small or large", async () => {
    const song = await songOf(drive.id);
    const album = await albumNamed("Wanderer");
    const { playlist } = (await player.door("getPlaylists")).playlists;
    for (const id of [
      song.coverArt,
      song.id,
      album.coverArt,
      album.id,
      song.artistId,
      playlist[2].coverArt,
    ]) {
      const small = await player.get(`getCoverArt?id=${id}&size=300`);
      const large = await player.get(`getCoverArt?id=${id}`);
      expect([small.status, small.headers.get("content-type")]).toEqual([200, "image/webp"]);
      expect(small.headers.get("cache-control")).toBe("private, max-age=86400");
      expect((await large.bytes()).length).toBeGreaterThan((await small.bytes()).length);
    }
    expect((await player.door("getCoverArt", { id: loose.id })).error.code).toBe(70);
    expect((await player.door("getCoverArt", { id: "" })).error.code).toBe(10);
  });
});

describe("what was heard", () => {
  const listens = () =>
    app.deps.db.$client.query("SELECT track_id, at, through FROM listens ORDER BY at").all() as Json[];

  test("is stored once, however often it is reported, and shows in the lists", async () => {
    app.deps.db.$client.run("DELETE FROM listens");
    const now = app.clock.now();
    const report = { id: [`${drive.id}-0`, `${loose.id}-0`], time: [now - 5000, now - 1000] };

    await player.door("scrobble", { id: `${rain.id}-0`, submission: "false" });
    await player.door("scrobble", report);
    await player.door("scrobble", report);
    await player.door("scrobble", { id: `${drive.id}-0`, time: now + 9_000_000 });

    expect(listens()).toEqual([
      { track_id: drive.id, at: now - 5000, through: "player" },
      { track_id: loose.id, at: now - 1000, through: "player" },
      { track_id: drive.id, at: now, through: "player" },
    ]);
    const list = async (type: string) =>
      (await player.door("getAlbumList2", { type })).albumList2.album.map(({ name }: Json) => name);
    expect(await list("frequent")).toEqual(["Wanderer", "Unreleased"]);
    expect(await list("recent")).toEqual(["Wanderer", "Unreleased"]);
    expect(await songOf(drive.id)).toMatchObject({ playCount: 2, played: new Date(now).toISOString() });
  });

  test("has the time that belongs to it, also behind one without", async () => {
    app.deps.db.$client.run("DELETE FROM listens");
    const now = app.clock.now();

    await player.door("scrobble", { id: [`${drive.id}-0`, `${loose.id}-0`], time: ["", now - 1000] });

    expect(listens().map(({ track_id, at }) => [track_id, at])).toEqual([
      [loose.id, now - 1000],
      [drive.id, now],
    ]);
  });

  test.each([
    ["older than 90 days", { time: 1000 }],
    ["at no time", { time: "yesterday" }],
    ["of an unknown song", { id: "trk_00000000000000000000000000000000-0" }],
  ])("%s is refused", async (_, more) => {
    const before = listens().length;

    const { status } = await player.door("scrobble", { id: `${drive.id}-0`, ...more });

    expect([status, listens().length]).toEqual(["failed", before]);
  });
});
