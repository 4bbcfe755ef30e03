import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
let accountId: string;
let trackId: string;
let call: ReturnType<TestApp["as"]>;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  ({ accountId } = app.createAccount());
  call = app.as(app.createKey(accountId));
  trackId = addTrackRows(app.deps.db, accountId, { name: "Night Drive.wav" }).id;
});

const read = async (): Promise<Json> => (await call("GET", `/tracks/${trackId}/rights`)).body.data;
const write = (body: unknown) => call("PATCH", `/tracks/${trackId}/rights`, body);
const changesOf = (id: string): string[][] =>
  app.deps.db.$client
    .query<{ data: string }, [string]>(
      "SELECT data FROM events WHERE type = 'track.updated' AND data ->> 'trackId' = ? ORDER BY rowid",
    )
    .all(id)
    .map(({ data }) => JSON.parse(data).changed);

const NOTHING = {
  ...{ iswc: null, upc: null, releaseDate: null, pLine: null, cLine: null, explicit: null, workNumber: null },
  ...{ aiUse: [], updatedAt: null, problems: [] },
};

describe("a track's rights", () => {
  test("are empty until somebody writes them, and say what was not stated as that", async () => {
    expect(await read()).toEqual(NOTHING);
    const { track } = (await call("GET", `/tracks/single?id=${trackId}`)).body.data;
    expect(track).not.toHaveProperty("rights");
  });

  test("change field by field, and the change is announced once", async () => {
    const first = await write({
      iswc: "t-034.524.680-1",
      upc: "4 006381 333931",
      releaseDate: "2026-11-20",
      pLine: "  2026  Field Records ",
      explicit: "clean",
      workNumber: "FM-0042",
    });
    const second = await write({
      explicit: null,
      aiUse: [{ part: "vocals", extent: "assisted", tool: "Tunemaker" }],
    });
    await write({ iswc: "T0345246801" });

    expect(first.status).toBe(200);
    expect(second.body.data).toEqual({
      ...NOTHING,
      iswc: "T0345246801",
      upc: "4006381333931",
      releaseDate: "2026-11-20",
      pLine: "2026 Field Records",
      workNumber: "FM-0042",
      aiUse: [{ part: "vocals", extent: "assisted", tool: "Tunemaker", note: null }],
      updatedAt: expect.any(String),
    });
    expect(await read()).toEqual(second.body.data);
    expect(changesOf(trackId)).toEqual([
      ["iswc", "upc", "releaseDate", "pLine", "explicit", "workNumber"],
      ["explicit", "aiUse"],
    ]);
  });

  test("keep identifiers that are wrong, and mark them", async () => {
    await call("PATCH", `/tracks/details?id=${trackId}`, { isrc: "DE-AB1-26-0004" });
    const { body } = await write({ iswc: "T-034.524.680-2", upc: "4006381333932" });

    expect(body.data).toMatchObject({
      iswc: "T-034.524.680-2",
      upc: "4006381333932",
      problems: ["bad_isrc", "bad_iswc", "bad_upc"],
    });
  });

  test.each([
    ["a day that does not exist", { releaseDate: "2026-02-30" }, "releaseDate"],
    ["another form of a day", { releaseDate: "20.11.2026" }, "releaseDate"],
    ["a word for explicit that there is not", { explicit: "maybe" }, "explicit"],
    ["a part that there is not", { aiUse: [{ part: "drums", extent: "none" }] }, "aiUse.0.part"],
    [
      "a part that was made both with help and without",
      {
        aiUse: [
          { part: "mix", extent: "none" },
          { part: "mix", extent: "assisted" },
        ],
      },
      "aiUse.0.extent",
    ],
    ["a number that no registration has room for", { workNumber: "123456789012345" }, "workNumber"],
    ["more statements than are kept", { aiUse: Array(13).fill({ part: "other", extent: "none" }) }, "aiUse"],
  ])("refuse %s and change nothing", async (_, body, path) => {
    const refused = await write({ pLine: "2026 Field Records", ...body });

    expect(refused).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
    expect(JSON.stringify(refused.body)).toContain(path);
    expect(await read()).toEqual(NOTHING);
  });

  test("are nobody else's, and go with their track", async () => {
    await write({ pLine: "2026 Field Records" });
    const other = app.as(app.createKey(app.createAccount().accountId));

    for (const [method, body] of [["GET"], ["PATCH", { pLine: "mine" }]] as const)
      expect(await other(method, `/tracks/${trackId}/rights`, body)).toMatchObject({
        status: 404,
        body: { messageCode: "track_not_found" },
      });
    expect(
      (await app.as(app.createKey(accountId, ["read:tracks"]))("PATCH", `/tracks/${trackId}/rights`, {}))
        .status,
    ).toBe(403);
    app.deps.db.$client.run("DELETE FROM tracks WHERE id = ?", [trackId]);
    expect(app.deps.db.$client.query("SELECT 1 FROM track_rights WHERE track_id = ?").all(trackId)).toEqual(
      [],
    );
  });

  test("are for those who see splits: without the switch they are empty and stay as they are", async () => {
    await write({ pLine: "2026 Field Records" });
    const producer = (splits: boolean) =>
      app.signedIn(addMember(app, accountId, { role: "producer", splits }).token);
    const [seeing, other] = [producer(true), producer(false)];
    const path = `/app/library/tracks/${trackId}/rights`;
    const single = `/app/library/tracks/single?id=${trackId}`;

    expect((await seeing("PATCH", path, { cLine: "2026 Field Music" })).body.data.cLine).toBe(
      "2026 Field Music",
    );
    expect((await seeing("GET", single)).body.data.track.rights.pLine).toBe("2026 Field Records");
    expect((await seeing("GET", `/app/tracks/${trackId}/edits`)).body.data[0].field).toBe("cLine");
    expect((await other("GET", single)).body.data.track.rights).toBeNull();
    for (const [method, body] of [["GET"], ["PATCH", { cLine: "mine" }]] as const)
      expect((await other(method, path, body)).status).toBe(403);
    expect((await other("GET", `/app/tracks/${trackId}/edits`)).body.data).toEqual([]);
  });
});
