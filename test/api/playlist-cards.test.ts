import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const owner = () => {
  const { accountId, token } = app.createAccount();
  const add = (name: string, options = {}) =>
    addTrackRows(app.deps.db, accountId, { name, durationSec: 100.5, measured: {}, ...options });
  return { accountId, add, call: app.signedIn(token), api: app.as(app.createKey(accountId)) };
};

describe("playlists in the console", () => {
  test("have the covers of their first four different tracks, and their length", async () => {
    const { add, call } = owner();
    const ids = ["a.wav", "b.wav", "c.wav", "d.wav", "e.wav"].map((name) => add(name).id);
    const [first = ""] = ids;
    const trackIds = [first, ...ids];

    const made = await call("POST", "/app/playlists", { name: "Night drives", trackIds });
    const listed = await call("GET", "/app/playlists");

    expect(made.body.data).toMatchObject({ name: "Night drives", trackCount: 6, durationSec: 603 });
    expect(listed.body.data).toEqual([made.body.data]);
    expect(listed.body.data[0].covers).toEqual(ids.slice(0, 4).map((trackId) => ({ trackId, cover: null })));
    const { id } = made.body.data;
    expect((await call("GET", `/app/playlists/${id}`)).body.data).toEqual(made.body.data);
  });

  test("may begin without tracks", async () => {
    const { call } = owner();

    const made = await call("POST", "/app/playlists", { name: "Later", description: "For the label" });

    expect(made.body.data).toMatchObject({
      name: "Later",
      description: "For the label",
      trackCount: 0,
      durationSec: 0,
      covers: [],
    });
  });

  test("show their tracks in order, each place with its own number", async () => {
    const { add, call } = owner();
    const [one, two] = [
      add("one.wav", { title: "One", artist: "Mara", measured: { integratedLufs: -9.4 } }),
      add("two.wav", { visible: false }),
    ];
    const made = await call("POST", "/app/playlists", { name: "P", trackIds: [two.id, one.id, two.id] });

    const { body } = await call("GET", `/app/playlists/${made.body.data.id}/tracks`);

    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(["two.wav", "One", "two.wav"]);
    expect(body.data[1]).toMatchObject({ id: one.id, artist: "Mara", integratedLufs: -9.4, visible: true });
    expect(body.data[0]).toMatchObject({ id: two.id, visible: false, activeVersionId: two.versionId });
    expect(new Set(body.data.map(({ placeId }: { placeId: number }) => placeId)).size).toBe(3);
  });

  test("are another account's secret", async () => {
    const [mine, other] = [owner(), owner()];
    const made = await mine.call("POST", "/app/playlists", { name: "Mine" });
    const path = `/app/playlists/${made.body.data.id}`;

    const answers = [await other.call("GET", path), await other.call("GET", `${path}/tracks`)];
    const stolen = await other.call("POST", "/app/playlists", {
      name: "Stolen",
      trackIds: [mine.add("x.wav").id],
    });

    expect(answers.map(({ status, body }) => [status, body.messageCode])).toEqual([
      [404, "playlist_not_found"],
      [404, "playlist_not_found"],
    ]);
    expect([stolen.status, stolen.body.messageCode]).toEqual([404, "track_not_found"]);
    expect((await other.call("GET", "/app/playlists")).body.data).toEqual([]);
  });
});
