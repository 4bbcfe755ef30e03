import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { tracks } from "../../db/schema.ts";
import { wavBytes } from "../media/wave-bytes.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";
import { sine } from "../support/signals.ts";

const ORIGIN = "http://127.0.0.1:4747";

let app: TestApp;
let accountId: string;
let call: ReturnType<TestApp["signedIn"]>;
let api: ReturnType<TestApp["as"]>;
let peers = 0;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  const account = app.createAccount();
  accountId = account.accountId;
  call = app.signedIn(account.token);
  api = app.as(app.createKey(accountId));
});

const brief = async (): Promise<Json> =>
  (await call("POST", "/app/briefs", { name: "Dark techno", status: "open", publicPage: true })).body.data;

/** Sends a file through the page of a brief, as a browser without JavaScript does. */
async function send(publicUrl: string, name: string): Promise<void> {
  const samples = [...sine(8000, 0.3, 200 + 10 * ++peers)];
  const bytes = wavBytes({ depth: "s16", sampleRateHz: 8000, samples }) as Uint8Array<ArrayBuffer>;
  const form = new FormData();
  form.append("name", "Ada");
  form.append("files", new File([bytes], name));
  const init = { method: "POST", body: form, headers: { origin: ORIGIN }, redirect: "manual" };
  const sent = await app.request(new URL(publicUrl).pathname, {
    ...init,
    peer: `203.0.113.${peers}`,
  } as RequestInit);
  expect(sent.status).toBe(303);
}

const inbox = async (): Promise<Json[]> => (await call("GET", "/app/inbox")).body.data;
const decide = (id: string, state: string) => call("PATCH", `/app/submissions/${id}`, { state });
const titles = (rows: readonly Json[]) => rows.map(({ title, name }) => title ?? name);

/** Returns what every list of the library has, by its name, and what its counts say. */
async function library(): Promise<Json> {
  const table = (await call("GET", "/app/tracks")).body;
  const listed = (await api("GET", "/tracks")).body.data;
  const found = (await api("POST", "/tracks/search", { query: "techno" })).body.data;
  const all = (visible: boolean) =>
    call("POST", "/app/tracks/bulk", { where: { filter: {} }, do: { visible } });
  const hidden = await all(false);
  const { thisWeek, recentActivity } = (await api("GET", "/analytics/dashboard")).body.data;
  await all(true);
  return {
    table: titles(table.data),
    total: table.paging.total,
    rest: listed.map(({ name }: Json) => name),
    count: (await api("GET", "/tracks/count")).body.data.count,
    dashboard: (await api("GET", "/analytics/dashboard")).body.data.tracks.total,
    uploaded: thisWeek.uploaded,
    arrivals: recentActivity.items.filter(({ title }: Json) => /was uploaded/.test(title)).length,
    search: titles(found.results),
    chosen: hidden.body.data.changed,
  };
}

