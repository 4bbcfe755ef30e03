import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { wavBytes } from "../media/wave-bytes.ts";
import { drumLoop, sine } from "../support/signals.ts";
import {
  BROWSER_PATH,
  createServedApp,
  inspect,
  openWindow,
  PICTURES,
  startBrowser,
  type WatchedWindow,
  WINDOWS,
  type WindowName,
} from "./browser.ts";

const RATE_HZ = 16_000;
const SECONDS = 20;

type Served = Awaited<ReturnType<typeof createServedApp>>;
type Window = WatchedWindow & { finish: () => Promise<void> };

let app: Served;
let browser: Browser;
let trackIds: string[];
let playlistId: string;
let token: string;
let email: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  app = await createServedApp();
  browser = await startBrowser();
  const account = app.createAccount("mara@example.com");
  ({ token, email } = account);
  app.deps.db.$client.run("UPDATE accounts SET name = 'Mara Lindqvist'");
  const api = app.as(app.createKey(account.accountId));
  trackIds = await uploadTracks(api);
  await app.drainJobs();
  const made = await api("POST", "/playlists", {
    name: "Night drives, spring selection",
    description: "Three for the label. Final mixes, nothing mastered yet.",
    trackIds,
  });
  playlistId = made.body.data.playlist.id;
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

async function uploadTracks(api: ReturnType<Served["as"]>): Promise<string[]> {
  const swell = sine(RATE_HZ, SECONDS, 220, 0.7).map((sample, i) => sample * Math.abs(Math.sin(i / 21_000)));
  const drums = drumLoop(RATE_HZ, SECONDS, 120);
  const fading = drums.map((sample, i) => sample * (1 - i / drums.length));
  const sounds = [
    ["Night Ferry", "The Lowlands", drums],
    ["Harbour Lights", "The Lowlands", swell],
    ["Last Train", null, fading],
  ] as const;
  const form = new FormData();
  for (const [title, , samples] of sounds) {
    const bytes = wavBytes({ depth: "s16", sampleRateHz: RATE_HZ, samples: [...samples] });
    form.append("files", new File([bytes as Uint8Array<ArrayBuffer>], `${title}.wav`));
  }
  const { body } = await api("POST", "/tracks/upload", form);
  const ids = body.data.uploaded.map(({ id }: { id: string }) => id);
  for (const [index, [title, artist]] of sounds.entries())
    await api("PATCH", `/tracks/details?id=${ids[index]}`, { title, ...(artist && { artist }) });
  return ids;
}

/** Shares the first track or the playlist, and returns the path of the link. */
async function share(
  entity: "track" | "playlist",
  settings: object = {},
): Promise<{ path: string; id: string }> {
  const target = entity === "track" ? { trackId: trackIds[0] } : { playlistId };
  const { body } = await app.signedIn(token)("POST", "/app/shares", { ...target, ...settings });
  return { path: new URL(body.data.url).pathname, id: body.data.id };
}

/** Opens a window; `finish` checks what must not have happened in it. */
async function open(name: WindowName, options = {}): Promise<Window> {
  const window = await openWindow(browser, app.origin, name, options);
  return {
    ...window,
    finish: async () => {
      await window.close();
      expect(window.errors).toEqual([]);
      expect(window.foreign).toEqual([]);
    },
  };
}

const elapsed = ({ page }: WatchedWindow) => page.locator("#elapsed").textContent();
/** Waits until the player shows a time, which advances only when there is sound. */
const untilShows = ({ page }: WatchedWindow, times: RegExp) =>
  page.locator("#elapsed", { hasText: times }).waitFor();
const PLAYING = /^0:(0[1-9]|1\d)$/;

