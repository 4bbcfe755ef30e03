import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { comments } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { wavBytes } from "../media/wave-bytes.ts";
import { sine } from "../support/signals.ts";
import { addPlaylistRows, CREATED_AT } from "../support/track-rows.ts";
import { BROWSER_PATH, createServedApp, inspect, openWindow, startBrowser } from "./browser.ts";

const TRACKS = 10_000;
const SECONDS = 2;

let app: Awaited<ReturnType<typeof createServedApp>>;
let browser: Browser;
let path: string;
let shareId: string;
let trackIds: string[];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  app = await createServedApp();
  browser = await startBrowser();
  const { accountId, token } = app.createAccount("mara@example.com");
  const samples = [...sine(8000, SECONDS, 440)];
  const form = new FormData();
  const bytes = wavBytes({ depth: "s16", sampleRateHz: 8000, samples });
  form.append("files", new File([bytes as Uint8Array<ArrayBuffer>], "a.wav"));
  await app.as(app.createKey(accountId))("POST", "/tracks/upload", form);
  const list = addPlaylistRows(app.deps.db, accountId, TRACKS, (number) => ({
    title: `Track ${number}`,
    durationSec: SECONDS,
  }));
  trackIds = list.trackIds;
  // Every track uses the one uploaded sound.
  app.deps.db.$client.run(
    "UPDATE versions SET (sha256, size_bytes) = (SELECT sha256, size_bytes FROM versions WHERE name = 'a.wav')",
  );
  const settings = { playlistId: list.id, allowComments: true };
  const { body } = await app.signedIn(token)("POST", "/app/shares", settings);
  path = new URL(body.data.url).pathname;
  shareId = body.data.id;
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const rows = (page: Page) => page.locator(".track").count();
const untilRows = (page: Page, count: number) =>
  page.locator(`.track:nth-child(${count})`).waitFor({ state: "attached" });
const playButton = (page: Page, number: number) =>
  page.getByRole("button", { name: `Play ${number}, Track ${number}`, exact: true });
const untilCurrent = (page: Page, number: number) =>
  page.locator(".track.current", { has: page.getByText(`Track ${number}`, { exact: true }) }).waitFor();
/** Makes a list grow only on request, as for a visitor who does not scroll. */
const withoutScrolling = (page: Page) =>
  page.addInitScript(
    "delete window.IntersectionObserver; window.IntersectionObserver = class { observe() {} disconnect() {} }",
  );

async function openPage(options = {}) {
  const window = await openWindow(browser, app.origin, "desktop", options);
  return {
    ...window,
    finish: async () => {
      await window.close();
      expect([window.errors, window.foreign]).toEqual([[], []]);
    },
  };
}

