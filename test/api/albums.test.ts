import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { legacyRequest } from "../mcp/support.ts";
import { attributesOf, createVisitor } from "../pages/visitor.ts";
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";
import { picture } from "../support/pictures.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Makes an account with its two doors, and a way to add songs. */
function owner() {
  const { accountId, token } = app.createAccount();
  const add = (name: string, options = {}) => addTrackRows(app.deps.db, accountId, { name, ...options }).id;
  return { accountId, add, console: app.signedIn(token), api: app.as(app.createKey(accountId)) };
}

/** Makes an account with an album of two songs. */
async function album(more: object = {}) {
  const own = owner();
  const trackIds = [own.add("One.wav"), own.add("Two.wav")];
  const made = await own.console("POST", "/app/playlists", {
    name: "Wanderer",
    kind: "album",
    trackIds,
    ...more,
  });
  const id: string = made.body.data.id;
  const change = (body: object) => own.api("PATCH", `/playlists/${id}`, body);
  return { ...own, id, trackIds, made: made.body.data, change };
}

const dataUri = async (grey: number) =>
  `data:image/png;base64,${(await picture("png", { grey })).toString("base64")}`;

describe("an album", () => {
  test("keeps artist, type, label, catalogue number, release date and UPC, over REST and in the console", async () => {
    const said = {
      artist: "Mara Lind",
      type: "ep",
      label: "Nachtzug",
      catalogueNumber: "NZ 012",
      releaseDate: "2026-03-27",
      upc: "036000291452",
    };
    const { api, console, id, made } = await album(said);

    expect(made).toMatchObject({ ...said, kind: "album", trackCount: 2, image: null });
    expect((await console("GET", `/app/playlists/${id}`)).body.data).toEqual(made);
    expect((await api("GET", `/playlists/single/${id}`)).body.data).toMatchObject({ ...said, kind: "album" });
  });

  test("is of the type album until its owner says otherwise", async () => {
    const { change, made } = await album();

    expect(made.type).toBe("album");
    const { body } = await change({ type: "compilation", artist: "  Various Artists " });
    expect(body.data.playlist).toMatchObject({ type: "compilation", artist: "Various Artists" });
  });

  test.each([
    ["036000291452", "036000291452"],
    ["0 36000 29145 2", "036000291452"],
    ["4006381333931", "4006381333931"],
    ["", null],
  ])("takes the UPC %p as %p", async (upc, kept) => {
    const { change } = await album();

    expect((await change({ upc })).body.data.playlist.upc).toBe(kept);
  });

  test.each([
    [{ upc: "036000291453" }, "check_digit"],
    [{ upc: "4006381333932" }, "check_digit"],
    [{ upc: "03600029145" }, "digits"],
    [{ upc: "03600029145X" }, "digits"],
    [{ releaseDate: "2026-02-30" }, "date"],
    [{ releaseDate: "27.03.2026" }, "date"],
    [{ releaseDate: "2026-13" }, "date"],
    [{ type: "mixtape" }, "union"],
    [{ label: 12 }, "union"],
  ])("refuses %p and stays as it is", async (change, code) => {
    const { api, id } = await album({ upc: "036000291452" });
    const before = (await api("GET", `/playlists/single/${id}`)).body.data;

    const { status, body } = await api("PATCH", `/playlists/${id}`, { name: "Other", ...change });

    expect(status).toBe(400);
    expect(body.data.errors).toContainEqual(
      expect.objectContaining({ path: Object.keys(change)[0], code: expect.stringContaining(code) }),
    );
    const after = (await api("GET", `/playlists/single/${id}`)).body.data;
    expect({ ...after, tracks: [] }).toEqual({ ...before, tracks: [] });
  });

  test("becomes a playlist and an album again, and keeps its details", async () => {
    const { change } = await album({ artist: "Mara Lind", upc: "036000291452" });

    const asPlaylist = await change({ kind: "playlist" });
    const refused = await change({ label: "Nachtzug" });
    const asAlbum = await change({ kind: "album", label: "Nachtzug" });

    expect(asPlaylist.body.data.playlist).toMatchObject({ kind: "playlist", artist: null, upc: null });
    expect(refused.body.data.errors).toMatchObject([{ path: "label", code: "not_an_album" }]);
    expect(asAlbum.body.data.playlist).toMatchObject({
      kind: "album",
      artist: "Mara Lind",
      label: "Nachtzug",
      upc: "036000291452",
    });
  });

  test("is listed by its kind, page by page; without a kind the list has everything", async () => {
    const { api, console, id, add } = await album();
    const second = await console("POST", "/app/playlists", { name: "Second", kind: "album" });
    await api("POST", "/playlists", { name: "Night drives", trackIds: [add("Three.wav")] });

    const first = await console("GET", "/app/playlists?kind=album&limit=1");
    const { next_cursor: cursor } = first.body.paging;
    const rest = await console("GET", `/app/playlists?kind=album&limit=1&cursor=${cursor}`);
    const other = await console("GET", `/app/playlists?kind=playlist&limit=1&cursor=${cursor}`);

    expect(first.body.data).toMatchObject([{ id: second.body.data.id, kind: "album" }]);
    expect(rest.body).toMatchObject({ data: [{ id }], paging: { next_cursor: null } });
    expect(other.body.data.errors[0].path).toBe("cursor");
    const namesOf = async (query: string) =>
      (await api("GET", `/playlists${query}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await namesOf("?kind=playlist")).toEqual(["Night drives"]);
    expect(await namesOf("")).toEqual(["Night drives", "Second", "Wanderer"]);
  });

  test("an album of another account is not found", async () => {
    const { id } = await album();
    const stranger = owner();

    const change = await stranger.api("PATCH", `/playlists/${id}`, { image: await dataUri(3) });
    expect(change.body.data).toEqual({ ok: false, error: "PLAYLIST_NOT_FOUND" });
    expect((await stranger.console("GET", `/app/playlists/${id}/facts`)).status).toBe(404);
    expect((await stranger.console("GET", `/app/tracks?album=${id}`)).body.data).toEqual([]);
  });
});

describe("the cover of an album", () => {
  test("is a picture that everyone who knows its address sees, and goes when it is taken away", async () => {
    const { api, change, id } = await album();

    const { body } = await change({ image: await dataUri(10) });

    const image: string = body.data.playlist.image;
    expect(image).toMatch(/^http:\/\/127\.0\.0\.1:4747\/artwork\/[0-9a-f]{32}\.(jpg|webp)$/);
    const path = new URL(image).pathname;
    const shown = await app.request(path);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([
      200,
      expect.stringMatching(/^image\//),
    ]);
    expect((await app.request(`${path}?size=thumbnail`)).status).toBe(200);
    expect((await api("GET", "/playlists")).body.data[0].image).toBe(image);

    const removed = await change({ image: null });
    expect(removed.body.data.playlist.image).toBeNull();
    expect((await app.request(path)).status).toBe(404);
    expect((await api("GET", `/playlists/single/${id}`)).body.data.image).toBeNull();
  });

  test("is refused when it is not a picture, and the former cover stays", async () => {
    const { change } = await album();
    const image = (await change({ image: await dataUri(20) })).body.data.playlist.image;

    const text = await change({ image: "data:image/png;base64,aGVsbG8=" });
    const cut = (await picture("png", { grey: 30 })).subarray(0, 60).toString("base64");
    const broken = await change({ image: `data:image/png;base64,${cut}`, name: "Other" });
    const path = await change({ image: "/etc/passwd" });

    expect([text, broken, path].map(({ body }) => body.messageCode)).toEqual([
      "invalid_image_type",
      "invalid_image_type",
      "invalid_image_url",
    ]);
    expect((await change({})).body.data.playlist).toMatchObject({ image, name: "Wanderer" });
  });

  test("is on the page of its link, with artist and type", async () => {
    const { api, change, id } = await album({ artist: "Mara Lind", type: "ep" });
    const { image } = (await change({ image: await dataUri(40) })).body.data.playlist;
    const share = await api("POST", "/shares", { playlistId: id });

    const page = await (await app.request(new URL(share.body.data.url).pathname)).text();

    expect(page).toContain(`src="${new URL(image).pathname}`);
    expect(page).toContain('<p class="hero-artist">Mara Lind</p>');
    expect(page).toContain("EP · 2 tracks");
    expect(page).toContain('content="music.album"');
  });

  test("waits with its album in the bin, and goes with it for good", async () => {
    const { console, change, id } = await album();
    const { image } = (await change({ image: await dataUri(50) })).body.data.playlist;
    const path = new URL(image).pathname;

    await console("DELETE", `/app/playlists/${id}`);
    expect((await app.request(path)).status).toBe(200);
    await console("POST", `/app/playlists/${id}/restore`);
    expect((await console("GET", `/app/playlists/${id}`)).body.data).toMatchObject({ image, kind: "album" });
    await console("DELETE", `/app/playlists/${id}`);
    await console("DELETE", `/app/bin/playlists/${id}`);

    expect((await app.request(path)).status).toBe(404);
  });
});

describe("the songs of an album", () => {
  const song = (discNumber: string, trackNumber: string, integratedLufs?: number, more = {}) => ({
    discNumber,
    trackNumber,
    durationSec: 100,
    ...(integratedLufs !== undefined && { measured: { integratedLufs, durationSec: 100 } }),
    ...more,
  });

  test("say where numbers are missing, how long they are, and how loud from one to the next", async () => {
    const { add, console } = owner();
    const trackIds = [
      add("a.wav", song("1", "1", -10)),
      add("b.wav", song("1", "2/4", -13.1)),
      add("c.wav", song("1", "4", -9, { totalTracksAlbum: "5" })),
      add("d.wav", song("2", "1")),
      add("e.wav", song("2", "1", -9.5)),
      add("f.wav", { name: "Hidden.wav" }),
    ];
    const made = await console("POST", "/app/playlists", { name: "Double", kind: "album", trackIds });
    const { id } = made.body.data;

    const facts = (await console("GET", `/app/playlists/${id}/facts`)).body.data;
    const rows = (await console("GET", `/app/playlists/${id}/tracks`)).body.data;

    expect(facts).toEqual({
      tracks: 6,
      durationSec: 500,
      unknownLengths: 1,
      unnumbered: 1,
      discs: [
        { disc: null, tracks: 1, durationSec: 0, missing: [], doubled: [] },
        { disc: 1, tracks: 3, durationSec: 300, missing: [3, 5], doubled: [] },
        { disc: 2, tracks: 2, durationSec: 200, missing: [], doubled: [1] },
      ],
      loudness: {
        measured: 4,
        // 10 lg of the mean of 0.1, 0.049, 0.126 and 0.112
        integratedLufs: -10.1,
        truePeakDbtp: -0.3,
        quietest: { trackId: trackIds[1], lufs: -13.1 },
        loudest: { trackId: trackIds[2], lufs: -9 },
        spreadLu: 4.1,
      },
    });
    const of = (field: string) => rows.map((row: Record<string, unknown>) => row[field]);
    expect(of("stepLu")).toEqual([null, -3.1, 4.1, null, null, null]);
    expect(of("disc")).toEqual([1, 1, 1, 2, 2, null]);
    expect(of("number")).toEqual([1, 2, 4, 1, 1, null]);
  });

  test("stay louder and softer than each other on the page of a link, which matches them as a whole", async () => {
    const { add, console } = owner();
    const trackIds = [add("loud.wav", song("1", "1", -10)), add("soft.wav", song("1", "2", -16))];
    const gainsOf = async (kind: string) => {
      const made = await console("POST", "/app/playlists", { name: kind, kind, trackIds });
      const link = await console("POST", "/app/shares", { playlistId: made.body.data.id });
      const { text } = await createVisitor(app).open(new URL(link.body.data.url).pathname);
      return attributesOf(text, "data-gain");
    };

    // As a whole they have -12.0 LUFS; each alone is brought to -14, or as near as its peak lets it.
    expect(await gainsOf("album")).toEqual(["-2", "-2"]);
    expect(await gainsOf("playlist")).toEqual(["-4", "-0.7"]);
  });

  test("a year or a catalogue number in a file leaves no holes in the numbering", async () => {
    const { add, console } = owner();
    const trackIds = [add("a.wav", song("1", "1984")), add("b.wav", song("x", "A1"))];
    const made = await console("POST", "/app/playlists", { name: "Odd", kind: "album", trackIds });

    const facts = (await console("GET", `/app/playlists/${made.body.data.id}/facts`)).body.data;

    expect(facts.discs.flatMap(({ missing }: { missing: number[] }) => missing)).toEqual([]);
    expect(facts.unnumbered).toBe(2);
  });
});

describe("the library", () => {
  test("says which albums a song is on, and otherwise what its file says", async () => {
    const { console, id, trackIds, add } = await album();
    const tagged = add("Tagged.wav", { album: "Older record" });
    const loose = add("Loose.wav");
    const again = await console("POST", "/app/playlists", {
      name: "Best of",
      kind: "album",
      trackIds: [trackIds[0]],
    });
    await console("POST", "/app/playlists", { name: "No album", trackIds: [loose] });

    const rows = (await console("GET", "/app/tracks")).body.data;

    const rowOf = (trackId: string | undefined) => rows.find((row: { id: string }) => row.id === trackId);
    const [wanderer, best] = [
      { id, name: "Wanderer" },
      { id: again.body.data.id, name: "Best of" },
    ];
    expect(rowOf(trackIds[0])).toMatchObject({ album: "Wanderer", albums: [wanderer, best] });
    expect(rowOf(trackIds[1])).toMatchObject({ album: "Wanderer", albums: [wanderer] });
    expect(rowOf(tagged)).toMatchObject({ album: "Older record", albums: [] });
    expect(rowOf(loose)).toMatchObject({ album: null, albums: [] });
  });

  test("is filtered by an album, by its name, and by being on no album", async () => {
    const { console, id, trackIds, add } = await album();
    const tagged = add("Tagged.wav", { album: "wanderer" });
    const loose = add("Loose.wav");
    const found = async (query: string) => {
      const { body } = await console("GET", `/app/tracks?${query}`);
      return [body.paging.total, body.data.map((row: { id: string }) => row.id).sort()];
    };

    expect(await found(`album=${id}`)).toEqual([2, trackIds.toSorted()]);
    expect(await found("album=Wanderer")).toEqual([3, [...trackIds, tagged].sort()]);
    expect(await found("album=Nothing")).toEqual([0, []]);
    expect(await found("onAlbum=false")).toEqual([2, [tagged, loose].sort()]);
    expect(await found("onAlbum=true")).toEqual([2, trackIds.toSorted()]);

    await console("DELETE", `/app/playlists/${id}`);
    expect(await found(`album=${id}`)).toEqual([0, []]);
    expect(await found("onAlbum=true")).toEqual([0, []]);
  });
});

test("assistants see which playlists are albums", async () => {
  const { accountId, id, console } = await album();
  await console("POST", "/app/playlists", { name: "Night drives" });
  const key = app.createKey(accountId);
  const call = async (name: string, args: object) => {
    const params = { name, arguments: args };
    const response = await app.request("/mcp", legacyRequest("tools/call", params, { "x-api-key": key }));
    return (await jsonOf(response)).result.structuredContent;
  };

  const listed = await call("list_playlists", {});
  const single = await call("get_playlist", { playlistId: id });

  expect(listed.data.map(({ name, kind }: { name: string; kind: string }) => [name, kind])).toEqual([
    ["Night drives", "playlist"],
    ["Wanderer", "album"],
  ]);
  expect(single.kind).toBe("album");
});
