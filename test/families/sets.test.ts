import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";

let app: TestApp;
let owner: ReturnType<TestApp["createAccount"]>;
let key: ReturnType<TestApp["as"]>;
let web: ReturnType<TestApp["signedIn"]>;
let theirs: string;
let mix: string;
let inst: string;
let short: string;
let drums: string;
let hertz = 200;

async function upload(call: ReturnType<TestApp["as"]>, name: string): Promise<string> {
  const form = new FormData();
  hertz += 7;
  form.append(
    "files",
    new File([wavBytes([sine(8000, 1, hertz)], 8000, 16) as Uint8Array<ArrayBuffer>], name),
  );
  app.clock.advance(1000);
  return (await call("POST", "/tracks/upload", form)).body.data.uploaded[0].id;
}

beforeAll(async () => {
  app = await createTestApp();
  owner = app.createAccount();
  key = app.as(app.createKey(owner.accountId));
  web = app.signedIn(owner.token);
  theirs = await upload(app.as(app.createKey(app.createAccount().accountId)), "theirs.wav");
});
afterAll(() => app.close());
beforeEach(async () => {
  mix = await upload(key, "Night Drive.wav");
  inst = await upload(key, "Night Drive (Instrumental).wav");
  short = await upload(key, "Night Drive (30s).wav");
  drums = await upload(key, "Drums.wav");
});

const familyOf = async (id: string): Promise<Json> => (await key("GET", `/tracks/${id}/family`)).body.data;
const membersOf = async (id: string): Promise<string[]> =>
  (await familyOf(id)).members.map(({ trackId }: Json) => trackId);
const join = (id: string, body: Json) => key("PUT", `/tracks/${id}/family`, body);
const leave = (id: string) => key("DELETE", `/tracks/${id}/family`);
const undo = (undoId: string) => web("POST", `/app/undo/${undoId}`);

async function makeSet(): Promise<void> {
  await join(drums, { with: mix, kind: "stem", part: "drums" });
  await join(short, { with: mix, kind: "main", editSec: 30 });
  await join(inst, { with: short, kind: "instrumental" });
}

