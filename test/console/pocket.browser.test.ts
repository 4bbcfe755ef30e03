import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { BROWSER_PATH, inspect, launchBrowser } from "../pages/browser.ts";
import { until } from "./console.ts";
import { createPocketServer, kept } from "./pocket-server.ts";

const TITLES = ["Night Ferry", "Harbour Lights", "Last Train"];

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

const says = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();

/** Keeps the playlist, and waits until it and the worker are here. */
async function keepList(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More actions", exact: true }).click();
  await page.getByRole("menuitem", { name: "Keep on this device" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep" }).click();
  await until(async () => (await kept(page, "tracks")).filter(({ sound }) => sound !== null).length, 3);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

describe.skipIf(!BROWSER_PATH)("the pocket", () => {
  test("plays what is kept while the server is away, and brings it what waited, once", async () => {
    const { page, close, errors } = await server.open(
      browser,
      `/library/playlists/${server.listId}`,
      "phone",
    );
    await keepList(page);
    await server.end();

    await page.reload();

    await says(page, "No connection. You can play what is kept here.");
    expect(await inspect(page, "pocket-offline")).toEqual([]);
    await page.getByRole("button", { name: "Play Car" }).click();
    for (const title of TITLES) await page.locator(".player .now-title", { hasText: title }).waitFor();
    await until(async () => (await kept(page, "outbox")).length, 3);
    await page.getByRole("button", { name: "Comment" }).click();
    await page.getByRole("textbox", { name: "Comment" }).fill("The bass comes too early");
    expect(await inspect(page, "pocket-comment")).toEqual([]);
    await page.getByRole("button", { name: "Keep" }).click();
    await page.getByText("Will be sent when you are back.").waitFor();
    expect(await inspect(page, "pocket-waiting")).toEqual([]);
    const waiting = await kept(page, "outbox");
    await server.start();
    await page.evaluate(() => dispatchEvent(new Event("online")));

    await says(page, "Back online.");
    expect(await inspect(page, "pocket-back")).toEqual([]);
    expect(waiting.length).toBe(4);
    expect(errors.filter((error) => !error.includes("ERR_CONNECTION_REFUSED"))).toEqual([]);
    await close();
  });
});
