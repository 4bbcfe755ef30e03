import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { notify } from "../../src/modules/people/notifications/service.ts";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { addGuest, addMember } from "../support/team.ts";
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

/** A label, and a guest of its room. */
async function guestOf(options: Parameters<typeof addGuest>[2][string] = {}) {
  const label = await createLabel();
  const guest = addGuest(app, label.accountId, { [label.room]: options });
  return { ...label, guest, guestWeb: app.signedIn(guest.token) };
}

describe("a guest reads", () => {
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

  test("how often their tracks were played, with the switch of a room that holds them, and of no others", async () => {
    const { tracks, room, secret, guestWeb } = await guestOf({ listening: true });
    const blind = app.signedIn((await guestOf()).guest.token);
    const ids = [tracks.inRoom.id, tracks.secret.id].join(",");
    const stats = (web: typeof guestWeb, query: string) =>
      web("GET", `/app/library/analytics/stats?${query}`);

    const ofTracks = (await stats(guestWeb, `entity=track&ids=${ids}`)).body.data;
    const ofLists = (await stats(guestWeb, `entity=playlist&ids=${room},${secret}`)).body.data;

    expect(ofTracks.items.map(({ id }: Json) => id)).toEqual([tracks.inRoom.id]);
    expect([ofTracks.notFound, ofLists.notFound]).toEqual([[tracks.secret.id], [secret]]);
    expect((await stats(blind, `entity=track&ids=${ids}`)).status).toBe(403);
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

describe("a guest says", () => {
  test("something about a track of their room, in their own name, and nothing elsewhere", async () => {
    const { tracks, guest, guestWeb, web } = await guestOf();
    const say = (trackId: string, door: string) =>
      guestWeb("POST", `/app${door}/tracks/${trackId}/comments`, { text: "Louder" });

    const said = await say(tracks.inRoom.id, "");
    const elsewhere = [await say(tracks.secret.id, ""), await say(tracks.loose.id, "/library")];

    expect(said.body.data.author).toMatchObject({ id: guest.personId });
    expect(elsewhere.map(({ status, body }) => [status, body.messageCode])).toEqual([
      [404, "track_not_found"],
      [404, "track_not_found"],
    ]);
    const { data } = (await web("GET", `/app/tracks/${tracks.inRoom.id}/comments`)).body;
    expect(data.map(({ author }: Json) => author.id)).toEqual([guest.personId]);
    const owners = await web("POST", `/app/tracks/${tracks.inRoom.id}/comments`, { text: "Softer" });
    const remove = (id: string) => guestWeb("DELETE", `/app/comments/${id}`);
    const removed = [await remove(said.body.data.id), await remove(owners.body.data.id)];
    expect(removed.map(({ status }) => status)).toEqual([200, 404]);
  });
});

describe("a guest sends", () => {
  const OCTETS = "application/offset+octet-stream";
  const bytesOf = (tone: number) => wavBytes([sine(8000, 0.3, tone)], 8000, 16) as Uint8Array<ArrayBuffer>;

  const sender = (token: string, door = "/app") => {
    const headers = { authorization: `Bearer ${token}`, "tus-resumable": "1.0.0" };
    const begin = (bytes: Uint8Array<ArrayBuffer>, texts: Record<string, string>, isWhole = true) =>
      app.request(`${door}/uploads`, {
        method: "POST",
        headers: {
          ...headers,
          "upload-length": String(bytes.length),
          "upload-metadata": Object.entries({ filename: "Mix.wav", ...texts })
            .map(([name, text]) => `${name} ${Buffer.from(text).toString("base64")}`)
            .join(","),
          ...(isWhole && { "content-type": OCTETS }),
        },
        ...(isWhole && { body: bytes }),
      });
    return { begin, ask: (method: string, path: string) => app.request(path, { method, headers }) };
  };
  const idOf = (response: Response) => response.headers.get("location")?.split("/").at(-1) ?? "";

  test("a version as artist, which waits for somebody of the library to make it play", async () => {
    const { tracks, guest, guestWeb, web } = await guestOf({ role: "artist" });
    const { id: trackId, versionId } = tracks.inRoom;
    const id = idOf(await sender(guest.token).begin(bytesOf(300), { trackId }));

    const pushed = await guestWeb("POST", "/app/uploads/finish", {
      uploads: [{ id, path: "Mix.wav", trackId, activate: true }],
    });
    const sent = await guestWeb("POST", "/app/uploads/finish", {
      uploads: [{ id, path: "Mix.wav", trackId }],
    });

    expect(pushed.body.data.uploads[0]).toMatchObject({
      outcome: "refused",
      messageCode: "insufficient_scope",
    });
    expect(sent.body.data).toMatchObject({
      uploads: [{ outcome: "version", trackId, albumId: null }],
      albums: [],
    });
    const versions = (await web("GET", `/app/tracks/${trackId}/versions`)).body.data;
    expect(versions.map((each: Json) => [each.active, each.madeBy?.id])).toEqual([
      [false, guest.personId],
      [true, undefined],
    ]);
    expect(versions[1].id).toBe(versionId);
    const told = (await web("GET", "/app/notifications")).body.data;
    expect(told[0]).toMatchObject({
      kind: "track.version_sent",
      title: "The listener sent in a version of In the room",
      entityId: trackId,
    });
  });

  test("nothing as listener, for another track, or without a track", async () => {
    const { tracks, guest } = await guestOf({ role: "artist" });
    const listener = (await guestOf()).guest;
    const refusals = [
      await sender(guest.token).begin(bytesOf(310), {}),
      await sender(guest.token).begin(bytesOf(310), { trackId: tracks.secret.id }),
      await sender(guest.token, "/app/library").begin(bytesOf(310), { trackId: tracks.loose.id }),
      await sender(listener.token).begin(bytesOf(310), { trackId: tracks.inRoom.id }),
    ];

    expect(refusals.map(({ status }) => status)).toEqual([403, 404, 404, 403]);
  });

  test("only what is theirs: not another's upload, not to another track, and not after the track left the room", async () => {
    const { tracks, room, secret, guest, guestWeb, accountId, token, web } = await guestOf({
      role: "artist",
    });
    const { id: trackId } = tracks.inRoom;
    const other = addGuest(app, accountId, { [room]: { role: "artist" } });
    const [mine, theirs, owners] = [
      idOf(await sender(guest.token).begin(bytesOf(320), { trackId, key: "one" })),
      idOf(await sender(other.token).begin(bytesOf(320), { trackId, key: "one" })),
      idOf(await sender(token).begin(bytesOf(320), { key: "one" })),
    ];
    const finish = async (id: string, track: string | undefined = undefined) => {
      const item = { id, path: "Mix.wav", ...(track !== undefined && { trackId: track }) };
      const { body } = await guestWeb("POST", "/app/uploads/finish", { uploads: [item] });
      return body.data.uploads[0].messageCode;
    };
    const asked = await Promise.all(
      [mine, theirs, owners].map((id) => sender(guest.token).ask("HEAD", `/app/uploads/${id}`)),
    );

    expect(new Set([mine, theirs, owners]).size).toBe(3);
    expect(asked.map(({ status }) => status)).toEqual([200, 404, 404]);
    expect([
      await finish(theirs),
      await finish(owners, trackId),
      await finish(mine, tracks.secret.id),
    ]).toEqual(["not_found", "not_found", "track_not_found"]);
    await web("DELETE", `/app/library/playlists/${room}/tracks/${trackId}`);
    expect(await finish(mine, trackId)).toBe("track_not_found");
    expect((await web("GET", `/app/playlists/${secret}/tracks`)).body.data).toHaveLength(2);
  });
});

describe("a guest fetches", () => {
  test("files of their room, until the track or the room is gone; a listener no original", async () => {
    const label = await createLabel();
    const { id } = label.tracks.inRoom;
    const linksOf = async (role: "artist" | "listener") => {
      const guest = addGuest(app, label.accountId, { [label.room]: { role } });
      const { body } = await app.signedIn(guest.token)("GET", `/app/tracks/${id}/versions`);
      return [body.data[0].downloadUrl, body.data[0].playbackUrl].map((url) => new URL(url));
    };
    const links = [...(await linksOf("artist")), ...(await linksOf("listener"))];
    const codeOf = async ({ pathname, search }: URL) =>
      (await jsonOf(await app.request(pathname + search, { headers: { accept: "application/json" } })))
        .messageCode;
    const codes = () => Promise.all(links.map(codeOf));

    // The rows of the fixture have no file: what a link lets through is then missing, or not made yet.
    const open = await codes();
    await label.web("DELETE", `/app/library/playlists/${label.room}/tracks/${id}`);
    const taken = await codes();
    await label.web("POST", `/app/library/playlists/${label.room}/tracks`, { trackIds: [id] });
    await label.web("DELETE", `/app/library/playlists/${label.room}`);
    const binned = await codes();
    await label.web("POST", `/app/playlists/${label.room}/restore`);
    app.deps.db.$client.run("DELETE FROM members WHERE account_id = ? AND reach = 'rooms'", [
      label.accountId,
    ]);

    expect(links.map(({ pathname }) => pathname.startsWith("/media/renditions/"))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(open).toEqual(["file_missing", "file_missing", "not_found", "not_found"]);
    for (const each of [taken, binned, await codes()]) expect(each).toEqual(links.map(() => "invalid_link"));
  });
});

describe("the cast of a playlist", () => {
  const tokenOf = (url: string) => new URL(url).searchParams.get("token") ?? "";
  const join = async (url: string, name = "Mia") => {
    const { body } = await app
      .request("/auth/join", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token: tokenOf(url), name, password: "correct horse battery" }),
      })
      .then(async (response) => ({ body: await jsonOf(response) }));
    return app.signedIn(body.data.token);
  };
  /** A label whose owner invites Mia into the room. */
  async function invited(email: string, more: object = {}) {
    const label = await createLabel();
    const path = `/app/playlists/${label.room}/cast`;
    const { status, body } = await label.web("POST", path, { email, role: "artist", ...more });
    return { ...label, path, status, added: body.data };
  }

  test("invites somebody by a link, who then sees this playlist and nothing else", async () => {
    const { web, path, room, secret, status, added } = await invited("mia@example.com", { seesSplits: true });
    const page = await (await app.request(`/join?token=${tokenOf(added.invitation.url)}`)).text();
    const before = (await web("GET", path)).body.data;

    const mia = await join(added.invitation.url);

    expect([status, added.member]).toEqual([200, null]);
    expect(page).toContain("Someone invites you to “The room” of Someone");
    expect(page).toContain("and nothing else");
    expect(before).toMatchObject({
      members: [],
      invitations: [{ email: "mia@example.com", role: "artist" }],
    });
    const after = (await web("GET", path)).body.data;
    expect(after).toMatchObject({
      members: [
        { person: { name: "Mia", email: "mia@example.com" }, role: "artist", seesSplits: true, until: null },
      ],
      invitations: [],
    });
    expect((await mia("GET", "/app/playlists")).body.data.map(({ id }: Json) => id)).toEqual([room]);
    expect((await mia("GET", `/app/playlists/${secret}`)).status).toBe(404);
    expect((await mia("GET", "/app/tracks")).status).toBe(403);
    const log = (await web("GET", "/app/team/log")).body.data.map(({ sentence }: Json) => sentence);
    expect(log).toEqual([
      "Mia joined “The room” as artist",
      "Someone invited mia@example.com into “The room” as artist",
    ]);
  });

  test("lets a guest of another room in at once, and keeps the later end", async () => {
    const { web, path, secret, added } = await invited("noa@example.com", { until: "2026-02-01" });
    const noa = await join(added.invitation.url, "Noa");

    const second = await web("POST", `/app/playlists/${secret}/cast`, {
      email: "NOA@example.com",
      role: "listener",
    });
    const again = await web("POST", path, { email: "noa@example.com", role: "listener" });

    expect(second.body.data).toMatchObject({ invitation: null, member: { role: "listener", until: null } });
    expect([again.status, again.body.messageCode]).toEqual([409, "duplicate_email"]);
    expect((await noa("GET", "/app/playlists")).body.data).toHaveLength(2);
  });

  test("needs no room for somebody who sees the whole library, and makes a guest a member by an invitation", async () => {
    const { web, path, accountId, added } = await invited("pia@example.com");
    const pia = await join(added.invitation.url, "Pia");
    const invitation = await web("POST", "/app/team/invitations", {
      email: "pia@example.com",
      role: "producer",
    });

    const joined = await pia("POST", "/auth/join", { token: tokenOf(invitation.body.data.url) });

    expect(joined.status).toBe(200);
    expect((await pia("GET", "/auth/session")).body.data.library).toMatchObject({
      id: accountId,
      role: "producer",
      reach: "library",
      rooms: [],
    });
    expect((await pia("GET", "/app/tracks")).body.data).toHaveLength(3);
    expect((await web("GET", path)).body.data.members).toEqual([]);
    const refused = await web("POST", path, { email: "pia@example.com", role: "artist" });
    expect([refused.status, refused.body.messageCode]).toEqual([409, "duplicate_email"]);
  });

  test("changes what a guest may at the next request, and takes them out of the library with the last room", async () => {
    const { web, path, tracks, added } = await invited("uma@example.com");
    const uma = await join(added.invitation.url, "Uma");
    const [member] = (await web("GET", path)).body.data.members;
    const urlOf = async () => {
      const { body } = await uma("GET", `/app/tracks/${tracks.inRoom.id}/versions`);
      return new URL(body.data[0].downloadUrl).pathname.startsWith("/media/renditions/");
    };
    const asArtist = await urlOf();

    const changed = await web("PATCH", `${path}/${member.id}`, { role: "listener", until: "2026-03-01" });
    const asListener = await urlOf();
    const removed = await web("DELETE", `${path}/${member.id}`);

    expect([asArtist, asListener]).toEqual([false, true]);
    expect(changed.body.data).toMatchObject({ role: "listener", until: "2026-03-01T23:59:59.999Z" });
    expect(removed.status).toBe(200);
    expect((await uma("GET", "/app/playlists")).status).toBe(401);
    expect((await web("DELETE", `${path}/${member.id}`)).body.messageCode).toBe("member_not_found");
  });

  test("belongs to those who manage the team, and to the playlists of the library", async () => {
    const { accountId, room, path, web } = await invited("eva@example.com");
    const producer = addMember(app, accountId, { role: "producer" });
    const stranger = app.createAccount();

    const refusals = [
      await app.signedIn(producer.token)("GET", path),
      await app.signedIn(stranger.token)("GET", path),
      await app.signedIn(stranger.token)("POST", path, { email: "eva@example.com", role: "artist" }),
      await web("POST", path, { email: "eva@example.com", role: "producer" }),
    ];

    expect(refusals.map(({ status, body }) => [status, body.messageCode])).toEqual([
      [403, "insufficient_scope"],
      [404, "playlist_not_found"],
      [404, "playlist_not_found"],
      [400, "validation_failed"],
    ]);
    expect((await web("GET", `/app/playlists/${room}/cast`)).body.data.invitations).toHaveLength(1);
  });

  test("is left by the guest, and over an invitation to a room in the bin", async () => {
    const { web, path, room, added } = await invited("ida@example.com");
    const late = (await web("POST", path, { email: "late@example.com", role: "listener" })).body.data
      .invitation;
    const ida = await join(added.invitation.url, "Ida");

    const left = await ida("POST", "/app/team/leave");
    await web("DELETE", `/app/library/playlists/${room}`);
    const page = await app.request(`/join?token=${tokenOf(late.url)}`);

    expect([left.status, (await ida("GET", "/app/playlists")).status]).toEqual([200, 401]);
    expect(page.status).toBe(403);
  });
});

describe("a guest hears", () => {
  const changesFor = async (web: ReturnType<TestApp["signedIn"]>, after: string) =>
    (await web("GET", `/app/changes?after=${after}`)).body.data;

  test("of their tracks and their room, and of nothing else that changes", async () => {
    const { tracks, room, secret, web, guestWeb, guest } = await guestOf();
    const { seq } = await (await guestWeb("GET", "/app/changes")).body.data;
    const touch = (id: string) => web("PATCH", `/app/library/tracks/details?id=${id}`, { notes: "Changed" });
    await touch(tracks.secret.id);
    await touch(tracks.loose.id);
    await web("PATCH", `/app/library/playlists/${secret}`, { name: "Hidden Again" });
    await web("POST", `/app/tracks/${tracks.loose.id}/comments`, { text: "Hidden words" });
    await web("POST", "/app/playlists", { name: "Hidden Third" });

    const quiet = await changesFor(guestWeb, seq);
    await touch(tracks.inRoom.id);
    await web("PATCH", `/app/library/playlists/${room}`, { name: "Another name" });
    const heard = await changesFor(guestWeb, quiet.seq);
    app.deps.db.$client.run("UPDATE members SET sees_splits = 1 WHERE id = ?", [guest.memberId]);
    const own = await changesFor(guestWeb, heard.seq);

    expect(quiet.changes).toEqual([]);
    expect(heard.changes).toEqual([
      { topic: "tracks", ids: [tracks.inRoom.id] },
      { topic: "playlists", ids: [room] },
    ]);
    expect(own.changes).toEqual([{ topic: "team", ids: [guest.memberId] }]);
  });

  test("that a track of theirs plays another file, and no news that names something else", async () => {
    const { tracks, guestWeb, accountId } = await guestOf();
    const { db, now } = app.deps;
    const tell = (kind: `${string}.${string}`, title: string, entityId: string) =>
      notify(db, { accountId, kind, title, entityKey: "track", entityId }, now());
    tell("track.audio_replaced", "The audio of In the room was replaced", tracks.inRoom.id);
    tell("track.audio_replaced", "The audio of Hidden Elsewhere was replaced", tracks.secret.id);
    tell("track.mix_found", "“In the room” sounds like a mix of “Hidden Loose”", tracks.inRoom.id);

    const { body } = await guestWeb("GET", "/app/notifications");
    const hidden = await app.deps.db.$client
      .query<{ id: string }, []>("SELECT id FROM notifications WHERE title LIKE '%Hidden%'")
      .all();
    const read = await Promise.all(hidden.map(({ id }) => guestWeb("POST", `/app/notifications/${id}/read`)));

    expect(body.data.map(({ title }: Json) => title)).toEqual(["The audio of In the room was replaced"]);
    expect(body.unreadCount).toBe(1);
    expect(read.map(({ status }) => status)).toEqual(hidden.map(() => 404));
    expect((await guestWeb("POST", "/app/notifications/read")).body.data.read).toBe(1);
  });
});
