import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { DAY_MS } from "../../src/kernel/time.ts";
import { BROWSER_PATH, inspect, launchBrowser } from "../pages/browser.ts";
import { until } from "./console.ts";
import {
  createPocketServer,
  isRefused,
  keepList,
  kept,
  playsAll,
  says,
  signIn,
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

/** A telephone that keeps the playlist, and is away from the console meanwhile. */
async function openKept() {
  await server.start();
  const window = await server.open(browser, `/library/playlists/${server.listId}`, "phone");
  await keepList(window.page);
  await window.page.goto("about:blank");
  return window;
}

const SLOW_MS = 6000;

const isBack = (page: Page) => page.evaluate(() => dispatchEvent(new Event("online")));

/** Sets the clock of the page from the next document on. */
const setClock = (page: Page, byMs: number) =>
  page.evaluate((by) => localStorage.setItem("shift", String(by)), byMs);

describe.skipIf(!BROWSER_PATH)("the pocket, away from the server", () => {
  test("is silent after thirty days, also with the clock set back, until it has been online", async () => {
    const { page, close } = await openKept();
    await page.addInitScript(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + Number(localStorage.getItem("shift") ?? 0);
    });
    await server.end();
    await page.goto(`${server.address}/library`);
    await setClock(page, 29 * DAY_MS);
    await page.reload();
    await says(page, "No connection. You can play what is kept here.");
    const OVER = "Go online once to keep listening. This music was last checked 31 days ago.";

    for (const days of [31, -400]) {
      await setClock(page, days * DAY_MS);
      await page.reload();
      await says(page, OVER);
      expect(await page.getByRole("row").count()).toBe(3);
      await page.getByRole("button", { name: "Play Car" }).click();
      await page.getByRole("alert").filter({ hasText: "Go online once" }).waitFor();
      expect(await page.evaluate(() => navigator.mediaSession.playbackState)).not.toBe("playing");
    }
    expect(await inspect(page, "pocket-over-phone")).toEqual([]);

    await setClock(page, 0);
    await server.start();
    await isBack(page);
    await page.getByRole("button", { name: "Open the library" }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await until(async () => (await kept(page, "devices"))[0]?.latestAt < Date.now() + DAY_MS, true);
    await server.end();
    await page.reload();
    await says(page, "No connection. You can play what is kept here.");
    await playsAll(page);
    await close();
  }, 120_000);

  test("shows while the server is slow, and leads to it however slow it is", async () => {
    const { page, close } = await openKept();
    server.hold();
    await page.goto(`${server.address}/library/links`);
    await says(page, "No connection. You can play what is kept here.");

    server.release();
    await says(page, "Back online.");
    server.hold();
    // Longer than the worker waits by itself.
    setTimeout(server.release, SLOW_MS);
    await page.getByRole("button", { name: "Open the library" }).click();

    await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
    await close();
  }, 120_000);

  test("deletes everything when the server says that its copies were withdrawn", async () => {
    const { page, context, close } = await openKept();
    await context.clearCookies();
    const [device] = await server.call("GET", "/app/pocket");
    await server.call("DELETE", `/app/pocket/${device.id}`);
    await server.end();
    await page.goto(`${server.address}/library`);
    await page.getByRole("button", { name: "Play Car" }).click();
    await page.locator(".player .now-title").waitFor();
    await server.start();
    await isBack(page);

    await says(page, "This device was removed from your library. Its copies have been deleted.");
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await inspect(page, "pocket-withdrawn-phone")).toEqual([]);
    expect(await page.getByRole("row").count()).toBe(0);
    expect(await page.evaluate(() => navigator.mediaSession.playbackState)).not.toBe("playing");
    const left = await page.evaluate(async () => [
      await caches.keys(),
      (await indexedDB.databases()).map(({ name = "" }) => name).filter((name) => name.includes("pocket")),
    ]);
    expect(left).toEqual([[expect.stringContaining("dubplate-shell-")], []]);
    await close();
  }, 120_000);

  test("shows a comment with its text when its track is gone, and plays on while nobody is signed in", async () => {
    const { page, context, close, errors } = await openKept();
    const [firstId = ""] = server.trackIds;
    const [first = "", , last = ""] = TITLES;
    await server.call("DELETE", `/app/tracks/${firstId}`);
    await server.end();
    await page.goto(`${server.address}/library`);
    await page.getByRole("button", { name: `Play ${first}` }).click();
    await page.locator(".player .now-title", { hasText: first }).waitFor();
    await writeComment(page, "Too loud");
    await context.clearCookies();
    await server.start();
    await isBack(page);

    await says(page, "Sign in to bring your music up to date.");
    expect(await inspect(page, "pocket-signed-out-phone")).toEqual([]);
    await page.getByRole("row", { name: last }).click();
    await page.locator(".player .now-title", { hasText: last }).waitFor();
    await signIn(context, await server.newToken(), server.address);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await page.getByRole("alert").getByRole("button", { name: "Show" }).click();

    const refused = page.getByRole("list", { name: "Comments that were not sent" });
    await refused.getByText("Not sent: the track is no longer in the library.").waitFor();
    await refused.getByText("Too loud").waitFor();
    expect(await inspect(page, "pocket-refused-phone")).toEqual([]);
    await refused.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied").waitFor();
    await refused.getByRole("button", { name: "Remove" }).click();
    await refused.waitFor({ state: "detached" });
    expect(await kept(page, "outbox")).toEqual([]);
    expect(errors.filter((error) => !isRefused(error))).toEqual([]);
    await close();
  }, 120_000);
});
