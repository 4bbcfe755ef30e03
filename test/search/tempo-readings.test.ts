import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";

describe("a track that is counted in two ways", () => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await createTestApp();
    const { accountId } = app.createAccount();
    key = app.createKey(accountId);
    const ids = addTracks(app, accountId, [
      { title: "Amber", bpm: 174, tags: { genres: ["Techno"] } },
      { title: "Brook", bpm: 87.01, tags: { genres: ["Techno"] } },
      { title: "Cedar", bpm: 100, tags: { genres: ["Techno"] } },
      { title: "Delta", bpm: 120, tags: { genres: ["Techno"] } },
    ]);
    // A search before the structures are found: they change what it finds.
    expect(await titles({ constraints: { bpmRange: [86, 88] } })).toEqual(["Brook"]);
    const measure = app.deps.db.$client.query(
      "UPDATE analyses SET bpm = ?, structure = json_object('alternativeBpm', ?) WHERE track_id = ?",
    );
    // Of Brook its file tells the other reading, of Cedar its owner another tempo.
    for (const id of ids.slice(0, 3)) measure.run(174.02, 87.01, id);
    measure.run(120, null, ids[3] ?? "");
  });
  afterAll(() => app.close());

  async function search(body: object) {
    const answer = await app.as(key)("POST", "/tracks/search", { query: "techno", ...body });
    expect(answer.status).toBe(200);
    return answer.body.data;
  }
  const titles = async (body: object): Promise<string[]> =>
    (await search(body)).results.map(({ title }: { title: string }) => title).toSorted();

  test.each([
    [
      [170, 176],
      ["Amber", "Brook"],
    ],
    [
      [87, 87.01],
      ["Amber", "Brook"],
    ],
    [[99, 101], ["Cedar"]],
    [[50, 70], []],
  ])("is found by the range %j of either", async (bpmRange, found) => {
    expect(await titles({ constraints: { bpmRange } })).toEqual(found);
  });

  test("says which reading it is", async () => {
    const { results } = await search({ constraints: { bpmRange: [80, 90] } });
    const reasons = new Map(
      results.map(({ title, reason }: { title: string; reason: string[] }) => [title, reason]),
    );

    expect(reasons.get("Amber")).toContain("174 BPM felt as 87, inside 80-90");
    expect(reasons.get("Brook")).toContain("87 BPM, inside 80-90");
  });

  test.each(["techno at 87 bpm", "techno, 174 bpm"])("comes before what has neither: %s", async (query) => {
    const first: { title: string; reason: string[] }[] = (await search({ query })).results.slice(0, 2);

    expect(first.map(({ title }) => title).toSorted()).toEqual(["Amber", "Brook"]);
    expect(first.every(({ reason }) => reason.some((each) => each.endsWith(", as asked")))).toBe(true);
  });
});
