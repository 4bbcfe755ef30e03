import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SearchHit } from "../../src/modules/search/search/shapes.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks, type LibraryTrack } from "../support/library.ts";

/** Words of music are names here, and names are words of music. */
const LIBRARY: readonly LibraryTrack[] = [
  { title: "Night Ferry", artist: "The Lowlands", tags: { moods: ["Calm"] } },
  { title: "Night Train", artist: "The Lowlands", tags: { moods: ["Calm"] } },
  { title: "Night Ferry", artist: "Other People" },
  { title: "Ferry Tales", artist: "Cassandra Moe" },
  { title: "Victory", artist: "Nine Bells", tags: { moods: ["Sad"] } },
  { title: "Winners", artist: "Nine Bells", tags: { moods: ["Triumphant"] } },
  { title: "120 Days of Summer", artist: "Kleo", bpm: 84 },
  { title: "Sunny Side", artist: "Kleo", bpm: 120, tags: { moods: ["Happy"] } },
  { title: "Slow Tide", artist: "Marrow", bpm: 170, tags: { moods: ["Energetic"] } },
  { title: "Glacier", artist: "Marrow", bpm: 58, tags: { moods: ["Calm"] } },
  { title: "No Drums", artist: "Tomtom", tags: { instruments: ["Drum Kit"], genres: ["Rock"] } },
  { title: "Bare", artist: "Tomtom", tags: { instruments: ["Piano"] } },
  { title: "Fast Car", artist: "Ada Quist", bpm: 70 },
  { title: "Racer", artist: "Ada Quist", bpm: 178, tags: { moods: ["Energetic"] } },
  { title: "Deep Space", artist: "Paniq", tags: { genres: ["Techno"] } },
  { title: "Lab Rats", artist: "Paniq", tags: { genres: ["Ambient"] } },
  { title: "Alarm", artist: "Sirens", tags: { genres: ["Techno"], moods: ["Tense"] } },
  { title: "Café del Árbol", artist: "Nórdica" },
  { title: "Øresund", artist: "Smørrebrød Trio" },
  { title: "Чайка", artist: "Ночной Поезд" },
  { title: "夜のフェリー", artist: "東京ガールズ" },
  { title: "Don't Look Back (In Amber)", artist: "Kleo" },
  { title: "Ambience", artist: "Marrow", tags: { genres: ["Ambient"] } },
];

let app: TestApp;
let key: string;
let token: string;

beforeAll(async () => {
  app = await createTestApp();
  const account = app.createAccount();
  const { accountId } = account;
  ({ token } = account);
  addTracks(app, accountId, LIBRARY);
  const other = app.createAccount();
  addTracks(app, other.accountId, [{ title: "Slow Tied", artist: "Paniek" }, { title: "Melancoly" }]);
  key = app.createKey(accountId);
});
afterAll(() => app.close());

async function search(query: string): Promise<SearchHit[]> {
  const { status, body } = await app.as(key)("POST", "/tracks/search", { query });
  expect(status).toBe(200);
  return body.data.results;
}

/** Returns "artist: title" of the first results. */
async function first(query: string, count = 1): Promise<string[]> {
  return (await search(query)).slice(0, count).map(({ artists, title }) => `${artists.join()}: ${title}`);
}

describe("what a track is called finds it first", () => {
  test.each([
    ["night ferry by the lowlands", "The Lowlands: Night Ferry"],
    ["The Lowlands Night Ferry", "The Lowlands: Night Ferry"],
    ["lowlands - night ferry v3.wav", "The Lowlands: Night Ferry"],
    ["Night Ferry - The Lowlands.mp3", "The Lowlands: Night Ferry"],
    ["Other People Night Ferry", "Other People: Night Ferry"],
    ["play night train please", "The Lowlands: Night Train"],
    ["NIGHT_TRAIN.WAV", "The Lowlands: Night Train"],
    ["the lowlands nihgt train", "The Lowlands: Night Train"],
    ["nighttrain", "The Lowlands: Night Train"],
    ["night tra", "The Lowlands: Night Train"],
    ["Fary Tales", "Cassandra Moe: Ferry Tales"],
    ["casandra moe", "Cassandra Moe: Ferry Tales"],
    ["cafe del arbol", "Nórdica: Café del Árbol"],
    ["oresund", "Smørrebrød Trio: Øresund"],
    ["smorrebrod", "Smørrebrød Trio: Øresund"],
    ["чаика", "Ночной Поезд: Чайка"],
    ["フェリー", "東京ガールズ: 夜のフェリー"],
    ["dont look back in amber", "Kleo: Don't Look Back (In Amber)"],
    ["don’t look back", "Kleo: Don't Look Back (In Amber)"],
  ])("a track is found first by: %s", async (query, expected) => {
    expect(await first(query)).toEqual([expected]);
  });
});

