import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { DAY_MS } from "../../src/kernel/time.ts";
import { wavBytes } from "../media/wave-bytes.ts";
import { tune } from "../support/tune.ts";
import {
  BROWSER_PATH,
  createServedApp,
  inspect,
  openWindow,
  startBrowser,
  type WindowName,
} from "./browser.ts";
import { createSlowLine } from "./slow-line.ts";
import { BROWSER } from "./visitor.ts";

const RATE_HZ = 16_000;
const SECONDS = 90;
/** Bytes per second: four times the playback rate. */
const FAST = 4 * 2 * RATE_HZ;
const LOST = "The connection was lost. Playback resumes when it is back, or press play to try now.";
const SLOW = "Waiting for the music: the connection is slow.";

type Served = Awaited<ReturnType<typeof createServedApp>>;

let app: Served;
let browser: Browser;
let token: string;
let trackIds: string[];
let playlistId: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  app = await createServedApp();
  browser = await startBrowser();
  const account = app.createAccount("mara@example.com");
  ({ token } = account);
  const api = app.as(app.createKey(account.accountId));
  const form = new FormData();
  for (const [seed, title] of ["Night Ferry", "Harbour Lights", "Last Train"].entries()) {
    const bytes = wavBytes({
      depth: "s16",
      sampleRateHz: RATE_HZ,
      samples: [...tune(RATE_HZ, SECONDS, seed + 1)],
    });
    form.append("files", new File([bytes as Uint8Array<ArrayBuffer>], `${title}.wav`));
  }
  const { body } = await api("POST", "/tracks/upload", form);
  trackIds = body.data.uploaded.map(({ id }: { id: string }) => id);
  const made = await api("POST", "/playlists", { name: "Night drives", trackIds });
  playlistId = made.body.data.playlist.id;
  await app.drainJobs();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

async function share(settings: object): Promise<{ path: string; id: string }> {
  const { body } = await app.signedIn(token)("POST", "/app/shares", settings);
  return { path: new URL(body.data.url).pathname, id: body.data.id };
}

async function open(path: string, name: WindowName = "desktop", origin = app.origin) {
  const window = await openWindow(browser, origin, name, { userAgent: BROWSER });
  await window.page.goto(path);
  return window;
}

const message = (page: Page, words: string) => page.locator("#player-message", { hasText: words }).waitFor();
const untilSilent = (page: Page) => page.locator("#player-message:empty").waitFor({ state: "attached" });
const button = (page: Page, label: "Play" | "Pause") =>
  page.locator(`#play[aria-label="${label}"]`).waitFor();
const elapsedSec = async (page: Page): Promise<number> => {
  const [minutes = 0, seconds = 0] = ((await page.locator("#elapsed").textContent()) ?? "")
    .split(":")
    .map(Number);
  return 60 * minutes + seconds;
};
/** Waits until the time advances, which happens only when there is sound. */
const untilSounds = async (page: Page): Promise<void> => {
  const shown = await page.locator("#elapsed").textContent();
  await page.locator("#elapsed", { hasNotText: new RegExp(`^${shown}$`) }).waitFor();
};

describe.skipIf(!BROWSER_PATH)("after a lost connection", () => {
  test("Next, then Play plays the next track", async () => {
    const { path } = await share({ playlistId });
    const { page, context, close } = await open(path);
    await page.locator("#play").click();
    await untilSounds(page);

    await context.setOffline(true);
    await page.locator("#next").click();
    await message(page, LOST);
    await button(page, "Play");
    expect(await inspect(page, "player-lost-desktop")).toEqual([]);
    await context.setOffline(false);
    await page.locator("#play").click();

    await untilSounds(page);
    expect(await page.locator(".track.current .track-title").textContent()).toBe("Harbour Lights");
    await untilSilent(page);
    await button(page, "Pause");
    await close();
  });

  test.each(["desktop", "phone"] as const)(
    "the music resumes by itself, where it stopped, in a %s window",
    async (name) => {
      const { path } = await share({ trackId: trackIds[0] });
      const line = createSlowLine(app.origin, FAST);
      const { page, context, close } = await open(path, name, line.origin);
      await page.locator("#play").click();
      await untilSounds(page);
      // Little is buffered.
      line.setRate(0);
      await untilSounds(page);
      await context.setOffline(true);
      line.cut();

      await message(page, LOST);
      const place = await elapsedSec(page);
      expect(await inspect(page, `track-lost-${name}`)).toEqual([]);
      line.setRate(FAST);
      await context.setOffline(false);

      await untilSounds(page);
      expect(place).toBeGreaterThan(1);
      expect(await elapsedSec(page)).toBeWithin(place, place + 10);
      await untilSilent(page);
      await close();
      await line.close();
    },
  );

  test("the player retries without an event from the system, as after a restart of the server", async () => {
    const { path } = await share({ playlistId });
    const { page, close } = await open(path);
    await page.route("**/listen/**", (route) => route.abort("connectionrefused"));
    await page.locator("#play").click();
    await message(page, LOST);

    await page.unroute("**/listen/**");

    await untilSounds(page);
    await button(page, "Pause");
    await close();
  });

  test("the music resumes at a position chosen meanwhile", async () => {
    const { path } = await share({ trackId: trackIds[0] });
    const { page, context, close } = await open(path);
    await context.setOffline(true);
    await page.locator("#play").click();
    await message(page, LOST);
    await page.keyboard.press("5");
    expect(await elapsedSec(page)).toBe(SECONDS / 2);

    await context.setOffline(false);

    await untilSounds(page);
    expect(await elapsedSec(page)).toBeWithin(SECONDS / 2, SECONDS / 2 + 10);
    await close();
  });

  test("paused music stays paused", async () => {
    const { path } = await share({ trackId: trackIds[0] });
    const line = createSlowLine(app.origin, FAST);
    const { page, context, close } = await open(path, "desktop", line.origin);
    await page.locator("#play").click();
    await untilSounds(page);
    line.setRate(0);
    await page.locator("#play").click();
    await button(page, "Play");
    await context.setOffline(true);
    line.cut();
    line.setRate(FAST);
    await context.setOffline(false);

    expect(await page.locator("#player-message").textContent()).toBe("");
    expect(await page.locator("#play").getAttribute("aria-label")).toBe("Play");
    await page.locator("#play").click();
    await untilSounds(page);
    await close();
    await line.close();
  });
});

