import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { createToolApp, modernRequest, type ToolApp } from "../mcp/support.ts";
import type { Answer, Json } from "../support/app.ts";
import { addMember } from "../support/team.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";

let app: ToolApp;
beforeAll(async () => {
  app = await createToolApp();
});
afterAll(() => app.close());

type Call = (method: string, path: string, body?: Json) => Promise<Answer>;

let accountId: string;
let ben: ReturnType<typeof addMember>;
let web: Call;
let anasWeb: Call;
let trackId: string;
const sql = (text: string, ...values: (string | number)[]) => app.deps.db.$client.query(text).run(...values);
beforeEach(async () => {
  const account = app.createAccount();
  ({ accountId } = account);
  ben = addMember(app, accountId, { role: "manager" });
  sql("UPDATE people SET name = 'Ben' WHERE id = ?", ben.personId);
  sql("UPDATE people SET name = 'Ana' WHERE id = ?", accountId);
  sql("UPDATE accounts SET name = 'North Studio' WHERE id = ?", accountId);
  web = app.signedIn(ben.token);
  anasWeb = app.signedIn(account.token);
  trackId = addTrackRows(app.deps.db, accountId, { name: "Ferry.wav" }).id;
});

const must = async (answer: Promise<Answer>): Promise<Json> => {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data;
};
const called = (name: string) => ({ id: ben.personId, name });

test("a notification says whose doing it was, and a change by the operator's key says nobody's", async () => {
  const [two, three] = [1, 2].map((versionOrder) => addVersionRow(app.deps.db, trackId, { versionOrder }));
  await must(web("POST", `/app/library/tracks/${trackId}/versions/${two}/activate`));
  const key = app.createKey(accountId);
  await must(app.as(key)("POST", `/tracks/${trackId}/versions/${three}/activate`));

  const list = await must(anasWeb("GET", "/app/notifications"));
  const { id } = list.find(({ by }: Json) => by !== null);

  expect(list.map(({ by }: Json) => by)).toEqual([null, called("Ben")]);
  expect((await must(anasWeb("POST", `/app/notifications/${id}/read`))).by).toEqual(called("Ben"));
  expect((await must(app.as(key)("GET", "/notifications"))).map(({ by }: Json) => by)).toEqual([
    null,
    called("Ben"),
  ]);
});

test("a submission to another library's brief says nothing about the people of the sender's library", async () => {
  const label = app.createAccount();
  const brief = await must(
    app.signedIn(label.token)("POST", "/app/briefs", { name: "Songs", status: "open", publicPage: true }),
  );
  await must(web("POST", `/app/briefs/${brief.id}/submissions`, { trackId }));

  const [{ kind, by }] = await must(app.signedIn(label.token)("GET", "/app/notifications"));

  expect([kind, by]).toEqual(["brief.submission", null]);
});

test("a comment is by the person, as they are called now, and once they left as they were called", async () => {
  const bensKey = (await must(web("POST", "/integration/api-keys", { name: "NAS" }))).key;
  await must(web("POST", `/app/tracks/${trackId}/comments`, { text: "one" }));
  await must(app.as(bensKey)("POST", `/tracks/${trackId}/comments`, { text: "two" }));
  await must(app.as(app.createKey(accountId))("POST", `/tracks/${trackId}/comments`, { text: "three" }));
  await must(anasWeb("POST", `/app/tracks/${trackId}/comments`, { text: "four" }));
  const authors = async () =>
    (await must(anasWeb("GET", `/app/tracks/${trackId}/comments`)))
      .map(({ author }: Json) => author)
      .toReversed();
  const ana = { id: accountId, name: "Ana" };
  expect(await authors()).toEqual([called("Ben"), called("Ben"), ana, ana]);

  sql("UPDATE people SET name = 'Benjamin' WHERE id = ?", ben.personId);
  expect((await authors()).slice(0, 2)).toEqual([called("Benjamin"), called("Benjamin")]);
  sql("DELETE FROM members WHERE id = ?", ben.memberId);

  expect(await authors()).toEqual([called("Ben"), called("Ben"), ana, ana]);
});

test("activity is by the member who did it", async () => {
  await must(web("PUT", `/app/saves/track/${trackId}`));
  await must(web("POST", "/app/shares", { trackId }));
  await must(web("POST", `/app/tracks/${trackId}/comments`, { text: "one" }));

  const { recentActivity } = await must(anasWeb("GET", "/app/library/analytics/dashboard"));

  expect(recentActivity.items.map(({ actor }: Json) => actor)).toEqual(
    Array(3).fill({ type: "user", name: "Ben" }),
  );
});

test("what assistants did names the person whose key or program it was", async () => {
  const bensKey = (await must(web("POST", "/integration/api-keys", { name: "NAS" }))).key;
  for (const key of [bensKey, app.createKey(accountId)])
    for (const [name, input] of [
      ["list_playlists", {}],
      ["update_track_details", { trackId, title: `By ${key.slice(0, 12)}` }],
    ])
      await app.request(
        "/mcp",
        modernRequest("tools/call", { name, arguments: input }, { "x-api-key": key }),
      );

  const calls = await must(anasWeb("GET", "/app/assistant/calls"));

  const byTool = (tool: string) =>
    calls.filter((call: Json) => call.tool === tool).map(({ madeBy }: Json) => madeBy);
  for (const tool of ["list_playlists", "update_track_details"])
    expect([tool, byTool(tool)]).toEqual([tool, expect.arrayContaining([null, called("Ben")])]);
  expect(calls).toHaveLength(4);
});

test("everybody has their own searches, and the owner those of all", async () => {
  const search = async (call: Call, query: string) =>
    (await must(call("POST", "/app/library/tracks/search", { query }))).searchId;
  const bens = await search(web, "warm pads");
  const anas = await search(anasWeb, "dark drums");
  const listed = async (call: Call, query = "") =>
    (await must(call("GET", `/app/searches${query}`))).map(({ query, madeBy }: Json) => [
      query,
      madeBy?.name,
    ]);
  const [warm, dark] = [
    ["warm pads", "Ben"],
    ["dark drums", "Ana"],
  ];

  expect(await listed(web)).toEqual([warm]);
  expect(await listed(web, "?who=me")).toEqual([warm]);
  expect(await listed(anasWeb)).toEqual([dark, warm]);
  expect(await listed(anasWeb, "?who=everyone")).toEqual([dark, warm]);
  expect(await listed(anasWeb, "?who=me")).toEqual([dark]);
  const refused = await web("GET", "/app/searches?who=everyone");
  expect([refused.status, refused.body.data]).toEqual([403, { required: "own:library", role: "manager" }]);
  expect((await web("GET", `/app/searches/${anas}`)).body.messageCode).toBe("search_not_found");
  expect((await must(anasWeb("GET", `/app/searches/${bens}`))).madeBy).toEqual(called("Ben"));
});
