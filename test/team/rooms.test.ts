import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";
import { addGuest } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../docs/team.md"), "utf8");
/** What guests reach, by docs/team.md: addresses as in the OpenAPI document, and who may use them. */
const OPENED = new Map(
  [...PAGE.matchAll(/^\| `((?:GET|POST|PUT|PATCH|DELETE) \/[^`]*)` \| (\S+) \| (\S+) \|/gm)].map(
    ([, route = "", artist = "", listener = ""]) => [route, { artist, listener }],
  ),
);

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** A label with a room, a playlist that is none, and a track in neither. Everything but the room has a name to look for. */
async function createLabel() {
  const owner = app.createAccount();
  const { db } = app.deps;
  const add = (title: string) => addTrackRows(db, owner.accountId, { title, name: `${title}.wav` });
  const tracks = { inRoom: add("In the room"), secret: add("Hidden Elsewhere"), loose: add("Hidden Loose") };
  const key = app.as(app.createKey(owner.accountId));
  const make = async (name: string, trackIds: string[]) =>
    (await key("POST", "/playlists", { name, trackIds })).body.data.playlist.id as string;
  const room = await make("The room", [tracks.inRoom.id]);
  const secret = await make("Hidden List", [tracks.secret.id, tracks.inRoom.id]);
  return { ...owner, web: app.signedIn(owner.token), tracks, room, secret };
}

type Route = { method: string; path: string; isOpen: boolean };

/** Every address at which a person reaches an operation. */
async function routesForPeople(): Promise<Route[]> {
  const document = await jsonOf(await app.request("/openapi.json"));
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).flatMap(([method, operation]) => {
      const { "x-need": need, "x-scope": scope, "x-rooms": isOpen = false } = operation;
      const own = { method: method.toUpperCase(), isOpen };
      return [
        ...(need && need !== "self" ? [{ ...own, path }] : []),
        ...(scope && !scope.startsWith("platform:")
          ? [{ ...own, path: path.replace("/api/v1", "/app/library") }]
          : []),
      ];
    }),
  );
}

describe("a guest of a room", () => {
  test("reaches the routes of docs/team.md, and every other is not there for them", async () => {
    const { accountId, room } = await createLabel();
    const guest = addGuest(app, accountId, { [room]: { role: "artist", splits: true, listening: true } });
    const routes = await routesForPeople();
    const wrong: string[] = [];
    for (const { method, path } of routes.filter(({ isOpen }) => !isOpen)) {
      const { status, body } = await app.signedIn(guest.token)(method, path.replace(/\{\w+\}/g, "none"));
      const names = path.includes("{");
      if (status !== (names ? 404 : 403)) wrong.push(`${method} ${path}: ${status}`);
      if (!names) expect([path, body.messageCode]).toEqual([path, "insufficient_scope"]);
    }

    expect(wrong).toEqual([]);
    expect(routes.length).toBeGreaterThan(200);
    const open = routes.filter(({ isOpen }) => isOpen).map(({ method, path }) => `${method} ${path}`);
    expect(open.filter((route) => !OPENED.has(route))).toEqual([]);
    expect([...OPENED.keys()].filter((route) => !open.includes(route))).toEqual([]);
  });

  test("is told by the session which rooms they are in, and sees only themselves in the team", async () => {
    const { accountId, room } = await createLabel();
    const guest = addGuest(app, accountId, { [room]: { role: "artist", splits: true } });
    const web = app.signedIn(guest.token);

    const { library } = (await web("GET", "/auth/session")).body.data;
    const team = (await web("GET", "/app/team")).body.data;

    expect(library).toMatchObject({ id: accountId, role: "artist", reach: "rooms" });
    expect(library.rooms).toEqual([
      { playlistId: room, name: "The room", role: "artist", seesSplits: true, seesListening: false },
    ]);
    expect(library.scopes).not.toContain("create:playlists");
    expect(team.members.map(({ id }: Json) => id)).toEqual([guest.memberId]);
  });
});

describe("a guest reads", () => {
  const guestOf = async (options: Parameters<typeof addGuest>[2][string] = {}) => {
    const label = await createLabel();
    const guest = addGuest(app, label.accountId, { [label.room]: options });
    return { ...label, guest, guestWeb: app.signedIn(guest.token) };
  };

  test("their room and its tracks, and no word of another playlist or track", async () => {
    const { tracks, room, secret, guestWeb } = await guestOf({
      role: "artist",
      splits: true,
      listening: true,
    });
    const { id, versionId } = tracks.inRoom;
    const answers: string[] = [];
    const read = async (path: string) => {
      const { status, body } = await guestWeb("GET", path);
      answers.push(`${path} ${JSON.stringify(body)}`);
      return { status, data: body.data };
    };

    const cards = await read("/app/playlists");
    const rows = await read(`/app/playlists/${room}/tracks`);
    const track = await read(`/app/library/tracks/single?id=${id}`);
    const others = [
      await read(`/app/playlists/${room}`),
      await read(`/app/playlists/${room}/facts`),
      await read("/app/playlists?kind=album"),
      await read(`/app/tracks/${id}/versions`),
      await read(`/app/tracks/${id}/comments`),
      await read(`/app/library/tracks/${id}/comments`),
      await read(`/app/library/tracks/${id}/versions/${versionId}/diff`),
    ];

    expect(cards.data.map((card: Json) => [card.id, card.publicUrl])).toEqual([[room, null]]);
    expect(rows.data.map((row: Json) => row.id)).toEqual([id]);
    expect(track.data.track).toMatchObject({ id, link: null });
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 409]);
    expect(answers.filter((text) => text.includes("Hidden") || text.includes(secret))).toEqual([]);
  });

  test("nothing of a playlist or a track that is in none of their rooms: it is not there", async () => {
    const { tracks, secret, guestWeb } = await guestOf({ role: "artist" });
    for (const { id, versionId } of [tracks.secret, tracks.loose]) {
      const single = await guestWeb("GET", `/app/library/tracks/single?id=${id}`);
      const unknown = await guestWeb("GET", `/app/library/tracks/single?id=trk_none`);
      expect(JSON.stringify(single.body)).toBe(JSON.stringify(unknown.body).replace("trk_none", id));
      for (const path of [
        `/app/tracks/${id}/versions`,
        `/app/tracks/${id}/comments`,
        `/app/library/tracks/${id}/versions/${versionId}/diff`,
        `/app/library/tracks/${id}/versions/${versionId}/waveform`,
      ]) {
        const { status, body } = await guestWeb("GET", path);
        expect([path, status, body.messageCode]).toEqual([path, 404, "track_not_found"]);
      }
    }
    for (const path of ["", "/tracks", "/facts"]) {
      const { status, body } = await guestWeb("GET", `/app/playlists/${secret}${path}`);
      expect([status, body.messageCode]).toEqual([404, "playlist_not_found"]);
    }
  });

  test("nothing any more of a track that was taken out, of a room in the bin, and after the end", async () => {
    const { tracks, room, web, guest, guestWeb } = await guestOf();
    const seen = async () => {
      const { body } = await guestWeb("GET", `/app/library/tracks/single?id=${tracks.inRoom.id}`);
      return body.data?.track?.id;
    };
    const steps: (string | undefined)[] = [await seen()];

    await web("DELETE", `/app/library/playlists/${room}/tracks/${tracks.inRoom.id}`);
    steps.push(await seen());
    await web("POST", `/app/library/playlists/${room}/tracks`, { trackIds: [tracks.inRoom.id] });
    steps.push(await seen());
    await web("DELETE", `/app/library/playlists/${room}`);
    steps.push(await seen());
    await web("POST", `/app/playlists/${room}/restore`);
    steps.push(await seen());
    app.deps.db.$client.run("UPDATE members SET ends_at = ? WHERE id = ?", [app.clock.now(), guest.memberId]);

    expect(steps).toEqual([tracks.inRoom.id, undefined, tracks.inRoom.id, undefined, tracks.inRoom.id]);
    expect((await guestWeb("GET", "/app/playlists")).status).toBe(401);
  });
});
