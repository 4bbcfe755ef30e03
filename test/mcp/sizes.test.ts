import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { composers } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import { type Json, jsonOf } from "../support/app.ts";
import { addTrackRows, CREATED_AT } from "../support/track-rows.ts";
import { createToolApp, modernRequest, type ToolApp } from "./support.ts";

/** The largest result that a client accepts: 25,000 tokens of four bytes. */
const MAX_BYTES = 100_000;
const TRACKS = 450;

let app: ToolApp;
beforeAll(async () => {
  app = await createToolApp();
});
afterAll(() => app.close());

async function textOf(name: string, input: Json): Promise<string> {
  const request = modernRequest("tools/call", { name, arguments: input }, { "x-api-key": app.key });
  const { result } = await jsonOf(await app.request("/mcp", request));
  expect(result.isError).toBeUndefined();
  return result.content[0].text;
}

/** Reads every page of a list, none larger than a client accepts. Returns the ids and the number of pages. */
async function readAll(name: string, input: Json): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const text = await textOf(name, { ...input, ...(cursor && { cursor }) });
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_BYTES);
    const page: Json = JSON.parse(text);
    ids.push(...page.data.map(({ id }: Json) => id));
    cursor = page.paging.next_cursor;
    pages++;
  } while (cursor !== null);
  return { ids, pages };
}

describe("a library with long names", () => {
  const title =
    "Études for an empty swimming pool, third movement (string quartet and tape, rough mix) of a piece " +
    "that was meant for another occasion altogether and has been waiting in a drawer for its singer ";
  const artist = "The Extraordinarily Long-Winded Orchestra of the Lower Rhine feat. Somebody Else Entirely";

  beforeAll(() => {
    for (let index = 0; index < TRACKS; index++)
      addTrackRows(app.deps.db, app.accountId, {
        name: `${title}${index}.wav`,
        title: `${title}${index}`,
        artist,
        createdAt: CREATED_AT + index,
        tags: { genres: ["Techno", "House", "Deep House"], moods: ["Happy", "Dark", "Dreamy"].slice(0, 2) },
        measured: {},
      });
  });

  test("is listed at limit 200 in answers that a client accepts, without a gap", async () => {
    const { ids, pages } = await readAll("list_tracks", { limit: 200 });

    expect([ids.length, new Set(ids).size]).toEqual([TRACKS, TRACKS]);
    expect(pages).toBeGreaterThan(Math.ceil(TRACKS / 200));
  });

  test("is listed in one answer if the names are short enough", async () => {
    const { data } = JSON.parse(await textOf("list_tracks", { limit: 50 }));

    expect(data).toHaveLength(50);
  });

  test("has playlists at limit 200 in one answer", async () => {
    const [trackId] = (await readAll("list_tracks", { limit: 200 })).ids;
    for (let index = 0; index < 200; index++)
      await app.as(app.key)("POST", "/playlists", {
        name: `${title}${index}`.slice(0, 120),
        trackIds: [trackId],
      });

    const { data } = JSON.parse(await textOf("list_playlists", { limit: 200 }));

    expect(data).toHaveLength(200);
    await readAll("list_playlists", { limit: 200 });
  });

  test("returns 50 search results in an answer that a client accepts", async () => {
    const text = await textOf("search_tracks", { query: "études for an empty swimming pool", limit: 50 });

    expect(Buffer.byteLength(text)).toBeLessThan(MAX_BYTES);
  });

  test("has a taxonomy that fits", async () => {
    expect(Buffer.byteLength(await textOf("get_tag_taxonomy", {}))).toBeLessThan(MAX_BYTES);
  });

  test("has composers with many tracks, cut at 25 each and paged so that each answer fits", async () => {
    const writers = Array.from({ length: 120 }, (_, index) => ({ id: newId("shr"), index }));
    app.deps.db
      .insert(composers)
      .values(
        writers.map(({ id, index }) => ({
          id,
          ownerId: app.accountId,
          fullName: `Ada Writer ${index}`,
          email: `ada${index}@example.com`,
          createdAt: CREATED_AT + index,
        })),
      )
      .run();
    const tracks = (await readAll("list_tracks", { limit: 200 })).ids.slice(0, 30);
    for (const trackId of tracks)
      await app.as(app.key)("PUT", `/tracks/shareholders?id=${trackId}`, {
        shareholders: writers.slice(0, 90).map(({ id }) => ({ shareholderId: id, share: 1, role: "Writer" })),
      });

    const { ids } = await readAll("list_composers", {});
    const one = JSON.parse(await textOf("get_composer", { composerId: writers[0]?.id }));

    expect(ids).toHaveLength(120);
    expect(new Set(ids).size).toBe(120);
    expect([one.composer.tracks.length, one.composer.tracksTruncated]).toEqual([25, true]);
  });
});