describe.skipIf(!BROWSER_PATH)("the owner's page of a playlist", () => {
  test("resumes after a lost connection, and says when the session has ended", async () => {
    const window = await openWindow(browser, app.origin, "desktop", { userAgent: BROWSER });
    const { page, context, close } = window;
    const path = `/library/playlists/${playlistId}/plain`;
    await context.addCookies([{ name: "dubplate_session", value: token, url: app.origin }]);
    await page.goto(path);
    await context.setOffline(true);
    await page.locator("#play").click();
    await message(page, LOST);

    await context.setOffline(false);
    await untilSounds(page);
    await untilSilent(page);
    await context.clearCookies();
    await page.locator("#next").click();

    await message(page, "This page can no longer play this track. Reload it to see why.");
    await button(page, "Play");
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("on a slow connection", () => {
  test.each(["desktop", "phone"] as const)("the player says that it waits, in a %s window", async (name) => {
    const { path } = await share({ playlistId });
    const line = createSlowLine(app.origin, 0);
    const { page, close, errors } = await open(path, name, line.origin);

    await page.locator("#play").click();
    await message(page, SLOW);

    expect(await page.locator("#player-message").getAttribute("role")).toBe("status");
    expect(await page.evaluate("document.body.classList.contains('waiting')")).toBe(true);
    expect(await page.locator("#play").getAttribute("aria-label")).toBe("Pause");
    expect(await inspect(page, `player-slow-${name}`)).toEqual([]);
    line.setRate(FAST);
    await untilSounds(page);
    await untilSilent(page);
    expect(await page.evaluate("document.body.classList.contains('waiting')")).toBe(false);
    expect(errors).toEqual([]);
    await close();
    await line.close();
  });
});

describe.skipIf(!BROWSER_PATH)("a link with few visits", () => {
  test.each(["desktop", "phone"] as const)(
    "opens with a button in a browser mistaken for a bot, in a %s window",
    async (name) => {
      const { path } = await share({ trackId: trackIds[0], maxUses: 1 });
      // The default user agent of a headless browser counts as a bot.
      const { page, close, errors } = await openWindow(browser, app.origin, name);
      await page.goto(path);
      expect(await inspect(page, `for-a-person-${name}`)).toEqual([]);

      await page.getByRole("button", { name: "Open the track" }).click();
      await page.locator("#play").click();

      await untilSounds(page);
      await page.goto(path);
      await page.locator("#play").waitFor();
      expect(errors).toEqual([]);
      await close();
    },
  );
});

describe.skipIf(!BROWSER_PATH)("a page left open for more than a day", () => {
  test("plays, and draws the waveform of the next track", async () => {
    const { path } = await share({ playlistId, maxUses: 1 });
    const { page, close } = await open(path);
    app.clock.advance(2 * DAY_MS);

    await page.locator("#play").click();
    await untilSounds(page);
    await page.locator("#next").click();

    await page.locator(".track.current", { hasText: "Harbour Lights" }).waitFor();
    await untilSounds(page);
    await untilSilent(page);
    await close();
  });

  test("says so when its link has ended", async () => {
    const { path, id } = await share({ trackId: trackIds[0] });
    const { page, close } = await open(path);
    await app.signedIn(token)("DELETE", `/app/shares/${id}`);

    await page.locator("#play").click();

    await message(page, "This page can no longer play this track. Reload it to see why.");
    await button(page, "Play");
    expect(await inspect(page, "player-over-desktop")).toEqual([]);
    await close();
  });
});