describe("a name made of words of music", () => {
  test.each([
    ["Victory", "Nine Bells: Victory"],
    ["120 Days of Summer", "Kleo: 120 Days of Summer"],
    ["Slow Tide", "Marrow: Slow Tide"],
    ["No Drums", "Tomtom: No Drums"],
    ["Fast Car", "Ada Quist: Fast Car"],
    ["ambience", "Marrow: Ambience"],
    ["Deep Space", "Paniq: Deep Space"],
  ])("a track named %s comes first", async (query, expected) => {
    expect(await first(query)).toEqual([expected]);
  });

  test("still asks for the mood: the track first, then what sounds like victory", async () => {
    const [title, mood] = await search("Victory");

    expect(title?.reason[0]).toBe("the title is “Victory”");
    expect(mood?.title).toBe("Winners");
    expect(mood?.score).toBeGreaterThan(0.2);
  });
});

describe("an artist", () => {
  test.each(["paniq", "PANIQ", "something by paniq"])("%s is never corrected", async (query) => {
    const results = await search(query);

    expect(results.slice(0, 2).map(({ artists }) => artists.join())).toEqual(["Paniq", "Paniq"]);
    expect(results[0]?.reason[0]).toBe("the artist is “Paniq”");
  });

  test("comes before tracks that only fit the rest, and the rest orders the artist's tracks", async () => {
    expect(await first("techno by paniq", 3)).toEqual([
      "Paniq: Deep Space",
      "Paniq: Lab Rats",
      "Sirens: Alarm",
    ]);
  });
});

test("a title with a slip says that it is close", async () => {
  const [hit] = await search("glaicer");

  expect([hit?.title, hit?.reason[0]]).toEqual(["Glacier", "the title “Glacier” is close to the query"]);
});

test("a new name is found at once, and the file keeps its own", async () => {
  const [hit] = await search("Lab Rats");
  await app.as(key)("PATCH", `/tracks/details?id=${hit?.id}`, { title: "Quartz Heart" });

  expect(await first("quarz hart")).toEqual(["Paniq: Quartz Heart"]);
  expect((await search("lab rats"))[0]?.reason[0]).toBe("the file name is “Lab Rats”");
});

