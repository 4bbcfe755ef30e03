import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { resolveTagNames, tagsOfTracks, writeTags } from "../../src/modules/library/tags/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";

type Entry = { id: string; name: string; code: string; order: number };

let app: TestApp;
let accountId: string;

beforeAll(async () => {
  app = await createTestApp();
  accountId = app.createAccount().accountId;
});
afterAll(() => app.close());

describe("GET /taxonomy", () => {
  test("lists all ten categories, each in display order", async () => {
    const { status, body } = await app.as(app.createKey(accountId, ["read:tracks"]))("GET", "/taxonomy");

    expect(status).toBe(200);
    expect(Object.keys(body.data)).toEqual([
      "genres",
      "moods",
      "instruments",
      "vocalTypes",
      "lyricThemes",
      "audioTypes",
      "tempos",
      "eras",
      "characters",
      "movements",
    ]);
    for (const entries of Object.values<Entry[]>(body.data)) {
      expect(entries.map(({ order }) => order)).toEqual(entries.map((_, index) => index));
      for (const entry of entries) expect(Object.keys(entry).sort()).toEqual(["code", "id", "name", "order"]);
    }
    expect(body.data.genres).toContainEqual(
      expect.objectContaining({ name: "Deep House", code: "deep_house" }),
    );
  });

  test("lists one category alone, with the others empty", async () => {
    const api = app.as(app.createKey(accountId, ["read:tracks"]));
    const [all, some] = [await api("GET", "/taxonomy"), await api("GET", "/taxonomy?category=eras")];
    const none = await api("GET", "/taxonomy?category=styles");

    expect(some.body.data.eras).toEqual(all.body.data.eras);
    expect(Object.keys(some.body.data)).toEqual(Object.keys(all.body.data));
    expect(Object.values<Entry[]>(some.body.data).flat()).toEqual(all.body.data.eras);
    expect([none.status, none.body.data.errors[0].path]).toEqual([400, "category"]);
  });

  test("needs read:tracks", async () => {
    const answer = await app.as(app.createKey(accountId, ["read:playlists"]))("GET", "/taxonomy");

    expect([answer.status, answer.body.messageCode]).toEqual([403, "insufficient_scope"]);
  });

  test("needs a key", async () => {
    const response = await app.request("/api/v1/taxonomy");

    expect(response.status).toBe(401);
  });
});

describe("tags of tracks", () => {
  test("names match in any case, become canonical and are not repeated", () => {
    const { resolved, unknown } = resolveTagNames({ genres: ["deep HOUSE", "Techno", " Deep House "] });

    expect(unknown).toEqual({});
    expect(resolved.get("genres")?.map(({ name }) => name)).toEqual(["Deep House", "Techno"]);
  });

  test("unknown names are reported by category, as they were sent", () => {
    const { unknown } = resolveTagNames({
      genres: ["Techno", "Foobar"],
      moods: ["nope", "Dark"],
      tags: ["own"],
    });

    expect(unknown).toEqual({ genres: ["Foobar"], moods: ["nope"] });
  });

  test("the names of writes map to the taxonomy's categories", () => {
    const { resolved, unknown } = resolveTagNames({ vocals: ["instrumental"], types: ["Loop"] });

    expect(unknown).toEqual({});
    expect([resolved.get("vocals")?.[0]?.name, resolved.get("types")?.[0]?.name]).toEqual([
      "Instrumental",
      "Loop",
    ]);
  });

  test("free text is trimmed, keeps its spelling, and matches in any case", () => {
    const { resolved } = resolveTagNames({ tags: ["  Sync  Ready ", "sync ready", "", "Été"] });

    expect(resolved.get("tags")?.map(({ name }) => name)).toEqual(["Sync Ready", "Été"]);
  });

  test("a write replaces its category and keeps the others", () => {
    const [trackId = ""] = addTracks(app, accountId, [{ tags: { genres: ["Techno"], moods: ["Dark"] } }]);

    writeTags(app.deps.db, accountId, trackId, "genres", ["House", "Deep House"], "owner");

    const tags = tagsOfTracks(app.deps.db, [trackId]).get(trackId) ?? [];
    expect(tags.map(({ category, name }) => `${category} ${name}`)).toEqual([
      "genres House",
      "genres Deep House",
      "moods Dark",
    ]);
  });

  test("the owner's genres replace those of the file", () => {
    const [written = "", empty = ""] = addTracks(app, accountId, [{ tags: { genres: ["Techno"] } }, {}]);

    for (const id of [written, empty]) writeTags(app.deps.db, accountId, id, "genres", ["Rock"], "file");

    const tags = tagsOfTracks(app.deps.db, [written, empty]);
    expect(tags.get(written)?.map(({ name }) => name)).toEqual(["Techno"]);
    expect(tags.get(empty)?.map(({ name }) => name)).toEqual(["Rock"]);
  });

  test("an unresolved name is a bug, and nothing is written", () => {
    const [trackId = ""] = addTracks(app, accountId, [{}]);

    expect(() => writeTags(app.deps.db, accountId, trackId, "genres", ["Foobar"], "owner")).toThrow(
      "taxonomy",
    );
    expect(tagsOfTracks(app.deps.db, [trackId]).size).toBe(0);
  });
});
