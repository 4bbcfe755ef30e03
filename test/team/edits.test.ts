import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createToolApp, legacyRequest, modernRequest, type ToolApp } from "../mcp/support.ts";
import { type Answer, type Json, jsonOf } from "../support/app.ts";
import { GIF } from "../support/pictures.ts";
import { sine, wavBytes } from "../support/signals.ts";
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
let key: string;
const client = () => app.deps.db.$client;
beforeEach(async () => {
  const account = app.createAccount();
  ({ accountId } = account);
  ben = addMember(app, accountId, { role: "manager" });
  client().query("UPDATE people SET name = 'Ben' WHERE id = ?").run(ben.personId);
  client().query("UPDATE people SET name = 'Ana' WHERE id = ?").run(accountId);
  web = app.signedIn(ben.token);
  anasWeb = app.signedIn(account.token);
  trackId = addTrackRows(app.deps.db, accountId, { name: "Ferry.wav" }).id;
  key = (await web("POST", "/integration/api-keys", { name: "NAS" })).body.data.key;
});

const must = async (answer: Promise<Answer>): Promise<Json> => {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data;
};
/** Whose is the last edit of each field, by the field's name. */
const edits = async (call = anasWeb): Promise<Record<string, string | null>> => {
  const rows = await must(call("GET", `/app/tracks/${trackId}/edits`));
  return Object.fromEntries(rows.map(({ field, by }: Json) => [field, by?.name ?? null]));
};
const details = (call: Call, body: Json) =>
  must(call("PATCH", `/app/library/tracks/details?id=${trackId}`, body));
const composer = async (fullName: string): Promise<string> =>
  (await must(anasWeb("POST", "/app/composers", { fullName, email: null }))).id;
const credit = (shareholderId: string, share: number) => ({ shareholderId, share, role: "Writer" });
const putSplits = (call: Call, shareholders: Json, base?: Json) =>
  call("PUT", `/app/library/tracks/shareholders?id=${trackId}`, { shareholders, ...(base && { base }) });
const tool = async (name: string, input: Json): Promise<Json> => {
  const request = modernRequest("tools/call", { name, arguments: input }, { "x-api-key": key });
  const { result } = await jsonOf(await app.request("/mcp", request));
  if (result.isError) throw new Error(result.content[0].text);
  return result.structuredContent;
};

describe("who changed a field last is known, however it was changed", () => {
  /** Ben changes something; returns the fields that are his by it. */
  const ways: [way: string, change: () => Promise<unknown>, fields: string[]][] = [
    ["details", () => details(web, { title: "Ferry", album_artist: "Mara" }), ["title", "album_artist"]],
    ["a key", () => app.as(key)("PATCH", `/tracks/details?id=${trackId}`, { bpm: 120 }), ["bpm"]],
    ["a tool", () => tool("update_track_details", { trackId, year: "2026" }), ["year"]],
    [
      "a tool that answers as a stream, with the progress of the work",
      async () => {
        const params = { name: "update_track_details", arguments: { trackId, album: "Tides" } };
        const init = legacyRequest(
          "tools/call",
          { ...params, _meta: { progressToken: 1 } },
          {
            "x-api-key": key,
            accept: "text/event-stream",
          },
        );
        await (await fetch(`${app.url}/mcp`, init)).text();
      },
      ["album"],
    ],
    ["a cover", () => details(web, { cover: `data:image/gif;base64,${GIF.toString("base64")}` }), ["cover"]],
    ["tags", () => web("PATCH", `/app/library/tracks/tags?id=${trackId}`, { moods: ["Calm"] }), ["moods"]],
    [
      "one free tag",
      () => web("POST", `/app/tracks/${trackId}/tags`, { edits: [{ category: "tags", add: ["x"] }] }),
      ["additionalTags"],
    ],
    ["splits", async () => putSplits(web, [credit(await composer("Mo"), 50)]), ["shareholders"]],
    [
      "many tracks",
      () =>
        web("POST", "/app/tracks/bulk", {
          where: { ids: [trackId] },
          do: { details: { artist: "Mara" }, addTags: ["Calm"] },
        }),
      ["artist", "moods"],
    ],
    [
      "another version",
      () => {
        const id = addVersionRow(app.deps.db, trackId, { versionOrder: 1 });
        return web("POST", `/app/library/tracks/${trackId}/versions/${id}/activate`);
      },
      ["activeVersionId"],
    ],
  ];

  test.each(ways)("%s", async (_, change, fields) => {
    await change();

    expect(await edits()).toEqual(Object.fromEntries(fields.map((field) => [field, "Ben"])));
  });

  test("as hidden, and the names of its versions", async () => {
    const { activeVersionId } = await must(web("GET", `/app/library/tracks/single?id=${trackId}`));
    await must(web("PATCH", `/app/library/tracks/${trackId}/versions/${activeVersionId}`, { label: "v1" }));
    expect(await edits()).toEqual({ versions: "Ben" });

    await must(anasWeb("POST", "/app/tracks/bulk", { where: { ids: [trackId] }, do: { visible: false } }));

    expect(await edits()).toEqual({ versions: "Ben", visible: "Ana" });
  });

  test("as undone: by whoever undoes many tracks, a tool, a merge of composers", async () => {
    const bulk = { where: { ids: [trackId] }, do: { details: { title: "Night" } } };
    const { undoId } = await must(web("POST", "/app/tracks/bulk", bulk));
    await must(anasWeb("POST", `/app/undo/${undoId}`));
    await tool("update_track_tags", { trackId, moods: ["Calm"] });
    await tool("update_track_details", { trackId, artist: "Mara" });
    for (const { id } of await must(anasWeb("GET", "/app/assistant/calls")))
      await must(anasWeb("POST", `/app/assistant/calls/${id}/undo`));
    const [mo, twin] = [await composer("Mo"), await composer("Mo B.")];
    await putSplits(anasWeb, [credit(twin, 50)]);
    const merged = await must(web("POST", `/app/composers/${mo}/merge`, { composerId: twin }));
    expect(await edits()).toEqual({ title: "Ana", moods: "Ana", artist: "Ana", shareholders: "Ben" });

    await must(anasWeb("POST", `/app/undo/${merged.undoId}`));

    expect((await edits()).shareholders).toBe("Ana");
  });

  test("with the track: what its sender wrote", async () => {
    const form = new FormData();
    form.append("files", new File([wavBytes([sine(8000, 0.2, 440)], 8000, 16)], "Dawn.wav"));
    form.append(
      "audioProfiles",
      JSON.stringify([{ name: "Dawn.wav", audioProfile: { title: "Dawn", moods: ["Calm"] } }]),
    );
    const { uploaded } = await must(web("POST", "/app/library/tracks/upload", form));
    trackId = uploaded[0].id;
    expect(await edits()).toEqual({ title: "Ben", moods: "Ben" });

    await app.drainJobs();

    expect(await edits()).toEqual({ title: "Ben", moods: "Ben" });
  });

  test("as many tracks that go on to change after the request", async () => {
    const others = Array.from({ length: 300 }, () => addTrackRows(app.deps.db, accountId, {}).id);
    const ids = [...others, trackId];
    const change = { where: { ids }, do: { details: { title: "Night" } }, answerWithinMs: 0 };
    const { changeId, state } = await must(web("POST", "/app/tracks/bulk", change));
    expect(state).toBe("running");

    while ((await must(web("GET", `/app/bulk/${changeId}`))).state === "running");

    expect(await edits()).toEqual({ title: "Ben" });
  });
});

