import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { picture } from "../support/pictures.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { type FileTags, taggedMp3 } from "../support/tagged.ts";

type Bytes = Uint8Array<ArrayBuffer>;
const OCTETS = "application/offset+octet-stream";

let songs = 0;
/** A short song with bytes of its own and no tags. */
const wav = (): Bytes => {
  songs++;
  return wavBytes([sine(8000, 0.05, 200 + songs)], 8000, 16) as Bytes;
};

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** An account, its browser that sends files, and its machine that offers a folder's. */
function owner() {
  const { accountId, token } = app.createAccount();
  const key = app.createKey(accountId);
  const [api, web] = [app.as(key), app.signedIn(token)];
  const send = async (bytes: Bytes): Promise<string> => {
    const about = { "tus-resumable": "1.0.0", "upload-length": String(bytes.length), "content-type": OCTETS };
    const { headers } = await app.request("/api/v1/uploads", {
      method: "POST",
      headers: { "x-api-key": key, ...about },
      body: bytes,
    });
    return headers.get("location")?.split("/").at(-1) ?? "";
  };
  /** Drops files into the console; each arrives by itself. */
  const drop = async (files: Record<string, Bytes>): Promise<Json[]> => {
    const answers: Json[] = [];
    for (const [path, bytes] of Object.entries(files)) {
      const uploads = [{ id: await send(bytes), path }];
      answers.push((await web("POST", "/app/uploads/finish", { uploads })).body.data);
    }
    return answers;
  };
  const take = async (files: Record<string, Bytes>, kind = "watch", source = "mac:/Music") => {
    const taken: Json[] = [];
    for (const [path, bytes] of Object.entries(files)) {
      const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      const file = { path, sizeBytes: bytes.length, modifiedAt: 1, sha256, uploadId: await send(bytes) };
      const { body } = await api("POST", "/uploads/take", { kind, source, files: [file] });
      taken.push(body.data.files[0]);
    }
    return taken;
  };
  const albums = async (): Promise<Json[]> => (await web("GET", "/app/playlists?kind=album")).body.data;
  const songsOf = async (id: string): Promise<Json[]> =>
    (await web("GET", `/app/playlists/${id}/tracks`)).body.data;
  const titlesOf = async (id: string) => (await songsOf(id)).map(({ title }) => title);
  const library = async (): Promise<Json[]> => (await web("GET", "/app/tracks")).body.data;
  return { accountId, api, web, send, drop, take, albums, songsOf, titlesOf, library };
}

/** Twelve names in an order that is neither that of the songs nor backwards. */
const MIXED = [10, 2, 12, 1, 7, 4, 11, 3, 9, 5, 8, 6];
const numbered = (nameOf: (number: number) => string, numbers: readonly number[] = MIXED) =>
  Object.fromEntries(numbers.map((number) => [nameOf(number), wav()]));
const two = (number: number) => String(number).padStart(2, "0");
const upTo = (count: number, nameOf: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => nameOf(index + 1));

