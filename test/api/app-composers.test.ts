import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { isSociety } from "../../src/modules/library/composers/societies.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
let accountId: string;
let call: ReturnType<TestApp["signedIn"]>;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  const account = app.createAccount();
  accountId = account.accountId;
  call = app.signedIn(account.token);
});

const add = async (body: object): Promise<Json> => (await call("POST", "/app/composers", body)).body.data;
const get = async (id: string): Promise<Json> => (await call("GET", `/app/composers/${id}`)).body.data;
async function credit(
  name: string,
  shares: readonly (readonly [id: string, share: number, role?: string])[],
) {
  const { id } = addTrackRows(app.deps.db, accountId, { name });
  const shareholders = shares.map(([shareholderId, share, role = "Composer"]) => ({
    shareholderId,
    share,
    role,
  }));
  await call("PUT", `/app/library/tracks/shareholders?id=${id}`, { shareholders });
  return id;
}
const creditsOf = async (trackId: string) =>
  (await call("GET", `/app/library/tracks/single?id=${trackId}`)).body.data.track.shareholderTracks.map(
    ({ share, role, shareholder }: Json) => [shareholder.fullName, role, share],
  );

describe("societies", () => {
  test.each([
    ["GEMA", true],
    ["PRS for Music", true],
    ["apra amcos", true],
    ["My uncle", false],
  ])("the society %s is known: %p", (name, isKnown) => expect(isSociety(name)).toBe(isKnown));
});

describe("composers", () => {
  test("may lack an address, and say what is missing or wrong", async () => {
    const ada = await add({
      fullName: "Ada Berg",
      ipi: "00017798451",
      pro: "GEMA",
      isni: "0000000121032684",
    });
    const ben = await add({ fullName: "Ben", email: " Ben@Example.com " });
    await call("PATCH", `/app/composers/${ben.id}`, { ipi: "00017798450", pro: "BMI" });

    expect(ada).toMatchObject({ email: null, problems: ["no_email", "bad_ipi", "bad_isni"], trackCount: 0 });
    expect(await get(ben.id)).toMatchObject({ email: "ben@example.com", problems: [] });
    expect((await call("GET", "/app/composers?limit=1")).body).toMatchObject({
      data: [{ id: ben.id }],
      paging: { next_cursor: expect.any(String) },
    });
    expect((await call("GET", "/app/library/composers")).body.data[1]).toMatchObject({ email: "" });
    expect((await call("POST", "/app/composers", { fullName: "C", email: "ben@example.com" })).status).toBe(
      400,
    );
  });

  test("show the tracks they have a share of, and splits that do not add up", async () => {
    const [ada, ben] = [await add({ fullName: "Ada" }), await add({ fullName: "Ben" })];
    const whole = await credit("Whole.wav", [
      [ada.id, 50],
      [ben.id, 50],
    ]);
    const part = await credit("Part.wav", [[ada.id, 85]]);

    const shared = (await get(ada.id)).tracks.map(({ trackId, share, total }: Json) => [
      trackId,
      share,
      total,
    ]);
    expect(shared).toContainEqual([part, 85, 85]);
    expect(shared).toContainEqual([whole, 50, 100]);
    expect((await call("GET", "/app/splits")).body.data).toMatchObject([
      { trackId: part, total: 85, composers: ["Ada"] },
    ]);
  });

  test("are merged with all shares, and separate again after undo", async () => {
    const ada = await add({ fullName: "Ada Berg", pro: "GEMA" });
    const twin = await add({ fullName: "A. Berg", email: "ada@example.com", ipi: "00017798450" });
    const both = await credit("Both.wav", [
      [ada.id, 20],
      [twin.id, 30],
      [twin.id, 50, "Lyricist"],
    ]);
    const only = await credit("Only.wav", [[twin.id, 100]]);

    const merged = await call("POST", `/app/composers/${ada.id}/merge`, { composerId: twin.id });
    const after = { both: await creditsOf(both), only: await creditsOf(only), ada: await get(ada.id) };
    const gone = (await call("GET", `/app/composers/${twin.id}`)).status;
    const undone = await call("POST", `/app/undo/${merged.body.data.undoId}`);

    expect(merged.body.data.differences).toEqual({ fullName: ["Ada Berg", "A. Berg"] });
    expect(after.both).toEqual([
      ["Ada Berg", "Composer", 50],
      ["Ada Berg", "Lyricist", 50],
    ]);
    expect(after.only).toEqual([["Ada Berg", "Composer", 100]]);
    expect(after.ada).toMatchObject({
      email: "ada@example.com",
      ipi: "00017798450",
      pro: "GEMA",
      problems: [],
    });
    expect([gone, undone.status]).toEqual([404, 200]);
    expect(await creditsOf(both)).toEqual([
      ["Ada Berg", "Composer", 20],
      ["A. Berg", "Composer", 30],
      ["A. Berg", "Lyricist", 50],
    ]);
    expect(await get(twin.id)).toMatchObject({
      fullName: "A. Berg",
      email: "ada@example.com",
      trackCount: 2,
    });
    expect(await get(ada.id)).toMatchObject({ email: null, trackCount: 1 });
  });

  test("are not merged with themselves or with another account's, and a merge is not undone once they were changed", async () => {
    const [ada, twin] = [await add({ fullName: "Ada" }), await add({ fullName: "Ada B" })];
    const other = app.signedIn(app.createAccount().token);

    const itself = await call("POST", `/app/composers/${ada.id}/merge`, { composerId: ada.id });
    const foreign = await other("POST", `/app/composers/${ada.id}/merge`, { composerId: twin.id });
    await call("PATCH", `/app/composers/${twin.id}`, { pro: "BMI" });
    const merged = await call("POST", `/app/composers/${ada.id}/merge`, { composerId: twin.id });
    await call("PATCH", `/app/composers/${ada.id}`, { pro: "ASCAP" });
    const undone = await call("POST", `/app/undo/${merged.body.data.undoId}`);

    expect([itself.status, foreign.status, undone.status]).toEqual([400, 404, 409]);
    expect((await get(ada.id)).pro).toBe("ASCAP");
  });
});