describe.skipIf(!BROWSER_PATH)("a playlist of 10,000 tracks", () => {
  test("grows when scrolled to its end, and the new rows play", async () => {
    const { page, finish } = await openPage();
    await page.goto(path);
    expect(await rows(page)).toBe(200);

    await page.locator(".more").scrollIntoViewIfNeeded();
    await untilRows(page, 400);
    await page.locator(".track:nth-child(390)").scrollIntoViewIfNeeded();
    await untilRows(page, 600);
    await playButton(page, 390).click();

    await untilCurrent(page, 390);
    await page.getByRole("button", { name: "Pause 390, Track 390" }).waitFor();
    expect(await page.locator("#now-title").textContent()).toBe("Track 390");
    expect(await inspect(page, "long-playlist", ".more")).toEqual([]);
    await finish();
  });

  test("plays from row 200 into row 201 by itself, and further with Next and the keyboard", async () => {
    const { page, finish } = await openPage();
    await withoutScrolling(page);
    await page.goto(path);
    await playButton(page, 200).click();
    await untilCurrent(page, 200);

    await untilCurrent(page, 201);
    await page.keyboard.press("p");
    await untilCurrent(page, 200);
    await page.locator("#next").click();
    await untilCurrent(page, 201);
    await playButton(page, 400).click();
    await page.keyboard.press("n");

    await untilCurrent(page, 401);
    expect(await rows(page)).toBe(600);
    await finish();
  });

  test("continues after row 200 when the next rows arrive late", async () => {
    const { page, finish } = await openPage();
    await withoutScrolling(page);
    const [asked, letThrough] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route("**/tracks?*", async (route) => {
      asked.resolve();
      await letThrough.promise;
      await route.continue();
    });
    await page.goto(path);
    await playButton(page, 200).click();
    await asked.promise;
    await page.locator('#play[aria-label="Pause"]').waitFor();
    await page.locator('#play[aria-label="Play"]').waitFor();
    expect(await page.locator("#next").isDisabled()).toBe(false);

    letThrough.resolve();

    await untilCurrent(page, 201);
    await finish();
  });

  test("says when the next rows cannot be loaded, and tries again on request", async () => {
    const { page, context, close } = await openPage();
    await withoutScrolling(page);
    await page.goto(path);
    const more = page.getByRole("link", { name: "More tracks" });
    await context.setOffline(true);
    await more.focus();
    await page.keyboard.press("Enter");
    await page.getByText("That did not work. Try again.").waitFor();

    await context.setOffline(false);
    await page.keyboard.press("Enter");
    await untilRows(page, 400);

    // The keyboard focus stays in place.
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Play 201, Track 201");
    await close();
  });

  test("is at the same position when the visitor comes back", async () => {
    const { page, finish } = await openPage();
    await page.goto(path);
    for (const count of [400, 600, 800]) {
      await page.locator(".more").scrollIntoViewIfNeeded();
      await untilRows(page, count);
    }
    await page.locator(".track:nth-child(700)").scrollIntoViewIfNeeded();
    const before = await page.evaluate("scrollY");

    await page.goto("/signin");
    await page.goBack();

    await untilRows(page, 800);
    await page.evaluate(`new Promise((resolve) => {
      const look = () => (Math.abs(scrollY - ${before}) < 200 ? resolve() : requestAnimationFrame(look));
      look();
    })`);
    await finish();
  });

  test("plays from a comment on a track further down", async () => {
    const row = {
      id: newId("cmt"),
      shareId,
      trackId: trackIds[449] ?? "",
      authorName: "Ben",
      createdAt: CREATED_AT,
    };
    app.deps.db
      .insert(comments)
      .values({ ...row, text: "Here", positionSec: 1 })
      .run();
    const { page, finish } = await openPage();
    await withoutScrolling(page);
    await page.goto(path);

    await page.getByRole("link", { name: "To the comments" }).click();
    await page.getByRole("button", { name: "Play from 0:01" }).click();

    await untilCurrent(page, 450);
    expect(await page.locator("#field-track option").count()).toBe(600);
    await finish();
  });

  test("plays rows loaded later, after a lost connection and two days later", async () => {
    const { page, context, close } = await openPage();
    await withoutScrolling(page);
    await page.goto(path);
    await page.getByRole("link", { name: "More tracks" }).click();
    await untilRows(page, 400);
    await context.setOffline(true);
    await playButton(page, 250).click();
    await page.locator("#player-message", { hasText: "The connection was lost." }).waitFor();

    await context.setOffline(false);
    await untilCurrent(page, 251);
    app.clock.advance(2 * DAY_MS);
    await playButton(page, 300).click();

    await untilCurrent(page, 301);
    await close();
  });

  test("can be paged through with links without JavaScript", async () => {
    const { page, finish } = await openPage({ javaScriptEnabled: false });
    await page.goto(path);

    await page.getByRole("link", { name: "More tracks" }).click();

    await page.getByRole("link", { name: "From the first track on" }).waitFor();
    await page.locator(".more").waitFor();
    expect(await page.locator(".track-title").first().textContent()).toBe("Track 201");
    expect(await page.locator("audio").count()).toBe(200);
    await page.getByRole("link", { name: "From the first track on" }).click();
    await page.getByRole("link", { name: "To the comments" }).waitFor();
    expect(await page.locator(".track-title").first().textContent()).toBe("Track 1");
    await finish();
  });
});
