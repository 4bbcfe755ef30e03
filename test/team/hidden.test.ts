import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Role } from "../../db/schema.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { type Planted, planted, plantLibrary } from "../support/planted.ts";
import { addMember } from "../support/team.ts";

let app: TestApp;
let lib: Planted;
beforeAll(async () => {
  app = await createTestApp();
  lib = await plantLibrary(app, "Ashgrove", 440);
});
afterAll(() => app.close());

type Switches = { splits?: boolean; listening?: boolean };

/** A member, as they come through the console, its door to the library, and a key of theirs with every scope. */
async function member(role: Role, switches: Switches = {}) {
  const made = addMember(app, lib.accountId, { role: "manager", ...switches });
  const web = app.signedIn(made.token);
  const { key } = (await web("POST", "/integration/api-keys", { name: "mine" })).body.data;
  become(made.memberId, role, switches);
  const door = (method: string, path: string, body?: unknown) => web(method, `/app/library${path}`, body);
  return { ...made, web, door, key: app.as(key), rawKey: key as string };
}

function become(memberId: string, role: Role, { splits = false, listening = false }: Switches = {}) {
  app.deps.db.$client
    .query("UPDATE members SET role = ?, sees_splits = ?, sees_listening = ? WHERE id = ?")
    .run(role, Number(splits), Number(listening), memberId);
}

const hasSplit = (answer: Json) =>
  /37\.37|Ashgrovecomposer|Ashgrovepublisher/i.test(JSON.stringify(answer.body));

/** What a tool answers. */
async function tool(key: string, name: string, input: Json): Promise<{ body: Json }> {
  const response = await app.request("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      "x-api-key": key,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } }),
  });
  return { body: await response.text() };
}

