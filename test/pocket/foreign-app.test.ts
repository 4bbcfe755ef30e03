import { afterAll, beforeAll, expect, test } from "bun:test";
import SubsonicAPI from "subsonic-api";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addPlayer, upload } from "../support/door.ts";

let app: TestApp;
let player: Awaited<ReturnType<typeof addPlayer>>;
let song: { id: string; bytes: Uint8Array };

beforeAll(async () => {
  app = await createTestApp();
  const { accountId, token } = app.createAccount();
  const key = app.as(app.createKey(accountId));
  song = await upload(app, key, "Night Drive.wav", 1);
  await key("PUT", `/tracks/${song.id}/lyrics`, { lyrics: "Headlights" });
  player = await addPlayer(app, token);
});
afterAll(() => app.close());

const local = ((input: string, init?: RequestInit) => app.request(input, init)) as unknown as typeof fetch;

/** A music app of another author. */
const appOf = (auth: { apiKey: string } | { username: string; password: string }, post: boolean) =>
  new SubsonicAPI({ url: "http://127.0.0.1:4747", auth, post, fetch: local });

test.each([
  ["a token", false],
  ["a token", true],
  ["an API key", false],
  ["an API key", true],
])("a music app of another author with %s plays the library (by forms: %p)", async (way, post) => {
  const { username, password, apiKey } = player;
  const api = appOf(way === "a token" ? { username, password } : { apiKey }, post);

  expect(await api.ping()).toMatchObject({ status: "ok", type: "dubplate", openSubsonic: true });
  const { searchResult3 } = await api.search3({ query: "" });
  const [found] = searchResult3.song ?? [];
  const id = found?.id ?? "";
  const album = (await api.getAlbum({ id: found?.albumId ?? "" })).album;
  const { playlist } = (await api.getPlaylists()).playlists;
  const stream = await api.stream({ id });
  const at = app.clock.now();
  await api.scrobble({ id, time: at });
  await api.scrobble({ id, time: at });

  expect(album.song?.map((each) => each.id)).toEqual([`${song.id}-0`]);
  expect(playlist?.map(({ name }) => name)).toEqual(["Recently added", "New mixes"]);
  expect(Buffer.from(await stream.arrayBuffer()).equals(song.bytes)).toBe(true);
  // Its types leave out a level of the answer.
  expect(await api.getLyricsBySongId({ id })).toMatchObject({
    lyricsList: { structuredLyrics: [{ line: [{ value: "Headlights" }] }] },
  });
  expect(await api.star({ id })).toMatchObject({ status: "failed", error: { code: 50 } });
  expect(app.deps.db.$client.query("SELECT count(*) AS n FROM listens").get()).toEqual({ n: 1 });
});
