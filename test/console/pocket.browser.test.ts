import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { BROWSER_PATH, inspect, launchBrowser } from "../pages/browser.ts";
import { until } from "./console.ts";
import {
  createPocketServer,
  isRefused,
  keepList,
  kept,
  playsAll,
  putBack,
  says,
  smallTargets,
  TITLES,
  writeComment,
} from "./pocket-server.ts";

let server: Awaited<ReturnType<typeof createPocketServer>>;
let browser: Browser;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  [server, browser] = await Promise.all([
    createPocketServer(TITLES),
    launchBrowser("--autoplay-policy=no-user-gesture-required"),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const LISTENS = "SELECT track_id, heard_sec, through FROM listens ORDER BY at";
const COMMENTS = "SELECT text, position_sec FROM comments";

/** True when what the player draws is more than a line. */
const isWaveDrawn = (page: Page): Promise<boolean> =>
  page.locator(".bar-wave canvas").evaluate((element: HTMLCanvasElement) => {
    const { width, height } = element;
    const quarter = Math.floor(height / 4);
    const pixels = element.getContext("2d")?.getImageData(0, quarter, width, 1).data;
    return pixels?.some((value) => value > 0) ?? false;
  });

const show = (ids: string[], visible: boolean) =>
  server.call("POST", "/app/tracks/bulk", { where: { ids }, do: { visible } });

describe.skipIf(!BROWSER_PATH)("the pocket", () => {
  test("plays what is kept while the server is away, and brings it what waited, once", async () => {
    const path = `/library/playlists/${server.listId}`;
    const { page, close, errors } = await server.open(browser, path, "phone");
    await keepList(page);
    await until(async () => (await kept(page, "outlines")).length, TITLES.length);
    await server.end();

    await page.reload();

    await says(page, "No connection. You can play what is kept here.");
    expect(await inspect(page, "pocket-offline-phone")).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    await playsAll(page);
    await until(() => isWaveDrawn(page), true);
    await until(async () => (await kept(page, "outbox")).length, TITLES.length);
    await writeComment(page, "The bass comes too early");
    await page.getByText("Will be sent when you are back.").waitFor();
    expect(await inspect(page, "pocket-waiting-phone")).toEqual([]);
    const waiting = await kept(page, "outbox");
    await server.start();
    await page.evaluate(() => dispatchEvent(new Event("online")));

    await says(page, "Back online.");
    expect(await inspect(page, "pocket-back-phone")).toEqual([]);
    await until(async () => (await kept(page, "outbox")).length, 0);
    const stored = { listens: server.rows(LISTENS), comments: server.rows(COMMENTS) };
    expect(stored.listens.map(({ track_id }) => track_id)).toEqual(server.trackIds);
    for (const { heard_sec, through } of stored.listens) {
      expect(through).toBe("pocket");
      expect(heard_sec).toBeWithin(0.5, 1.5);
    }
    expect(stored.comments).toEqual([{ text: "The bass comes too early", position_sec: expect.any(Number) }]);

    // As after a kill between the answer and its note.
    await putBack(page, waiting);
    await page.getByRole("button", { name: "Open the library" }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await until(async () => (await kept(page, "outbox")).length, 0);

    expect({ listens: server.rows(LISTENS), comments: server.rows(COMMENTS) }).toEqual(stored);
    expect(errors.filter((error) => !isRefused(error))).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)(
    "is a screen of what is kept, and is empty when all of it is removed, in a %s window",
    async (name) => {
      const { page, close, errors } = await server.open(browser, `/library/playlists/${server.listId}`, name);
      await keepList(page);
      await page.goto("/library/pocket");

      await says(page, "Up to date since");
      await page.getByText(/^3 tracks, 1 min, 9\d KB\. Room for about .+ more\.$/).waitFor();
      await page.getByRole("list", { name: "Kept playlists" }).getByText("Car").waitFor();
      expect(await page.getByRole("grid", { name: "Kept tracks" }).getByRole("row").count()).toBe(3);
      expect(await inspect(page, `pocket-${name}`)).toEqual([]);
      if (name === "phone") expect(await smallTargets(page)).toEqual([]);
      await show(server.trackIds.slice(2), false);
      await page.getByText("1 track is hidden and not kept: Last Train.").waitFor();
      await show(server.trackIds.slice(2), true);
      await page.getByText("1 track is hidden").waitFor({ state: "detached" });
      await page.getByRole("row", { name: "Harbour Lights" }).click();
      await page.locator(".player .now-title", { hasText: "Harbour Lights" }).waitFor();
      await page.getByRole("button", { name: "Remove all from this device" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Remove all" }).click();

      await page.getByRole("heading", { name: "Nothing is kept on this device" }).waitFor();
      expect(await page.getByRole("link", { name: "Pocket" }).count()).toBe(0);
      expect(await page.evaluate(() => caches.has("dubplate-pocket-audio"))).toBe(false);
      expect(errors).toEqual([]);
      await close();
    },
  );
});
