import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Json, jsonOf } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createToolApp, legacyRequest, modernRequest, type ToolApp } from "./support.ts";

let app: ToolApp;
let trackId: string;
let playlistId: string;
beforeAll(async () => {
  app = await createToolApp();
  trackId = addTrackRows(app.deps.db, app.accountId, { title: "Night Bus", measured: {} }).id;
  const { body } = await app.as(app.key)("POST", "/playlists", { name: "Set", trackIds: [trackId] });
  playlistId = body.data.playlist.id;
});
afterAll(() => app.close());

const ask = async (method: string, params: Json = {}, key = app.key): Promise<Json> =>
  jsonOf(await app.request("/mcp", modernRequest(method, params, { "x-api-key": key })));

describe("resources", () => {
  test("are the taxonomy, and tracks and playlists by id", async () => {
    const { resources } = (await ask("resources/list")).result;
    const { resourceTemplates } = (await ask("resources/templates/list")).result;

    expect(resources.map(({ uri }: Json) => uri)).toEqual(["dubplate://taxonomy"]);
    expect(resourceTemplates.map(({ uriTemplate }: Json) => uriTemplate)).toEqual([
      "dubplate://track/{id}",
      "dubplate://playlist/{id}",
    ]);
  });

  test.each([
    [
      "the taxonomy",
      () => "dubplate://taxonomy",
      () => "/taxonomy",
      (data: Json) =>
        Object.fromEntries(
          Object.entries<Json>(data).map(([key, tags]) => [key, tags.map(({ name }: Json) => name)]),
        ),
    ],
    [
      "a track",
      () => `dubplate://track/${trackId}`,
      () => `/tracks/single?id=${trackId}`,
      (data: Json) => data,
    ],
  ])("%s reads like the route's answer, the taxonomy only by names", async (_, uri, path, shown) => {
    const { result } = await ask("resources/read", { uri: uri() });
    const { body } = await app.as(app.key)("GET", path());

    expect(result.contents).toEqual([
      { uri: uri(), mimeType: "application/json", text: JSON.stringify(shown(body.data)) },
    ]);
  });

  test("a playlist reads with its tracks", async () => {
    const { result } = await ask("resources/read", { uri: `dubplate://playlist/${playlistId}` });

    expect(JSON.parse(result.contents[0].text)).toMatchObject({ id: playlistId, tracks: [{ id: trackId }] });
  });

  test("a missing resource is named, and a forbidden one says which scope is missing", async () => {
    const narrow = app.createKey(app.accountId, ["read:tracks"]);

    const unknown = await ask("resources/read", { uri: "dubplate://playlist/pl_gone" });
    const refused = await ask("resources/read", { uri: `dubplate://playlist/${playlistId}` }, narrow);

    expect(unknown.error).toMatchObject({ code: -32_602, data: { uri: "dubplate://playlist/pl_gone" } });
    expect(refused.error.message).toBe(
      "insufficient_scope: This needs read:playlists; the API key is missing a required scope for this action.",
    );
  });
});

describe("prompts", () => {
  test("are three, and name only existing tools", async () => {
    const { tools } = await jsonOf(await app.request("/tools"));
    const names = new Set(tools.map(({ name }: Json) => name));
    const { prompts } = (await ask("prompts/list")).result;

    expect(prompts.map(({ name }: Json) => name)).toEqual(["pitch_playlist", "tag_cleanup", "weekly_report"]);
    for (const { name } of prompts) {
      const { messages } = (await ask("prompts/get", { name, arguments: { brief: "slow and warm" } })).result;
      const mentioned = [...messages[0].content.text.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(
        ([word]) => word,
      );
      expect(mentioned.length).toBeGreaterThan(1);
      for (const word of mentioned) expect([name, word, names.has(word)]).toEqual([name, word, true]);
    }
  });

  test("include the person's words, and ask for missing arguments", async () => {
    const { result } = await ask("prompts/get", {
      name: "pitch_playlist",
      arguments: { brief: "slow and warm", tracks: "7" },
    });
    const missing = await ask("prompts/get", { name: "pitch_playlist" });

    expect(result.messages[0].content.text).toContain("a playlist of 7 tracks");
    expect(result.messages[0].content.text).toContain("slow and warm");
    expect(missing.error).toMatchObject({ code: -32_602, message: "Missing argument: brief" });
  });

  test("work for a client of 2025, too", async () => {
    const { result } = await jsonOf(
      await app.request("/mcp", legacyRequest("prompts/list", {}, { "x-api-key": app.key })),
    );

    expect(result.prompts).toHaveLength(3);
  });
});