describe("what else a track is called by", () => {
  const idOf = async (query: string) => (await search(query))[0]?.id ?? "";

  test("a playlist's name finds its tracks", async () => {
    const trackIds = [await idOf("Glacier"), await idOf("Café del Árbol")];
    const { body } = await app.as(key)("POST", "/playlists", { name: "Roadtrip Süd", trackIds });

    expect((await first("roadtrip sud", 2)).toSorted()).toEqual([
      "Marrow: Glacier",
      "Nórdica: Café del Árbol",
    ]);
    expect((await search("roadtrip sud"))[0]?.reason[0]).toBe("the playlist is “Roadtrip Süd”");

    await app.as(key)("PATCH", `/playlists/${body.data.playlist.id}`, { name: "Kitchen" });
    expect((await first("kitchen", 2)).toSorted()).toEqual(["Marrow: Glacier", "Nórdica: Café del Árbol"]);
  });

  test("a composer's name finds the tracks with a share", async () => {
    const made = await app.as(key)("POST", "/composers", {
      fullName: "Ilse Brandvold",
      email: "i@example.com",
      pro: "P",
    });
    const composerId = made.body.data.id;
    const trackId = await idOf("Øresund");
    await app.as(key)("PUT", `/tracks/shareholders?id=${trackId}`, {
      shareholders: [{ shareholderId: composerId, share: 100, role: "Writer" }],
    });

    expect(await first("ilse brandvold")).toEqual(["Smørrebrød Trio: Øresund"]);
  });

  test.each([
    [
      "the beginning of a composer's name",
      "ilse brand",
      "the composer “Ilse Brandvold” has words of the query",
    ],
    ["a composer with a slip", "ilse brandvolt", "the composer “Ilse Brandvold” has words of the query"],
  ])("a track is found too by: %s", async (_, query, reason) => {
    const [hit] = await search(query);

    expect([hit?.title, hit?.reason[0]]).toEqual(["Øresund", reason]);
  });

  test("the beginning of a playlist's name, or one with slips, finds its tracks", async () => {
    const trackIds = [await idOf("Deep Space")];
    await app.as(key)("POST", "/playlists", { name: "Quarry Sessions", trackIds });

    for (const query of ["quarry sess", "quary sesions", "quarrysessions"])
      expect((await search(query))[0]).toMatchObject({
        title: "Deep Space",
        reason: [expect.stringMatching(/^the playlist .*“Quarry Sessions”/)],
      });
  });

  test("the label of a version finds its track, as long as the version has it", async () => {
    const path = `/tracks/${await idOf("Racer")}/versions`;
    const { body } = await app.as(key)("GET", path);
    const label = (text: string) =>
      app.as(key)("PATCH", `${path}/${body.data.versions[0].id}`, { label: text });

    await label("v7 vocal up");
    const [hit] = await search("v7 vocal up");
    expect([hit?.title, hit?.reason[0]]).toEqual(["Racer", "the version is “v7 vocal up”"]);
    expect(await first("v7 vocl up")).toEqual(["Ada Quist: Racer"]);

    await label("final");
    expect((await search("v7 vocal up")).flatMap(({ reason }) => reason.join())).not.toContain("v7");
  });

  test("the words of a comment find its track, until the comment is deleted", async () => {
    const ask = app.signedIn(token);
    const path = `/app/tracks/${await idOf("Lab Rats")}/comments`;
    const { body } = await ask("POST", path, { text: "The zither at the end is much too loud" });

    for (const query of ["zither too loud", "zithr at the end"]) {
      const [hit] = await search(query);
      expect([hit?.title, hit?.reason[0]]).toEqual([
        "Quartz Heart",
        "the comment “The zither at the end is much too loud” has words of the query",
      ]);
    }

    await ask("DELETE", `/app/comments/${body.data.id}`);
    expect((await search("zither too loud")).map(({ title }) => title)).not.toContain("Quartz Heart");
  });

  test("a track in the bin is not found, and a restored one is found again", async () => {
    const trackId = await idOf("Bare");
    await app.signedIn(token)("POST", `/app/tracks/${trackId}/comments`, { text: "Wobbly gazebo" });
    const titles = async () => (await search("wobbly gazebo")).map(({ title }) => title);
    expect(await titles()).toEqual(["Bare"]);

    await app.signedIn(token)("DELETE", `/app/tracks/${trackId}`);
    expect(await titles()).toEqual([]);
    expect(await first("Bare")).not.toContain("Tomtom: Bare");

    await app.signedIn(token)("POST", `/app/tracks/${trackId}/restore`, {});
    expect(await titles()).toEqual(["Bare"]);
    expect(await first("Bare")).toEqual(["Tomtom: Bare"]);
  });

  test("the file name of a version finds its track", async () => {
    const trackId = await idOf("Glacier");
    const { body } = await app.as(key)("GET", `/tracks/${trackId}/versions`);
    const [{ id }] = body.data.versions;
    await app.as(key)("PATCH", `/tracks/${trackId}/versions/${id}`, { name: "GLC_mix07_final.wav" });

    expect(await first("glc_mix07_final.wav")).toEqual(["Marrow: Glacier"]);
  });
});

test("names of other accounts change nothing", async () => {
  const { body } = await app.as(key)("POST", "/tracks/search", { query: "melancoly paino" });

  expect(body.data.interpretation.moods).toEqual(["Melancholic"]);
  expect(body.data.interpretation.instruments).toEqual(["Piano"]);
});