describe.skipIf(!BROWSER_PATH).each(Object.keys(WINDOWS) as WindowName[])("in a %s window", (name) => {
  test("a playlist plays, seeks and skips with the keyboard, and plays to its end by itself", async () => {
    const { path } = await share("playlist", { recipient: "Harbour Records", allowDownload: true });
    const window = await open(name);
    const { page } = window;
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/listen/")) asked.push(request.url());
    });
    await page.goto(path);
    expect(asked).toEqual([]);

    await page.getByRole("button", { name: "Play all" }).click();
    await untilShows(window, PLAYING);

    // The track, and the next one, which is made ready in the last 20 seconds.
    expect(asked.length).toBeWithin(1, 3);
    expect(await page.locator("#play").getAttribute("aria-label")).toBe("Pause");
    expect(await page.locator(".track.current .track-title").textContent()).toBe("Night Ferry");
    expect(await page.title()).toBe("▶ Night Ferry · Night drives, spring selection · Dubplate");
    expect(await page.locator("#wave-path").getAttribute("d")).toMatch(/^M1 \d+v\d+/);
    expect(await inspect(page, `playlist-${name}`)).toEqual([]);

    await page.keyboard.press(" ");
    await page.locator('#play[aria-label="Play"]').waitFor();
    expect(await page.title()).toBe("Night drives, spring selection · Dubplate");
    await page.keyboard.press("5");
    expect(await elapsed(window)).toBe("0:10");
    await page.keyboard.press("ArrowRight");
    expect(await elapsed(window)).toBe("0:15");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await elapsed(window)).toBe("0:05");
    await page.keyboard.press("m");
    await page.locator('#mute[aria-pressed="true"]').waitFor({ state: "attached" });

    await page.keyboard.press("n");
    await page.locator(".track.current", { hasText: "Harbour Lights" }).waitFor();
    await untilShows(window, PLAYING);
    expect(await page.title()).toStartWith("▶ Harbour Lights · Night drives");
    await page.keyboard.press("Shift+ArrowRight");
    await page.locator(".track.current", { hasText: "Last Train" }).waitFor();
    expect(await page.locator("#next").isDisabled()).toBe(true);
    await page.keyboard.press("p");
    await page.locator(".track.current", { hasText: "Harbour Lights" }).waitFor();
    await untilShows(window, PLAYING);
    await page.keyboard.press("9");
    await page.locator(".track.current", { hasText: "Last Train" }).waitFor();
    await window.finish();
  });

  test("a row plays its track, and the middle of the waveform is the middle of the track", async () => {
    const { path } = await share("playlist");
    const window = await open(name);
    const { page } = window;
    await page.goto(path);

    await page.getByText("Harbour Lights", { exact: true }).first().click();
    await untilShows(window, PLAYING);
    await page.locator(".track.current").click();
    await page.locator('#play[aria-label="Play"]').waitFor();
    const box = await page.locator("#wave").boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);

    await untilShows(window, /^0:10$/);
    expect(await page.locator("#seek").getAttribute("aria-valuetext")).toBe("0:10 of 0:20");
    await window.finish();
  });

  test("matched loudness says by how much it changes the track, and is remembered", async () => {
    const { path } = await share("playlist");
    const window = await open(name);
    const { page } = window;
    await page.goto(path);
    const match = page.getByRole("button", { name: "Match loudness" });
    expect(await match.getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("button", { name: "Play all" }).click();
    await untilShows(window, PLAYING);
    const gain = Number(await page.locator(".track.current").getAttribute("data-gain"));
    const shown = `${gain > 0 ? "+" : "−"}${Math.abs(gain).toFixed(1)} dB`;
    expect(await page.locator("#gain").textContent()).toBe(shown);

    await match.click();
    await page.locator("#gain:empty").waitFor({ state: "attached" });
    await page.reload();

    expect(await match.getAttribute("aria-pressed")).toBe("false");
    expect(await page.locator("#gain").textContent()).toBe("");
    await window.finish();
  });

  test("a comment is placed at the current position, and the track plays from there", async () => {
    const { path } = await share("track", { allowComments: true });
    const window = await open(name);
    const { page } = window;
    await page.goto(path);
    await page.locator("#play").click();
    await untilShows(window, PLAYING);
    await page.locator("#play").click();
    await page.locator('#play[aria-label="Play"]').waitFor();
    expect(await page.title()).toBe("Night Ferry · Dubplate");
    await page.keyboard.press("4");
    expect((await page.locator("#play").boundingBox())?.y).toBeLessThan(WINDOWS[name].viewport.height - 68);
    await page.getByRole("button", { name: "Comment at 0:08" }).click();
    expect(await page.getByLabel("Time, such as 1:23").inputValue()).toBe("0:08");
    await page.getByLabel("Your name").fill("Ines");
    await page.getByRole("textbox", { name: "Comment" }).fill("Could the vocal sit <b>higher</b> here?");

    await page.getByRole("button", { name: "Send comment" }).click();

    const comment = page.locator(".comment").first();
    await comment.waitFor();
    expect(await comment.locator(".comment-text").textContent()).toBe(
      "Could the vocal sit <b>higher</b> here?",
    );
    expect(await page.locator("#wave-marks").getAttribute("d")).toBe("M128 97h.01");
    await page.reload();
    expect(await page.getByLabel("Your name").inputValue()).toBe("Ines");
    expect(await page.locator("#wave-marks").getAttribute("d")).toBe("M128 97h.01");
    const [list, form] = [page.locator("#comment-list"), page.locator("#comment-form")];
    const top = async (part: typeof list) => (await part.boundingBox())?.y ?? 0;
    expect(await top(list)).toBeLessThan(await top(form));
    await page.getByRole("button", { name: "Ines at 0:08" }).click();
    await untilShows(window, /^0:(09|1\d)$/);
    await page.keyboard.press("1");
    await page.locator(".comment-at").click();
    await untilShows(window, /^0:(09|1\d)$/);
    expect(await inspect(page, `track-${name}`)).toEqual([]);
    await window.finish();
  });

  test("a track that is still being analysed says so, plays, and gets its waveform", async () => {
    const form = new FormData();
    const sounds = drumLoop(RATE_HZ, 4, name === "phone" ? 90 : 100);
    const bytes = wavBytes({ depth: "s16", sampleRateHz: RATE_HZ, samples: [...sounds] });
    form.append("files", new File([bytes as Uint8Array<ArrayBuffer>], `${name}.wav`));
    const account = app.deps.db.$client.query<{ id: string }, []>("SELECT id FROM accounts").get()?.id ?? "";
    const { body } = await app.as(app.createKey(account))("POST", "/tracks/upload", form);
    const trackId = body.data.uploaded[0].id;
    const made = await app.signedIn(token)("POST", "/app/shares", { trackId });
    const window = await open(name);
    const { page } = window;
    await page.goto(new URL(made.body.data.url).pathname);

    const says = page.getByRole("status").getByText("This track is still being analysed.");
    await says.waitFor();
    expect(await inspect(page, `pending-${name}`)).toEqual([]);
    await page.locator("#play").click();
    await untilShows(window, PLAYING);
    await app.drainJobs();

    await says.waitFor({ state: "detached" });
    await page
      .locator('#wave-path[d^="M1 "]:not([d^="M1 48v4M3 48v4M5 48v4"])')
      .waitFor({ state: "attached" });
    await window.finish();
  });

  test("a form that was opened by mistake closes again", async () => {
    const { path } = await share("playlist", { allowComments: true });
    const window = await open(name);
    const { page } = window;
    await page.goto(path);
    const opener = page.getByRole("button", { name: "Comment at 0:00" });

    await opener.click();
    expect(await opener.getAttribute("aria-expanded")).toBe("true");
    await page.evaluate(
      `document.getElementById("comment-of").textContent = "A title without end ".repeat(9)`,
    );
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(
      WINDOWS[name].viewport.width,
    );
    await page.getByRole("button", { name: "Cancel" }).click();

    expect(await opener.getAttribute("aria-expanded")).toBe("false");
    expect(await page.locator("#comment-open:focus").count()).toBe(1);
    await window.finish();
  });

  test("the volume is set by a slider where a phone has no buttons for it, and remembered", async () => {
    const { path } = await share("track");
    const window = await open(name);
    const { page } = window;
    await page.goto(path);
    const volume = page.getByRole("slider", { name: "Volume" });
    expect(await volume.count()).toBe(name === "phone" ? 0 : 1);
    if (name === "phone") return window.finish();

    await volume.fill("0.5");
    await volume.press("ArrowRight");
    await page.locator('#volume[aria-valuetext="55 %"]').waitFor();
    expect(await elapsed(window)).toBe("0:00");
    await page.keyboard.press("m");
    await page.locator('#volume[aria-valuetext="0 %"]').waitFor();
    await page.reload();

    expect(await volume.getAttribute("aria-valuetext")).toBe("55 %");
    await window.finish();
  });

  test("a password opens a link, a wrong one does not", async () => {
    const { path } = await share("track", { password: "sesame" });
    const window = await open(name);
    const { page } = window;
    await page.goto(path);
    await page.getByLabel("Password").fill("guess");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("That is not the password.").waitFor();
    expect(await inspect(page, `password-${name}`)).toEqual([]);

    await page.getByLabel("Password").fill("sesame");
    await page.getByRole("button", { name: "Open" }).click();

    await page.getByRole("heading", { name: "Night Ferry" }).waitFor();
    await page.locator("#play").click();
    await untilShows(window, PLAYING);
    await window.finish();
  });

  test("downloads that were switched off are refused with an explanation", async () => {
    const { path, id } = await share("track", { allowDownload: true });
    const window = await open(name);
    const { page } = window;
    await page.goto(path);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("Night Ferry.wav");
    await app.signedIn(token)("PATCH", `/app/shares/${id}`, { allowDownload: false });

    await page.getByRole("link", { name: "Download" }).click();

    await page.getByText("This link is for listening only.").waitFor();
    expect(await inspect(page, `refused-${name}`)).toEqual([]);
    await page.goto(path);
    expect(await page.getByRole("link", { name: "Download" }).count()).toBe(0);
    await window.finish();
  });

  test("a closed link says so", async () => {
    const { path, id } = await share("track");
    await app.signedIn(token)("DELETE", `/app/shares/${id}`);
    const window = await open(name);

    await window.page.goto(path);

    await window.page.getByRole("heading", { name: "This link was closed" }).waitFor();
    expect(await inspect(window.page, `closed-${name}`)).toEqual([]);
    await window.finish();
  });

  test("without JavaScript there is a plain player for each track", async () => {
    const { path } = await share("playlist", { allowComments: true });
    const window = await open(name, { javaScriptEnabled: false });

    await window.page.goto(path);

    expect(await window.page.locator("audio:visible").count()).toBe(3);
    expect(await window.page.locator("#play").isVisible()).toBe(false);
    if (PICTURES)
      await window.page.screenshot({ path: `${PICTURES}/playlist-plain-${name}.png`, fullPage: true });
    await window.finish();
  });

  test("the private link of a playlist signs its owner in, and plays", async () => {
    const window = await open(name);
    const { page } = window;
    const told: string[] = [];
    page.on("request", (request) => {
      if (/\/(seen|heard)\b/.test(request.url())) told.push(request.url());
    });
    await page.goto(`/library/playlists/${playlistId}/plain`);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();

    await page.getByRole("heading", { name: "Night drives, spring selection" }).waitFor();
    await page.getByRole("button", { name: "Play all" }).click();
    await untilShows(window, PLAYING);
    await page.keyboard.press("n");
    await page.locator(".track.current", { hasText: "Harbour Lights" }).waitFor();
    await untilShows(window, PLAYING);

    expect(await inspect(page, `private-playlist-${name}`)).toEqual([]);
    expect(told).toEqual([]);
    await window.finish();
  });

  test("signing in leads to the page that was requested", async () => {
    const window = await open(name);
    const { page } = window;
    await page.goto("/");
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    expect(await inspect(page, `sign-in-${name}`)).toEqual([]);

    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();

    await page.getByRole("heading", { name: "Library" }).waitFor();
    await page.goto("/signout");
    expect(await inspect(page, `sign-out-${name}`)).toEqual([]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await window.finish();
  });
});