describe("splits without the switch", () => {
  test("are nowhere in what is said of tracks, by whichever door, and there with it", async () => {
    const answersFor = async ({ door, key, web, rawKey }: Awaited<ReturnType<typeof member>>) => {
      const { trackId, quietId } = lib;
      const where = { ids: [trackId, quietId] };
      return [
        await door("GET", `/tracks/single?id=${trackId}`),
        await door("GET", "/tracks?fields=id,shareholders"),
        await key("GET", `/tracks/single?id=${trackId}`),
        await key("GET", "/tracks?fields=id,name,shareholders"),
        await door("PATCH", `/tracks/details?id=${trackId}`, { details: { notes: "x" } }),
        await web("POST", "/app/tracks/common", { where }),
        await tool(rawKey, "get_track", { trackId }),
        await web("GET", `/library/playlists/${lib.playlist.id}/plain`),
      ];
    };
    const without = await answersFor(await member("producer"));
    const withSwitch = await answersFor(await member("producer", { splits: true }));
    const listeners = await answersFor(await member("listener"));

    expect(without.map(hasSplit)).toEqual(without.map(() => false));
    expect(listeners.map(hasSplit)).toEqual(listeners.map(() => false));
    expect(withSwitch.slice(0, 4).map(hasSplit)).toEqual([true, true, true, true]);
    expect([hasSplit(withSwitch[5]), hasSplit(withSwitch[6] as Json)]).toEqual([true, true]);
    expect(without[0]?.body.data.track.shareholderTracks).toEqual([]);
    expect(without[1]?.body.data[0].shareholders).toEqual([]);
    expect(without[5]?.body.data.shareholders).toEqual([]);
  });

  test("are seen with a key of a manager, whatever its scopes", async () => {
    const { web } = await member("manager");
    const made = await web("POST", "/integration/api-keys", { name: "few", scopes: ["read:tracks"] });

    const { body } = await app.as(made.body.data.key)("GET", `/tracks/single?id=${lib.trackId}`);

    expect(body.data.track.shareholderTracks).toHaveLength(1);
  });

  test("name no track in a search", async () => {
    const search = async (switches: Switches) => {
      const { door } = await member("producer", switches);
      const { body } = await door("POST", "/tracks/search", { query: "Ashgrovecomposer Lind" });
      return [body.data.results[0]?.reason.join(" ") ?? "", body.data.interpretation.notUnderstood];
    };

    expect((await search({ splits: true }))[0]).toContain("Ashgrovecomposer");
    expect(JSON.stringify(await search({}))).not.toMatch(/Ashgrovecomposer Lind/);
  });

  test("cannot be switched on for a page, and stay on where they are", async () => {
    const { web, key } = await member("producer");
    const made = await web("POST", "/app/shares", { trackId: lib.trackId, showDetails: true });
    const changed = await key("PATCH", `/shares/${lib.link.id}`, { showDetails: true });
    await lib.web("PATCH", `/app/shares/${lib.quietLink.id}`, { showDetails: true });
    const kept = await web("PATCH", `/app/shares/${lib.quietLink.id}`, {
      showDetails: true,
      allowComments: true,
    });
    await lib.web("PATCH", `/app/shares/${lib.quietLink.id}`, { showDetails: false });

    expect([made, changed].map(({ status, body }) => [status, body.data.required])).toEqual([
      [403, "read:composers"],
      [403, "read:composers"],
    ]);
    expect(kept.status).toBe(200);
    expect((await web("POST", "/app/shares", { trackId: lib.trackId })).status).toBe(200);
  });

  test("are not repeated from an answer that was kept while they were seen", async () => {
    const { memberId, token } = await member("producer", { splits: true });
    const again = () =>
      app.request("/app/tracks/common", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${token}`,
          "idempotency-key": "once",
        },
        body: JSON.stringify({ where: { ids: [lib.trackId] } }),
      });
    const first = await (await again()).text();

    become(memberId, "producer");
    const second = await again();

    expect(first).toContain("37.37");
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await second.text()).not.toMatch(/37\.37|Ashgrovecomposer/);
  });
});

describe("splits are written", () => {
  test("only by those who may change composers, whatever the way", async () => {
    const { web, door, key } = await member("producer", { splits: true });
    const shareholders = [{ shareholderId: lib.composer.id, share: 12, role: "writer" }];
    const form = new FormData();
    form.append("files", new File([planted(660)], "New.wav"));
    form.append("audioProfiles", JSON.stringify([{ name: "New.wav", audioProfile: { shareholders } }]));
    const where = { ids: [lib.trackId] };
    const answers = [
      await door("PUT", `/tracks/shareholders?id=${lib.trackId}`, { shareholders }),
      await key("PUT", `/tracks/shareholders?id=${lib.trackId}`, { shareholders }),
      await web("POST", "/app/tracks/bulk", { where, do: { shareholders } }),
      await key("POST", "/tracks/bulk", { where, do: { shareholders } }),
      await key("POST", "/tracks/upload", form),
      await key("POST", "/tracks/upload/url", {
        items: [{ fileUrl: "https://example.com/a.wav", audioProfile: { shareholders } }],
      }),
    ];

    expect(answers.map(({ status, body }) => [status, body.data?.required])).toEqual(
      answers.map(() => [403, "update:composer"]),
    );
    const { body } = await lib.api("GET", `/tracks/single?id=${lib.trackId}`);
    expect(body.data.track.shareholderTracks[0].share).toBe(37.37);
  });

  test("by a manager, and not taken back by them after they became a producer", async () => {
    const { memberId, web } = await member("manager");
    const where = { ids: [lib.quietId] };
    const changed = await web("POST", "/app/tracks/bulk", { where, do: { shareholders: [] } });
    const { undoId } = changed.body.data;

    become(memberId, "producer", { splits: true });
    const refused = await web("POST", `/app/undo/${undoId}`);
    become(memberId, "manager");
    const undone = await web("POST", `/app/undo/${undoId}`);

    expect([changed.status, refused.status, refused.body.data?.required]).toEqual([
      200,
      403,
      "update:composer",
    ]);
    expect(undone.body.data).toEqual({ undone: 1, failed: [] });
  });
});

describe("undo, changes under way and archives", () => {
  test("belong to whoever made them, and to those who manage the library", async () => {
    const [ana, ben] = [await member("producer"), await member("producer")];
    const where = { ids: [lib.quietId] };
    const change = async () =>
      (
        await ana.web("POST", "/app/tracks/bulk", {
          ...{ where, answerWithinMs: 20_000 },
          do: { details: { notes: crypto.randomUUID() } },
        })
      ).body.data;
    const { undoId, changeId } = await change();
    const archive = (await ana.web("POST", "/app/tracks/download", { where: { ids: [lib.trackId] } })).body
      .data;
    const statusesOf = async (who: Awaited<ReturnType<typeof member>>) => [
      (await who.web("GET", `/app/bulk/${changeId}`)).status,
      (await who.key("GET", `/bulk/${changeId}`)).status,
      (await app.request(archive.path, { headers: { authorization: `Bearer ${who.token}` } })).status,
    ];

    expect(await statusesOf(ben)).toEqual([404, 404, 404]);
    expect(await statusesOf(ana)).toEqual([200, 200, 200]);
    expect(await statusesOf(await member("manager"))).toEqual([200, 200, 200]);
    const foreign = [
      await ben.web("POST", `/app/undo/${undoId}`),
      await ben.key("POST", `/bulk/${undoId}/undo`),
      await ben.web("POST", `/app/bulk/${changeId}/stop`),
    ];
    expect(foreign.map(({ body }) => body.messageCode)).toEqual([
      "undo_not_found",
      "undo_not_found",
      "not_found",
    ]);
    expect((await ana.web("POST", `/app/undo/${undoId}`)).status).toBe(200);
    const { undoId: next } = await change();
    expect((await lib.web("POST", `/app/undo/${next}`)).body.data.undone).toBe(1);
  });
});

describe("plays without the switch", () => {
  test("are 0 in the table and of links, and neither order nor filter tells of them", async () => {
    const { web, door } = await member("producer");
    const rows = async (query: string) => (await web("GET", `/app/tracks?limit=100&${query}`)).body.data;
    const namesBy = async (sort: string) => (await rows(`sort=${sort}`)).map(({ id }: Json) => id);
    const all = (await door("GET", "/tracks?fields=id")).body.data.length;
    const links = (await web("GET", "/app/links")).body.data;
    const ours = (await lib.web("GET", "/app/tracks?sort=-plays")).body.data;

    expect(ours[0]).toMatchObject({ id: lib.trackId, plays: 7 });
    expect((await rows("")).every(({ plays }: Json) => plays === 0)).toBe(true);
    expect(await namesBy("-plays")).toEqual(await namesBy("-created_at"));
    expect(await namesBy("plays")).toEqual(await namesBy("created_at"));
    expect((await door("GET", "/tracks?neverPlayed=true&fields=id")).body.data).toHaveLength(all);
    expect((await lib.api("GET", "/tracks?neverPlayed=true&fields=id")).body.data.length).toBeLessThan(all);
    expect(links.every(({ plays, lastHeardAt }: Json) => plays === 0 && lastHeardAt === null)).toBe(true);
  });

  test("are not told by who listened, or in which order", async () => {
    const { web, key } = await member("producer");
    const activity = (await web("GET", `/app/shares/${lib.link.id}/activity`)).body.data;
    const listening = (await key("GET", `/shares/${lib.link.id}/listening`)).body.data;
    const listeners = (await key("GET", "/listeners")).body.data;
    const contacts = (await web("GET", "/app/contacts")).body.data;
    const owners = (await lib.api("GET", "/listeners")).body.data;

    expect(activity.map(({ metric }: Json) => metric)).not.toContain("plays");
    expect(listening.totals).toMatchObject({ listened: 0, plays: 0 });
    expect(listening.tracks).toEqual([]);
    expect(JSON.stringify(listening.visits)).not.toMatch(/"plays":[1-9]|"heard":\[\[/);
    expect(owners[0].shareId).toBe(lib.link.id);
    const made = (one: Json, other: Json) => (one.shareId < other.shareId ? 1 : -1);
    expect(listeners).toEqual(listeners.toSorted(made));
    expect(listeners.some((each: Json) => each.plays > 0 || each.lastHeardAt || each.tracks.length)).toBe(
      false,
    );
    expect(contacts.some((each: Json) => each.plays > 0 || each.lastHeardAt || each.lastActivityAt)).toBe(
      false,
    );
  });

  test("decide nothing in a search, and do with it", async () => {
    const found = async (switches: Switches) => {
      const { door } = await member("producer", switches);
      const { body } = await door("POST", "/tracks/search", { query: "never played" });
      return [
        body.data.interpretation.filters?.played,
        body.data.interpretation.appliedTuning.removed?.played,
      ];
    };

    expect((await found({ listening: true }))[0]).toBe(false);
    expect(await found({})).toEqual([undefined, undefined]);
  });
});

describe("originals", () => {
  const original = Buffer.from(planted(440));
  const bytesAt = async (url: string, headers: Record<string, string> = {}) => {
    const response = await app.request(url, { headers });
    return {
      status: response.status,
      isOriginal: Buffer.from(await response.arrayBuffer()).includes(original),
    };
  };

  test("of no kind reach a listener, by a link, an archive, a page or a key", async () => {
    const who = await member("listener", { splits: true, listening: true });
    const { trackId, playlist } = lib;
    const [version] = (await who.key("GET", `/tracks/${trackId}/versions`)).body.data.versions;
    const [sheet] = (await who.web("GET", `/app/tracks/${trackId}/versions`)).body.data;
    const one = (await who.door("GET", `/tracks/${trackId}/versions/${version.id}`)).body.data;
    const [listed] = (await who.key("GET", `/playlists/single/${playlist.id}`)).body.data.tracks;
    const row = (await who.web("GET", "/app/tracks")).body.data.find(({ id }: Json) => id === trackId);
    const urls = [version, sheet, one, listed].flatMap(({ downloadUrl, playbackUrl }) => [
      downloadUrl,
      ...(playbackUrl ? [playbackUrl] : []),
    ]);
    const page = `/library/playlists/${playlist.id}/plain`;
    const auth = { authorization: `Bearer ${who.token}`, cookie: `dubplate_session=${who.token}` };

    for (const url of [...urls, row.playbackUrl])
      expect([url, (await bytesAt(url)).isOriginal]).toEqual([url, false]);
    for (const path of [`/listen/${version.id}`, `/download/${version.id}`, "/download"])
      expect([path, (await bytesAt(page + path, auth)).isOriginal]).toEqual([path, false]);
    expect((await bytesAt(`${page}/download/${version.id}`, auth)).status).toBe(403);
    expect((await bytesAt(`${page}/download`, auth)).status).toBe(403);
    expect((await who.web("POST", "/app/tracks/download", { where: { ids: [trackId] } })).status).toBe(403);
  });

  test("reach an artist, and the key of a manager with few scopes", async () => {
    const artist = await member("artist");
    const { web } = await member("manager");
    const made = await web("POST", "/integration/api-keys", { name: "few", scopes: ["read:tracks"] });
    for (const api of [artist.key, app.as(made.body.data.key)]) {
      const [version] = (await api("GET", `/tracks/${lib.trackId}/versions`)).body.data.versions;
      expect(await bytesAt(version.downloadUrl)).toEqual({ status: 200, isOriginal: true });
    }
  });
});