describe("a set", () => {
  test("is made with the other track as main mix, and listed main mix first, then kinds, edits and stems", async () => {
    expect(await familyOf(mix)).toEqual({ familyId: null, mainTrackId: null, members: [], liveLinks: 0 });
    await makeSet();

    const { familyId, mainTrackId, members } = await familyOf(short);
    expect(familyId).toStartWith("fam_");
    expect(mainTrackId).toBe(mix);
    expect(members).toMatchObject([
      { trackId: mix, title: "Night Drive", kind: "main", editSec: null, joinedBy: "owner", sound: null },
      { trackId: inst, kind: "instrumental", hiddenFromLinks: false },
      { trackId: short, kind: "main", editSec: 30 },
      { trackId: drums, kind: "stem", part: "drums" },
    ]);
    const { body } = await key("GET", `/tracks/single?id=${short}`);
    expect(body.data.track.family).toEqual({ id: familyId, kind: "main", editSec: 30, size: 4 });
    const alone = (await key("GET", `/tracks/single?id=${await upload(key, "Alone.wav")}`)).body.data.track;
    expect("family" in alone).toBe(false);
  });

  test("changes what a member is when it is put again, and gets another main mix", async () => {
    await makeSet();
    await join(inst, { with: mix, kind: "acapella", hiddenFromLinks: true });
    await join(inst, { with: mix, kind: "clean" });
    const made = (await join(drums, { with: mix, kind: "main" })).body.data;

    expect(made.mainTrackId).toBe(drums);
    expect(made.members).toMatchObject([
      { trackId: drums, kind: "main", part: null },
      { trackId: inst, kind: "clean", hiddenFromLinks: true },
      { trackId: mix, kind: "other" },
      { trackId: short, kind: "main", editSec: 30 },
    ]);
    await undo(made.undoId);
    expect(await familyOf(mix)).toMatchObject({ mainTrackId: mix });
    expect((await familyOf(mix)).members.at(-1)).toMatchObject({
      trackId: drums,
      kind: "stem",
      part: "drums",
    });
  });

  test("refuses itself, a part of what is no stem, lengths that no edit has, and tracks of others", async () => {
    const refused = async (id: string, body: Json) => {
      const { status, body: answer } = await join(id, body);
      return [status, answer.messageCode];
    };
    expect(await refused(mix, { with: mix, kind: "main" })).toEqual([400, "validation_failed"]);
    expect(await refused(inst, { with: mix, kind: "tv", part: "bass" })).toEqual([400, "validation_failed"]);
    for (const editSec of [0, 4, 601, 30.5, "30"])
      expect(await refused(inst, { with: mix, kind: "main", editSec })).toEqual([400, "validation_failed"]);
    expect(await refused(inst, { with: mix, kind: "remix" })).toEqual([400, "validation_failed"]);
    expect(await refused(inst, { with: theirs, kind: "tv" })).toEqual([404, "track_not_found"]);
    expect(await refused(theirs, { with: mix, kind: "tv" })).toEqual([404, "track_not_found"]);
    expect((await key("GET", `/tracks/${theirs}/family`)).status).toBe(404);
    expect((await leave(theirs)).status).toBe(404);
    expect(await familyOf(mix)).toMatchObject({ familyId: null });
  });

  test("has 64 stems at most", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 65; n++) ids.push(await upload(key, `Stem ${n}.wav`));
    const kinds = Object.fromEntries(ids.map((id) => [id, "stem"]));
    const where = { ids: [...ids, mix] };
    const { body } = await web("POST", "/app/tracks/bulk", {
      where,
      do: { keepTogether: { mainTrackId: mix, kinds } },
    });

    expect(body.data).toMatchObject({ changed: 64, failed: [{ code: "family_full" }] });
    expect((await join(inst, { with: mix, kind: "stem" })).body).toMatchObject({
      statusCode: 409,
      messageCode: "family_full",
    });
    expect((await undo(body.data.undoId)).body.data).toEqual({ undone: 64, failed: [] });
    expect(await familyOf(mix)).toMatchObject({ familyId: null });
  });
});

describe("a member that leaves", () => {
  test("is an ordinary track, and the oldest whole song takes the place of the main mix", async () => {
    await makeSet();
    const { familyId } = await familyOf(mix);
    const { body } = await leave(mix);

    expect(body.data).toMatchObject({ familyId: null, members: [] });
    expect(await familyOf(drums)).toMatchObject({ familyId, mainTrackId: inst });
    expect((await leave(mix)).status).toBe(200);
    await undo(body.data.undoId);
    expect(await familyOf(drums)).toMatchObject({ familyId, mainTrackId: mix });
    expect(await membersOf(mix)).toEqual([mix, inst, short, drums]);
  });

  test("ends a set of two, which comes back as it was", async () => {
    await join(inst, { with: mix, kind: "instrumental" });
    const before = await familyOf(mix);
    const { undoId } = (await leave(inst)).body.data;
    expect(await familyOf(mix)).toMatchObject({ familyId: null });

    await undo(undoId);
    expect(await familyOf(mix)).toEqual(before);
  });

  test("for another set ends its own when that has one left, and comes back", async () => {
    await join(inst, { with: mix, kind: "instrumental" });
    const before = await familyOf(mix);
    await join(short, { with: drums, kind: "other" });
    const { undoId } = (await join(inst, { with: drums, kind: "tv" })).body.data;
    expect(await membersOf(mix)).toEqual([]);
    expect(await membersOf(inst)).toEqual([drums, inst, short]);

    await undo(undoId);
    expect(await familyOf(mix)).toEqual(before);
    expect(await membersOf(short)).toEqual([drums, short]);
  });

  test("stays where it was put since, whatever is undone", async () => {
    const { undoId } = (await join(inst, { with: mix, kind: "instrumental" })).body.data;
    await join(inst, { with: mix, kind: "tv" });
    await undo(undoId);

    expect((await familyOf(mix)).members).toMatchObject([{ trackId: mix }, { trackId: inst, kind: "tv" }]);
  });
});