describe("a folder of numbered songs that is dropped", () => {
  test("is an album in its order, and the library reads 1 to 12", async () => {
    const { drop, albums, titlesOf, library } = owner();

    const answers = await drop(numbered((number) => `Wanderer/${two(number)} - Song ${number}.wav`));

    const [album, ...others] = await albums();
    expect(others).toEqual([]);
    expect(album).toMatchObject({
      name: "Wanderer",
      kind: "album",
      type: "album",
      trackCount: 12,
      artist: null,
    });
    const titles = upTo(12, (number) => `Song ${number}`);
    expect(await titlesOf(album.id)).toEqual(titles);
    expect((await library()).map(({ title }) => title)).toEqual(titles);
    expect(answers[0]).toMatchObject({ uploads: [{ albumId: null }], albums: [] });
    expect(answers.at(-1)).toMatchObject({
      uploads: [{ albumId: album.id }],
      albums: [{ id: album.id, name: "Wanderer", trackCount: 12, added: 1 }],
    });
  });

  test.each<[string, (number: number) => string]>([
    ["01 - x", (number) => `${two(number)} - Song ${number}.wav`],
    ["01 x", (number) => `${two(number)} Song ${number}.wav`],
    ["1. x", (number) => `${number}. Song ${number}.wav`],
    ["01_x", (number) => `${two(number)}_Song_${number}.wav`],
    ["1 - x", (number) => `${number} - Song ${number}.wav`],
    ["1-01 x", (number) => `1-${two(number)} Song ${number}.wav`],
    ["A1 x", (number) => `A${number} Song ${number}.wav`],
    ["1) x", (number) => `${number}) Song ${number}.wav`],
    ["1 x", (number) => `${number} Song ${number}.wav`],
    ["Artist - 01 - x", (number) => `Mara Lind - ${two(number)} - Song ${number}.wav`],
    ["101 x", (number) => `1${two(number)} Song ${number}.wav`],
  ])("may be numbered %s", async (_, nameOf) => {
    const { drop, albums, titlesOf } = owner();

    await drop(numbered((number) => `Wanderer/${nameOf(number)}`, [3, 1, 10, 2]));

    const [album, ...others] = await albums();
    expect(others).toEqual([]);
    expect(await titlesOf(album?.id)).toEqual(["Song 1", "Song 2", "Song 3", "Song 10"]);
  });

  test("keeps its discs in order, each with its numbers", async () => {
    const { drop, albums, songsOf } = owner();
    const discs = [2, 1].flatMap((disc) =>
      [2, 1].map((number) => `Wanderer/CD${disc}/${two(number)} S${disc}${number}.wav`),
    );

    await drop(Object.fromEntries(discs.map((path) => [path, wav()])));

    const [album, ...others] = await albums();
    expect(others).toEqual([]);
    expect(album.name).toBe("Wanderer");
    const rows = await songsOf(album.id);
    expect(rows.map(({ title, disc, number }) => [title, disc, number])).toEqual([
      ["S11", 1, 1],
      ["S12", 1, 2],
      ["S21", 2, 1],
      ["S22", 2, 2],
    ]);
  });

  test("is named without its artist, its year and its format", async () => {
    const { drop, albums } = owner();
    const songOf = (title: string) => taggedMp3({ title, artist: "Mara Lind" });

    await drop({
      "Mara Lind - Wanderer (2024) [FLAC]/01 a.mp3": songOf("a"),
      "Mara Lind - Wanderer (2024) [FLAC]/02 b.mp3": songOf("b"),
    });

    expect(await albums()).toMatchObject([{ name: "Wanderer", artist: "Mara Lind" }]);
  });

  test("has no link until its owner shares it", async () => {
    const { drop, albums, api } = owner();

    await drop({ "Wanderer/01 a.wav": wav(), "Wanderer/02 b.wav": wav() });

    const [{ id }] = (await albums()) as [Json];
    const { modes } = (await api("GET", `/playlists/single/${id}`)).body.data;
    expect(modes.map(({ mode }: { mode: string }) => mode)).toEqual(["PRIVATE"]);
  });
});

describe("songs that share an album tag", () => {
  const tagged = (number: number, more: FileTags = {}) =>
    taggedMp3({
      title: `Song ${number}`,
      artist: "Mara Lind",
      album: "Wanderer",
      track: `${number}/12`,
      ...more,
    });

  test("are an album with artist, year, label and the picture in the first of them", async () => {
    const { drop, albums, titlesOf, library } = owner();
    const jpeg = await picture("jpeg", { grey: 60 });
    const more = { year: "2026-03-27", label: "Nachtzug" };

    await drop({
      "b.mp3": tagged(2, more),
      "c.mp3": taggedMp3(
        { title: "Song 1", artist: "Mara Lind", album: "Wanderer", track: "1", ...more },
        jpeg,
      ),
      "a.mp3": tagged(3, more),
    });

    const [album] = (await albums()) as [Json];
    expect(album).toMatchObject({
      name: "Wanderer",
      artist: "Mara Lind",
      type: "album",
      label: "Nachtzug",
      releaseDate: "2026",
    });
    expect(await titlesOf(album.id)).toEqual(["Song 1", "Song 2", "Song 3"]);
    expect(album.image).toContain("/artwork/");
    expect(new Set((await library()).map(({ cover }) => cover))).toEqual(new Set([album.image]));
  });

  test("songs of different artists with one album tag are a compilation of Various Artists, however late the second artist comes", async () => {
    const { drop, albums } = owner();

    await drop({
      "Best of/1.mp3": tagged(1, { artist: "Mara Lind" }),
      "Best of/2.mp3": tagged(2, { artist: "Mara Lind feat. Jonas" }),
    });
    expect(await albums()).toMatchObject([{ artist: "Mara Lind", type: "album" }]);
    await drop({ "Best of/3.mp3": tagged(3, { artist: "The Commuters" }) });

    expect(await albums()).toMatchObject([{ artist: "Various Artists", type: "compilation", trackCount: 3 }]);
  });

  test("have the album artist that their files name", async () => {
    const { drop, albums } = owner();

    await drop({
      "a.mp3": tagged(1, { albumArtist: "Mara Lind", artist: "Mara & Jonas" }),
      "b.mp3": tagged(2, { albumArtist: "Mara Lind", artist: "The Commuters" }),
    });

    expect(await albums()).toMatchObject([{ artist: "Mara Lind", type: "album" }]);
  });

  test("songs of two albums in one folder are told apart by the album artist; a song alone stays separate", async () => {
    const { drop, albums } = owner();

    await drop({
      "Downloads/1.mp3": tagged(1, { album: "First" }),
      "Downloads/2.mp3": tagged(1, { album: "Second" }),
      "Downloads/3.mp3": tagged(2, { album: "First" }),
      "Downloads/4.mp3": tagged(2, { album: "Second (Disc 2)" }),
      "Downloads/5.mp3": tagged(2, { album: "Third" }),
    });

    const made = (await albums()).map(({ name, trackCount }) => [name, trackCount]);
    expect(made.sort()).toEqual([
      ["First", 2],
      ["Second", 2],
    ]);
  });
});

