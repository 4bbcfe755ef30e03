import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createConsole, until } from "./console.ts";
import { addSongs } from "./songs.ts";
import { addMix, secondMix } from "./track-songs.ts";

/** Four seconds of 16 bits at 16 kHz, and the header. They are played as they are, so they are kept so. */
const BYTES = 4 * 16_000 * 2 + 56;
/** For the worker's files, the rows, and two of three songs. */
const ROOM_BYTES = 260_000 + 2.3 * BYTES;

type Kept = {
  audio: Record<string, number>;
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

  /** Opens the playlist in a new window and keeps it. */
  async function keepList() {
    const window = await desk.open(`/library/playlists/${listId}`);
    const { page } = window;
    await choose(page, "Keep on this device");
    const dialog = page.getByRole("dialog", { name: "Keep music on this device" });
    await dialog.getByText(/This browser (keeps|may clear) them/).waitFor();
    expect(await inspect(page, "console-keep-dialog")).toEqual([]);
    await dialog.getByRole("button", { name: "Keep" }).click();
    return window;
  }

  const choose = async (page: Page, name: string) => {
    await page.getByRole("button", { name: "More actions", exact: true }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  const markOf = (page: Page, title: string) =>
    page.getByRole("row", { name: title }).getByText("Kept", { exact: true });
  const nothing: Kept = { audio: {}, tracks: {}, databases: [] };

  test("keeps a playlist whole, follows its tracks and their versions, and leaves nothing when it is removed", async () => {
    const { page, errors, close } = await keepList();
    for (const title of ["Harbour", "Lantern", "Quarry"]) await markOf(page, title).waitFor();
    expect(await inspect(page, "console-kept-marks")).toEqual([]);
    const before = await keptIn(page);

    expect(Object.keys(before.tracks).sort()).toEqual(ids.toSorted());
    expect(Object.values(before.audio)).toEqual(ids.map(() => BYTES));

    const newer = await addMix(desk, ids[0] ?? "", "v2", secondMix(7));
    await api("DELETE", `/playlists/${listId}/tracks/${ids[2]}`);
    await until(async () => (await keptIn(page)).tracks, {
      [ids[0] ?? ""]: newer,
      [ids[1] ?? ""]: before.tracks[ids[1] ?? ""] ?? null,
    });
    await until(async () => Object.keys((await keptIn(page)).audio).length, 2);

    await choose(page, "Remove from this device");
    await until(() => keptIn(page), nothing);
    await api("POST", `/playlists/${listId}/tracks`, { trackIds: [ids[2]] });
    expect(errors).toEqual([]);
    await close();
  }, 120_000);

  test("plays what is kept from this device, also while the server does not answer", async () => {
    const { page, context, close } = await keepList();
    await markOf(page, "Lantern").waitFor();
    await markOf(page, "Quarry").waitFor();
    const asked: string[] = [];
    context.on("request", (request) => /\/media\//.test(request.url()) && asked.push(request.url()));
    await context.setOffline(true);

    await page.getByRole("button", { name: "Play Lantern" }).click();
    await page.getByRole("button", { name: "Pause" }).first().waitFor();
    await page.waitForFunction(() => navigator.mediaSession.playbackState === "playing");
    expect(asked).toEqual([]);
    await close();
  }, 120_000);

  test("deletes its copies when they are withdrawn from elsewhere, and says so", async () => {
    const { page, close } = await keepList();
    await markOf(page, "Lantern").waitFor();
    const as = desk.signedIn(desk.account.token);
    const devices = (await as("GET", "/app/pocket")).body.data.filter(
      ({ withdrawnAt }: { withdrawnAt: string | null }) => withdrawnAt === null,
    );

    for (const { id } of devices) await as("DELETE", `/app/pocket/${id}`);
    await page.reload();
    await page
      .getByText("This device was removed from your library. Its copies have been deleted.")
      .waitFor();
    await until(() => keptIn(page), nothing);
    await close();
  }, 120_000);

  test("keeps nothing behind a sign-out, also without a connection", async () => {
    const { page, context, close } = await keepList();
    await markOf(page, "Lantern").waitFor();
    await markOf(page, "Quarry").waitFor();
    await context.setOffline(true);

    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const question = page.getByRole("alertdialog", {
      name: "Sign out and remove 3 tracks from this device?",
    });
    await question.waitFor();
    expect(await inspect(page, "console-keep-sign-out")).toEqual([]);
    await question.getByRole("button", { name: "Sign out and remove" }).click();
    await page.getByText("There is no connection to the server at the moment.").waitFor();
    expect(await keptIn(page)).toEqual(nothing);
    expect(
      await page.evaluate(async () => [
        await caches.keys(),
        (await navigator.serviceWorker.getRegistrations()).length,
      ]),
    ).toEqual([[], 0]);
    await close();
  }, 120_000);

  test("says that there is no room, keeps what has room, and fetches the rest when there is", async () => {
    const { page, context, close } = await desk.open(`/library/playlists/${listId}`);
    const devtools = await context.newCDPSession(page);
    const quota = (quotaSize?: number) =>
      devtools.send("Storage.overrideQuotaForOrigin", {
        origin: desk.origin,
        ...(quotaSize !== undefined && { quotaSize }),
      });
    await quota(ROOM_BYTES);
    await choose(page, "Keep on this device");
    await page.getByRole("dialog").getByRole("button", { name: "Keep" }).click();
    await page.getByText(/^Not enough room: \d of 3 tracks were kept\./).waitFor();

    await quota();
    await page.reload();
    for (const title of ["Harbour", "Lantern", "Quarry"]) await markOf(page, title).waitFor();
    await close();
  }, 120_000);

  test.each(["desktop", "phone"] as const)(
    "Devices says on a %s what each device keeps, and takes it back from this one and from others",
    async (window) => {
      const { page, errors, close } = await desk.open(`/library/playlists/${listId}`, window);
      const as = desk.signedIn(desk.account.token);
      // Those of the tests before.
      for (const { id } of (await as("GET", "/app/pocket")).body.data)
        await as("DELETE", `/app/pocket/${id}`);
      await as("POST", "/app/pocket", { name: "Old phone" });
      await page.getByRole("button", { name: "More actions", exact: true }).click();
      await page.getByRole("menuitem", { name: "Keep on this device" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Keep" }).click();
      await until(async () => Object.keys((await keptIn(page)).audio).length, 3);

      await page.goto("/library/settings/devices");
      const table = page.getByRole("table", { name: "Copies on devices" });
      const own = table.getByRole("row", { name: /This device/ });
      await own.getByText(/^3 tracks, [\d.]+ (KB|MB)$/).waitFor();
      expect(await inspect(page, `console-devices-copies-${window}`)).toEqual([]);

      await table.getByRole("button", { name: "Remove copies from Old phone" }).click();
      await page.getByText("It deletes them when it next reaches the server.").waitFor();
      await page.getByRole("alertdialog").getByRole("button", { name: "Remove copies" }).click();
      await page.getByRole("status").getByText("Old phone gets nothing more").last().waitFor();
      await own.getByRole("button", { name: /^Remove copies from/ }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Remove copies" }).click();
      await page.getByRole("status").getByText("Copies removed").last().waitFor();
      await own.waitFor({ state: "detached" });
      expect((await keptIn(page)).databases).toEqual([]);
      expect(errors).toEqual([]);
      await close();
    },
    120_000,
  );

  test("lets go of what is too much at once, so that the rest is still brought up to date", async () => {
    const { page, close } = await desk.open(`/library/playlists/${listId}`);
    const refusal = { isError: true, messageCode: "too_many_tracks", message: "Too many tracks" };
    await page.route("**/sync?*", (route) => route.fulfill({ status: 400, json: refusal }), { times: 1 });
    await choose(page, "Keep on this device");
    await page.getByRole("dialog").getByRole("button", { name: "Keep", exact: true }).click();

    await page.getByRole("alert").getByText("Too many tracks").waitFor();
    await until(async () => (await keptIn(page)).databases, []);
    await close();
  });
});