describe("a track that a visitor sent to a brief", () => {
  test("is missing from every list, count and selection of the library until it is kept, and one filter shows it", async () => {
    addTracks(app, accountId, [{ title: "Own" }]);
    const before = await library();
    await send((await brief()).publicUrl, "Sent.wav");

    const [item] = await inbox();

    expect(await library()).toEqual(before);
    expect(before).toMatchObject({
      table: ["Own"],
      total: 1,
      rest: ["Own.wav"],
      count: 1,
      dashboard: 1,
      chosen: 1,
    });
    const waiting = (await call("GET", "/app/tracks?inInbox=true")).body;
    expect(waiting.data.map(({ id }: Json) => id)).toEqual([item?.track.id]);
    expect(waiting.paging.total).toBe(1);
    for (const state of ["shortlisted", "passed", "new"]) {
      await decide(item?.id, state);
      expect(await library()).toEqual(before);
    }
    await decide(item?.id, "kept");
    const added = { uploaded: before.uploaded + 1, arrivals: before.arrivals + 1 };
    expect(await library()).toMatchObject({ total: 2, count: 2, dashboard: 2, chosen: 2, ...added });
    expect((await call("GET", "/app/tracks?inInbox=true")).body.data).toEqual([]);
    await decide(item?.id, "passed");
    expect(await library()).toEqual(before);
  });

  test("is opened by its id, so that it can be heard and decided about", async () => {
    await send((await brief()).publicUrl, "Sent.wav");
    const [item] = await inbox();

    const { body } = await api("GET", `/tracks/single?id=${item?.track.id}`);

    expect(body.data.track.name).toBe("Sent.wav");
  });

  test("is suggested neither by a search, nor beside a track, nor as a duplicate or another version", async () => {
    const techno = { bpm: 130, tags: { genres: ["Techno"] }, vector: [1, 0, 0] };
    const [own = "", sent = ""] = addTracks(app, accountId, [
      { ...techno, title: "Own" },
      { ...techno, title: "Sent", artist: "Ada Vale" },
    ]);
    app.deps.db
      .update(tracks)
      .set({ cid: "a".repeat(64) })
      .run();
    app.deps.db.update(tracks).set({ inInbox: true }).where(eq(tracks.id, sent)).run();
    const found = async (query: string) =>
      JSON.stringify((await api("POST", "/tracks/search", { query })).body.data);

    for (const query of ["techno", "Sent", "like Ada Vale"]) expect(await found(query)).not.toContain(sent);
    expect(JSON.stringify((await api("GET", `/tracks/similar?id=${own}`)).body.data)).not.toContain(sent);
    const duplicates = (await api("GET", "/tracks/duplicates")).body.data;
    expect(duplicates).toMatchObject({ totalGroups: 0, scannedTracks: 1 });
    const match = await call("POST", "/app/uploads/match", { files: [{ name: "Sent v2.wav" }] });
    expect(JSON.stringify(match.body)).not.toContain(sent);

    app.deps.db.update(tracks).set({ inInbox: false }).where(eq(tracks.id, sent)).run();
    expect(await found("techno")).toContain(sent);
    expect((await api("GET", "/tracks/duplicates")).body.data).toMatchObject({ totalGroups: 1 });
  });

  test("returns to the library, hidden, when its brief is deleted before a decision", async () => {
    const { id, publicUrl } = await brief();
    await send(publicUrl, "Sent.wav");

    await call("DELETE", `/app/briefs/${id}`);

    expect((await call("GET", "/app/tracks")).body.data).toMatchObject([
      { name: "Sent.wav", visible: false },
    ]);
    expect((await api("GET", "/analytics/dashboard")).body.data.thisWeek.uploaded).toBe(1);
  });
});

test("totals and tags of a library stay right through Inbox and bin", async () => {
  const [id = ""] = addTracks(app, accountId, [
    { title: "Sent", tags: { genres: ["Techno"] }, durationSec: 100 },
  ]);
  addTracks(app, accountId, [{ title: "Own", durationSec: 50 }]);
  const totals = () =>
    app.deps.db.$client
      .query("SELECT tracks, duration_ms AS ms FROM library_totals WHERE owner_id = ?")
      .get(accountId);
  const setInbox = (inInbox: boolean) =>
    app.deps.db.update(tracks).set({ inInbox }).where(eq(tracks.id, id)).run();
  const setDeleted = (deletedAt: number | null) =>
    app.deps.db.update(tracks).set({ deletedAt }).where(eq(tracks.id, id)).run();
  const [both, own] = [
    { tracks: 2, ms: 150_000 },
    { tracks: 1, ms: 50_000 },
  ];

  expect(totals()).toEqual(both);
  setInbox(true);
  expect(totals()).toEqual(own);
  setDeleted(1);
  expect(totals()).toEqual(own);
  setInbox(false);
  expect(totals()).toEqual(own);
  setDeleted(null);
  expect(totals()).toEqual(both);
  setInbox(true);
  app.deps.db.delete(tracks).where(eq(tracks.id, id)).run();
  expect(totals()).toEqual(own);
});
