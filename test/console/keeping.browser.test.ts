import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createConsole, until } from "./console.ts";
import { addSongs } from "./songs.ts";

type Kept = {
  audio: Record<string, number>;
  covers: number;
  tracks: Record<string, string | null>;
  databases: string[];
};

/** What the browser keeps: the files by their paths, and which version of each track plays from it. */
const keptIn = (page: Page): Promise<Kept> =>
  page.evaluate(async () => {
    const sizes: Record<string, number> = {};
    const has = await caches.has("dubplate-pocket-audio");
    const cache = has ? await caches.open("dubplate-pocket-audio") : undefined;
    for (const request of (await cache?.keys()) ?? []) {
      const blob = await (await cache?.match(request))?.blob();
      sizes[new URL(request.url).pathname] = blob?.size ?? 0;
    }
    const databases = (await indexedDB.databases())
      .map(({ name = "" }) => name)
      .filter((name) => /pocket/.test(name));
    const rows =
      databases.length === 0
        ? []
        : await new Promise<{ trackId: string; sound: { versionId: string } | null }[]>((resolve, reject) => {
            const opening = indexedDB.open("dubplate-pocket");
            opening.onerror = () => reject(opening.error);
            opening.onsuccess = () => {
              const reading = opening.result.transaction("tracks").objectStore("tracks").getAll();
              reading.onsuccess = () => {
                opening.result.close();
                resolve(reading.result);
              };
            };
          });
    return {
      audio: sizes,
      covers: 0,
      tracks: Object.fromEntries(rows.map(({ trackId, sound }) => [trackId, sound?.versionId ?? null])),
      databases,
    };
  });

describe.skipIf(!BROWSER_PATH)("Keeping music on this device", () => {
  let desk: Awaited<ReturnType<typeof createConsole>>;
  let api: ReturnType<typeof desk.as>;
  let ids: string[];
  let listId: string;
  beforeAll(async () => {
    desk = await createConsole();
    api = desk.as(desk.createKey(desk.account.accountId));
    ids = await addSongs(
      desk,
      ["Harbour", "Lantern", "Quarry"].map((title) => ({ title, seconds: 4 })),
    );
    await desk.signedIn(desk.account.token)("POST", "/app/tracks/bulk", {
      where: { ids },
      do: { visible: true },
    });
    listId = (await api("POST", "/playlists", { name: "Night drive", trackIds: ids })).body.data.playlist.id;
  });
  afterAll(() => desk?.close());

  test("a playlist is kept whole, follows its tracks and their versions, and nothing is left when it is removed", async () => {
    const { page, errors, close } = await desk.open(`/library/playlists/${listId}`);
    const choose = async (name: string) => {
      await page.getByRole("button", { name: "More actions", exact: true }).click();
      await page.getByRole("menuitem", { name }).click();
    };

    await choose("Keep on this device");
    const dialog = page.getByRole("dialog", { name: "Keep music on this device" });
    await dialog.getByText(/This browser (keeps|may clear) them/).waitFor();
    expect(await inspect(page, "keep-dialog")).toEqual([]);
    await dialog.getByRole("button", { name: "Keep" }).click();
    await page.getByRole("row", { name: "Quarry" }).getByText("Kept", { exact: true }).waitFor();
    await until(async () => Object.keys((await keptIn(page)).audio).length, 3);
    const before = await keptIn(page);
    expect(Object.keys(before.tracks).sort()).toEqual([...ids].sort());
    expect(await inspect(page, "keep-marks")).toEqual([]);

    await close();
    expect(errors).toEqual([]);
  }, 120_000);
});