describe("files that merely share a folder", () => {
  test.each([
    ["names", ["Night Bus", "Slow Rain", "Wanderer"]],
    ["titles that begin with a number", ["7 Rings", "99 Problems"]],
    ["tempos", ["90 bpm loop", "120 bpm loop"]],
    ["units", ["16-bit master", "24-bit master"]],
    ["dates", ["11-22-2026 idea", "11-23-2026 idea"]],
    ["numbers of machines", ["808 kick", "909 hat"]],
    ["one number", ["01 Night Bus", "Slow Rain"]],
  ])("files that have %s in common stay separate", async (_, names) => {
    const { drop, albums, library } = owner();

    await drop(Object.fromEntries(names.map((name) => [`Stuff/${name}.wav`, wav()])));

    expect(await albums()).toEqual([]);
    expect(await library()).toHaveLength(names.length);
  });

  test("files with nothing in common stay separate, even if they are numbered", async () => {
    const { drop, albums } = owner();

    await drop({ "01 a.wav": wav(), "02 b.wav": wav() });

    expect(await albums()).toEqual([]);
  });
});

describe("a folder that comes again", () => {
  test("is the same album, and new songs join it at their place", async () => {
    const { drop, albums, titlesOf } = owner();
    const first = { "Wanderer/01 a.wav": wav(), "Wanderer/03 c.wav": wav() };
    await drop(first);

    await drop({ ...first, "Wanderer/02 b.wav": wav() });

    expect(await albums()).toHaveLength(1);
    const [{ id }] = (await albums()) as [Json];
    expect(await titlesOf(id)).toEqual(["a", "b", "c"]);
  });

  test("a folder that comes again by another way is the same album", async () => {
    const { drop, take, albums } = owner();
    const first = { "Wanderer/01 a.wav": wav(), "Wanderer/02 b.wav": wav() };
    await drop(first);

    await take(first, "import");
    await take({ "Wanderer/03 c.wav": wav() }, "import");

    expect(await albums()).toMatchObject([{ name: "Wanderer", trackCount: 3 }]);
  });

  test("a folder that comes again with other songs of the same numbers is another album", async () => {
    const { drop, albums } = owner();
    await drop({ "New Folder/01 a.wav": wav(), "New Folder/02 b.wav": wav() });

    await drop({ "New Folder/01 c.wav": wav(), "New Folder/02 d.wav": wav() });

    expect((await albums()).map(({ trackCount }) => trackCount)).toEqual([2, 2]);
  });

  test("changes nothing that its owner has changed", async () => {
    const { drop, albums, web, songsOf, titlesOf } = owner();
    await drop({ "Wanderer/01 a.wav": wav(), "Wanderer/02 b.wav": wav(), "Wanderer/03 c.wav": wav() });
    const [{ id }] = (await albums()) as [Json];
    const trackIds = (await songsOf(id)).map((row) => row.id).toReversed();
    await web("PATCH", `/app/library/playlists/${id}/order`, { trackIds });
    await web("PATCH", `/app/library/playlists/${id}`, { name: "Renamed", artist: "Mara" });

    await drop({ "Wanderer/04 d.wav": wav() });

    expect(await albums()).toMatchObject([{ id, name: "Renamed", artist: "Mara" }]);
    expect(await titlesOf(id)).toEqual(["c", "b", "a", "d"]);
  });
});