describe("a member in the bin", () => {
  test("is in no list, and is a member again when it is restored", async () => {
    await makeSet();
    await web("DELETE", `/app/tracks/${mix}`);
    expect(await familyOf(drums)).toMatchObject({ mainTrackId: inst });
    expect(await membersOf(drums)).toEqual([inst, short, drums]);
    expect((await key("GET", `/tracks/${mix}/family`)).status).toBe(404);

    await web("POST", `/app/tracks/${mix}/restore`);
    expect(await familyOf(drums)).toMatchObject({ mainTrackId: mix });
  });

  test("gives the main mix to the oldest whole song for good when it is deleted for good", async () => {
    await makeSet();
    await web("DELETE", `/app/tracks/${mix}`);
    await web("DELETE", `/app/tracks/deleted/${mix}`);
    expect(await familyOf(drums)).toMatchObject({ mainTrackId: inst });

    for (const id of [inst, short]) {
      await web("DELETE", `/app/tracks/${id}`);
      await web("DELETE", `/app/tracks/deleted/${id}`);
    }
    expect(await familyOf(drums)).toMatchObject({ familyId: null });
    const { $client } = app.deps.db;
    expect($client.query("SELECT count(*) AS n FROM family_members WHERE track_id = ?").get(drums)).toEqual({
      n: 0,
    });
    expect($client.query("PRAGMA foreign_key_check").all()).toEqual([]);
  });
});

describe("what is heard of a set", () => {
  test("search follows every member when one joins, is put into the bin or leaves", async () => {
    await makeSet();
    const { $client } = app.deps.db;
    const revisions = () =>
      $client
        .query<{ id: string; revision: number }, [string]>(
          `SELECT t.id, c.revision FROM search_changes c JOIN tracks t ON t.seq = c.seq
           WHERE t.id IN (SELECT value FROM json_each(?)) ORDER BY t.id`,
        )
        .all(JSON.stringify([mix, inst, short, drums]))
        .map(({ revision }) => revision);
    const changes = [
      () => join(drums, { with: mix, kind: "stem", part: "bass" }),
      () => web("DELETE", `/app/tracks/${drums}`),
      () => web("POST", `/app/tracks/${drums}/restore`),
      () => leave(drums),
    ];
    for (const change of changes) {
      const before = revisions();
      await change();
      expect(revisions().filter((revision, index) => revision > (before[index] ?? 0))).toHaveLength(4);
    }
  });

  test("programs hear that a track changed", async () => {
    const { $client } = app.deps.db;
    await join(inst, { with: mix, kind: "instrumental" });
    const heard = $client
      .query<{ data: string }, []>(
        "SELECT data FROM events WHERE type = 'track.updated' ORDER BY id DESC LIMIT 1",
      )
      .get();

    expect(JSON.parse(heard?.data ?? "{}")).toMatchObject({ trackId: inst, changed: ["family"] });
  });
});