describe.skipIf(!BROWSER_PATH)("a server with closed registration", () => {
  test.each(Object.keys(WINDOWS) as WindowName[])(
    "leads from sign-up to sign-in, in a %s window",
    async (name) => {
      const window = await open(name);
      const { page } = window;

      await page.goto("/signup");
      expect(await inspect(page, `sign-up-closed-${name}`)).toEqual([]);
      await page.getByRole("link", { name: "Sign in" }).click();

      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await window.finish();
    },
  );
});

describe.skipIf(!BROWSER_PATH)("before there is an account", () => {
  test.each(Object.keys(WINDOWS) as WindowName[])(
    "the set-up page opens first, in a %s window",
    async (name) => {
      const empty = await createServedApp();
      const window = await openWindow(browser, empty.origin, name);

      await window.page.goto("/");

      await window.page.getByRole("heading", { name: "Set up your library" }).waitFor();
      expect(await inspect(window.page, `set-up-${name}`)).toEqual([]);
      await window.close();
      expect([window.errors, window.foreign]).toEqual([[], []]);
      await empty.close();
    },
  );

  test.each(Object.keys(WINDOWS) as WindowName[])("the sign-up page, in a %s window", async (name) => {
    const open = await createServedApp({ registrationOpen: true });
    open.createAccount();
    const window = await openWindow(browser, open.origin, name);

    await window.page.goto("/signup");

    await window.page.getByRole("button", { name: "Create account" }).waitFor();
    expect(await inspect(window.page, `sign-up-${name}`)).toEqual([]);
    await window.close();
    expect([window.errors, window.foreign]).toEqual([[], []]);
    await open.close();
  });
});