describe("an album that came in by itself", () => {
  test("is undone with its songs", async () => {
    const { drop, albums, web, library } = owner();
    const known = wav();
    await drop({ "Known.wav": known });
    await drop({ "Wanderer/01 a.wav": wav(), "Wanderer/02 b.wav": wav(), "Wanderer/03 k.wav": known });
    const [{ id }] = (await albums()) as [Json];

    const { body } = await web("POST", `/app/albums/${id}/undo`);

    expect(body.data).toEqual({ tracks: 2 });
    expect(await albums()).toEqual([]);
    expect((await library()).map(({ title }) => title)).toEqual(["Known"]);
    expect((await web("POST", `/app/albums/${id}/undo`)).body.messageCode).toBe("undo_not_found");
  });

  test("an album that its owner breaks up becomes separate tracks, also those that are still on their way", async () => {
    const { drop, albums, web, library } = owner();
    await drop({ "Wanderer/01 a.wav": wav(), "Wanderer/02 b.wav": wav() });
    const [{ id }] = (await albums()) as [Json];

    const { body } = await web("POST", `/app/albums/${id}/separate`);
    await drop({ "Wanderer/03 c.wav": wav(), "Wanderer/04 d.wav": wav() });

    expect(body.data).toEqual({ tracks: 2 });
    expect(await albums()).toEqual([]);
    expect(await library()).toHaveLength(4);
  });

  test("an album of another account is not found", async () => {
    const { drop, albums } = owner();
    await drop({ "Wanderer/01 a.wav": wav(), "Wanderer/02 b.wav": wav() });
    const [{ id }] = (await albums()) as [Json];

    const answers = await Promise.all(
      ["undo", "separate"].map((what) => owner().web("POST", `/app/albums/${id}/${what}`)),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(await albums()).toHaveLength(1);
  });
});

describe("the picture beside the songs", () => {
  const sidePicture = async (grey: number) => (await picture("png", { grey })).toString("base64");

  test("is the cover of the album, and of the songs that have none", async () => {
    const { drop, albums, web, songsOf } = owner();
    const own = taggedMp3({ title: "b" }, await picture("jpeg", { grey: 200 }));
    await drop({
      "Wanderer/CD1/01 a.wav": wav(),
      "Wanderer/CD1/02 b.mp3": own,
      "Wanderer/CD2/01 c.wav": wav(),
    });

    const { body } = await web("POST", "/app/uploads/cover", {
      path: "Wanderer/cover.png",
      image: await sidePicture(70),
    });
    await drop({ "Wanderer/CD2/02 d.wav": wav() });

    const [album] = (await albums()) as [Json];
    expect(body.data.albumId).toBe(album.id);
    const covers = (await songsOf(album.id)).map(({ cover }) => cover === album.image);
    // The first two were covered by the picture in a song, while there was no other.
    expect(covers.at(-1)).toBe(true);
    expect(new Set((await songsOf(album.id)).map(({ cover }) => cover)).size).toBe(2);
    expect((await app.request(new URL(album.image).pathname)).status).toBe(200);
  });

  test("leaves a cover that the owner chose", async () => {
    const { drop, albums, web } = owner();
    await drop({ "Wanderer/01 a.wav": wav(), "Wanderer/02 b.wav": wav() });
    const [{ id }] = (await albums()) as [Json];
    const chosen = await web("PATCH", `/app/library/playlists/${id}`, {
      image: `data:image/png;base64,${await sidePicture(80)}`,
    });

    await web("POST", "/app/uploads/cover", { path: "Wanderer/cover.png", image: await sidePicture(90) });

    expect(await albums()).toMatchObject([{ image: chosen.body.data.playlist.image }]);
  });

  test("is refused when it is not a picture, and ignored without songs", async () => {
    const { web } = owner();

    const refused = await web("POST", "/app/uploads/cover", {
      path: "Wanderer/cover.png",
      image: "aGVsbG8=",
    });
    const alone = await web("POST", "/app/uploads/cover", {
      path: "X/cover.png",
      image: await sidePicture(1),
    });

    expect(refused.body.messageCode).toBe("invalid_image_type");
    expect(alone.body.data).toEqual({ albumId: null, covered: 0, songs: 0 });
  });
});

describe("a watched folder", () => {
  test("makes albums of its folders, but not of the files directly in it", async () => {
    const { take, albums } = owner();

    const taken = await take({
      "01 idea.wav": wav(),
      "02 idea b.wav": wav(),
      "Wanderer/02 b.wav": wav(),
      "Wanderer/01 a.wav": wav(),
    });

    const [album, ...others] = await albums();
    expect(others).toEqual([]);
    expect(album).toMatchObject({ name: "Wanderer", trackCount: 2 });
    expect(taken.map(({ albumId }) => albumId)).toEqual([null, null, null, album?.id]);
  });
});