describe("the table of the library", () => {
  const rows = async (query = ""): Promise<Json[]> =>
    (await web("GET", `/app/tracks?limit=200${query}`)).body.data;
  const idsOf = (list: Json[]) => list.map(({ id }) => id);

  test("says how large the set of a track is, and folds it under the main mix", async () => {
    await makeSet();
    const alone = await upload(key, "Alone.wav");
    const all = await rows();
    expect(all.find(({ id }) => id === short)?.setSize).toBe(4);
    expect(all.find(({ id }) => id === alone)).not.toHaveProperty("setSize");

    const folded = idsOf(await rows("&onePerSong=true"));
    expect(folded).toContain(mix);
    expect(folded).toContain(alone);
    for (const id of [inst, short, drums]) expect(folded).not.toContain(id);
    const { total } = (await web("GET", "/app/tracks?onePerSong=true&sort=bpm")).body.paging;
    expect(total).toBe(folded.length);
    expect(idsOf(await rows("&onePerSong=false"))).toContain(inst);

    await web("DELETE", `/app/tracks/${mix}`);
    const without = idsOf(await rows("&onePerSong=true"));
    expect(without).toContain(inst);
    expect(without).not.toContain(short);
  });

  test("keeps what is chosen in it together, with the kinds that their names say, and takes all of it back", async () => {
    const ids = [mix, inst, short, drums];
    const said = (await web("POST", "/app/families/kinds", { trackIds: ids })).body.data;
    expect(said).toMatchObject([
      { trackId: mix, title: "Night Drive", kind: "main", editSec: null },
      { trackId: inst, kind: "instrumental" },
      { trackId: short, kind: "main", editSec: 30 },
      { trackId: drums, kind: "stem", part: "drums" },
    ]);
    expect((await web("POST", "/app/families/kinds", { trackIds: [theirs] })).status).toBe(404);
    const kinds = Object.fromEntries(said.map(({ trackId, title: _, ...place }: Json) => [trackId, place]));
    const keep = (mainTrackId: string) =>
      web("POST", "/app/tracks/bulk", { where: { ids }, do: { keepTogether: { mainTrackId, kinds } } });
    expect((await keep(theirs)).status).toBe(404);
    const { changed, undoId } = (await keep(mix)).body.data;

    expect(changed).toBe(3);
    expect(await membersOf(mix)).toEqual([mix, inst, short, drums]);
    await undo(undoId);
    expect(await familyOf(mix)).toMatchObject({ familyId: null });
  });
});

describe("two tracks of which one becomes versions of the other", () => {
  test("leave the place of the one to the other, and undo gives it back", async () => {
    await makeSet();
    const before = await familyOf(short);
    const fresh = await upload(key, "Night Drive v2.wav");
    const { undoId } = (await key("POST", `/tracks/${fresh}/join`, { trackId: mix })).body.data;

    expect(await familyOf(short)).toMatchObject({ familyId: before.familyId, mainTrackId: fresh });
    expect(await membersOf(short)).toEqual([fresh, inst, short, drums]);
    await undo(undoId);
    expect(await familyOf(short)).toEqual(before);
    expect(await familyOf(fresh)).toMatchObject({ familyId: null });
  });

  test("keep the place of the one that stays", async () => {
    await makeSet();
    await key("POST", `/tracks/${inst}/join`, { trackId: drums });

    expect((await familyOf(inst)).members).toMatchObject([
      { kind: "main" },
      { kind: "instrumental" },
      { editSec: 30 },
    ]);
  });
});

describe("duplicates", () => {
  test("say that they are kept together, so that nobody deletes them as copies", async () => {
    const other = await createTestApp();
    const call = other.as(other.createKey(other.createAccount().accountId));
    const bytes = wavBytes([sine(8000, 1, 999)], 8000, 16) as Uint8Array<ArrayBuffer>;
    const ids: string[] = [];
    for (const name of ["a.wav", "b.wav"]) {
      const form = new FormData();
      form.append("files", new File([bytes], name));
      ids.push((await call("POST", "/tracks/upload", form)).body.data.uploaded[0].id);
    }
    await other.drainJobs();
    const groups = async () => (await call("GET", "/tracks/duplicates")).body.data.groups;

    expect((await groups())[0].sameFamily).toBeUndefined();
    await call("PUT", `/tracks/${ids[1]}/family`, { with: ids[0], kind: "clean" });
    expect(await groups()).toMatchObject([{ count: 2, sameFamily: true }]);
    await other.close();
  });
});