test("a save that changes nothing is no edit, and neither is a rehearsal", async () => {
  const mo = await composer("Mo");
  await details(web, { title: "Ferry" });
  await putSplits(web, [credit(mo, 50)]);
  await must(web("PATCH", `/app/library/tracks/tags?id=${trackId}`, { moods: ["Calm"] }));

  await details(anasWeb, { title: "Ferry" });
  await putSplits(anasWeb, [credit(mo, 50)]);
  await must(anasWeb("PATCH", `/app/library/tracks/tags?id=${trackId}`, { moods: ["Calm"] }));
  await tool("update_track_details", { trackId, artist: "Mara", dryRun: true });

  expect(await edits()).toEqual({ title: "Ben", shareholders: "Ben", moods: "Ben" });
});

test("what the operator's key changes is nobody's edit, and what a job changes is none", async () => {
  await details(web, { title: "Ferry", bpm: null });

  await app.as(app.createKey(accountId))("PATCH", `/tracks/details?id=${trackId}`, { title: "Night" });
  client().query("UPDATE track_edits SET at = 1").run();

  const [edit] = await must(anasWeb("GET", `/app/tracks/${trackId}/edits`));
  expect(edit).toEqual({ field: "title", by: null, at: "1970-01-01T00:00:00.001Z" });
});

test("the edits of a track are the library's, and those of splits are for those who see splits", async () => {
  await putSplits(web, [credit(await composer("Mo"), 50)]);
  await details(web, { title: "Ferry" });
  const stranger = app.signedIn(app.createAccount().token);
  const listener = (splits: boolean) =>
    app.signedIn(addMember(app, accountId, { role: "listener", splits }).token);

  expect(await edits(listener(false))).toEqual({ title: "Ben" });
  expect(await edits(listener(true))).toEqual({ title: "Ben", shareholders: "Ben" });
  expect((await stranger("GET", `/app/tracks/${trackId}/edits`)).body.messageCode).toBe("track_not_found");
});

describe("splits that somebody else has written meanwhile", () => {
  test("are not overwritten: the answer has them, and says who wrote them", async () => {
    const [mo, lu] = [await composer("Mo"), await composer("Lu")];
    await putSplits(web, [credit(mo, 50), credit(lu, 50)]);

    const late = await putSplits(anasWeb, [credit(mo, 100)], []);

    expect([late.status, late.body.messageCode]).toEqual([409, "changed_since"]);
    expect(late.body.data).toEqual({
      shareholders: [mo, lu].map((id) =>
        expect.objectContaining({ share: 50, shareholder: expect.objectContaining({ id }) }),
      ),
      by: { id: ben.personId, name: "Ben" },
      at: expect.any(String),
    });
    const kept = [credit(lu, 50), credit(mo, 50)];
    expect((await putSplits(anasWeb, [credit(mo, 100)], kept)).status).toBe(200);
    expect((await putSplits(anasWeb, [], undefined)).status).toBe(200);
  });

  test("are refused in a key's request too", async () => {
    const mo = await composer("Mo");
    await putSplits(web, [credit(mo, 50)]);
    const put = (base: Json) =>
      app.as(key)("PUT", `/tracks/shareholders?id=${trackId}`, { shareholders: [], base });

    expect((await put([credit(mo, 49)])).body.messageCode).toBe("changed_since");
    expect((await put([credit(mo, 50)])).status).toBe(200);
  });
});
