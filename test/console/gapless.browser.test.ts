import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { wavBytes } from "../media/wave-bytes.ts";
import { BROWSER_PATH, startBrowser } from "../pages/browser.ts";
import { likeness, placeOf, recordSound } from "../pages/heard.ts";
import { BROWSER } from "../pages/visitor.ts";
import { createConsole } from "./console.ts";

const PARTS = ["Part One", "Part Two", "Part Three"];
const PART_SEC = 1.5;
/** Together they are never like themselves a little later. */
const VOICES_HZ = [223, 337.1, 509.7, 761.3, 1153.9];
const FFMPEG = findFfmpeg(Bun.env.FFMPEG_PATH)?.path;

let desk: Awaited<ReturnType<typeof createConsole>>;
let albumId: string;
let trackIds: string[];
let rateHz: number;
let partFrames: number;
/** A chord that rises without any break, cut into the parts. */
let whole: Float32Array;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  // The addresses of sounds carry the server's time, and the browser has its own.
  desk.clock.advance(Date.now() - desk.clock.now());
  Object.assign(desk.account, desk.createAccount("today@example.com"));
  const page = await desk.browser.newPage();
  rateHz = Number(await page.evaluate("new AudioContext().sampleRate"));
  await page.close();
  partFrames = Math.round(PART_SEC * rateHz);
  whole = Float32Array.from({ length: PARTS.length * partFrames }, (_, at) => {
    const sec = at / rateHz;
    const voices = VOICES_HZ.map((hz) => Math.sin(2 * Math.PI * (hz * sec + 20 * sec * sec) + hz));
    return 0.06 * voices.reduce((sum, voice) => sum + voice);
  });
  ({ albumId, trackIds } = await addAlbum("Suite", (part) => part));
  if (FFMPEG) await addAlbum("Suite in Opus", (part) => encoded(FFMPEG, part));
});
afterAll(() => desk?.close());

async function addAlbum(
  name: string,
  encode: (part: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): Promise<{ albumId: string; trackIds: string[] }> {
  const form = new FormData();
  for (const [at, title] of PARTS.entries()) {
    const samples = [...whole.slice(at * partFrames, (at + 1) * partFrames)];
    const wave = wavBytes({ depth: "s16", sampleRateHz: rateHz, samples }) as Uint8Array<ArrayBuffer>;
    form.append("files", new File([encode(wave)], `${title}.wav`));
  }
  const { body } = await desk.as(desk.createKey(desk.account.accountId))("POST", "/tracks/upload", form);
  const trackIds = body.data.uploaded.map(({ id }: { id: string }) => id);
  await desk.drainJobs();
  const album = { name, kind: "album", trackIds };
  const made = await desk.signedIn(desk.account.token)("POST", "/app/playlists", album);
  return { albumId: made.body.data.id, trackIds };
}

/** Encodes a file as renditions are. */
function encoded(ffmpeg: string, wave: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const args = ["-v", "error", "-i", "-", "-c:a", "libopus", "-b:a", "128k", "-f", "ogg", "-"];
  return new Uint8Array(Bun.spawnSync([ffmpeg, ...args], { stdin: wave }).stdout);
}

/** Runs a script as soon as the second part has begun unheard, shortly before the end of the first. */
const atSeam = (script: string) => `{
  const { play } = HTMLMediaElement.prototype;
  const begun = new Set();
  HTMLMediaElement.prototype.play = function () {
    begun.add(this);
    if (begun.size === 2) {
      begun.add("done");
      setTimeout(() => { ${script} }, 0);
    }
    return play.call(this);
  };
}`;
const pressAtSeam = (key: string) =>
  atSeam(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "${key}", bubbles: true }))`);
/** Pauses as soon as something plays. */
const HELD = `{
  const { play } = HTMLMediaElement.prototype;
  let isHeld = false;
  HTMLMediaElement.prototype.play = function () {
    if (!isHeld) this.addEventListener("timeupdate", () => this.pause(), { once: true });
    isHeld = true;
    return play.call(this);
  };
}`;
const click = (label: string) => `document.querySelector('button[aria-label="${label}"]').click()`;

/** Opens a window that records what it plays, and plays the album in it. */
async function openRecorded(script = "", album = "Suite") {
  const context = await desk.browser.newContext({ bypassCSP: true, baseURL: desk.origin });
  const { hostname: domain } = new URL(desk.origin);
  await context.addCookies([{ name: "dubplate_session", value: desk.account.token, domain, path: "/" }]);
  const page = await context.newPage();
  const read = await recordSound(page);
  await page.addInitScript(script);
  await page.goto("/library/albums");
  await page.getByRole("link", { name: album, exact: true }).first().click();
  await page.getByRole("button", { name: "Play Part One" }).first().click();
  const player = page.getByRole("region", { name: "Player" });
  const button = (name: string) => player.getByRole("button", { name, exact: true });
  /** Returns what was heard, when the last part is over. */
  const heardToEnd = async () => {
    await player.getByRole("link", { name: "Part Three" }).waitFor();
    await button("Play").waitFor();
    return await read();
  };
  return { page, button, heardToEnd, close: () => context.close() };
}

/** Opens the album's link as somebody else, and plays it to its end. Returns what the server was told to be heard, by track. */
async function playLink(browser: Browser, { origin = desk.origin, script = "", isRecorded = true }) {
  const { body } = await desk.signedIn(desk.account.token)("POST", "/app/shares", { playlistId: albumId });
  const context = await browser.newContext({ bypassCSP: true, baseURL: origin, userAgent: BROWSER });
  const page = await context.newPage();
  const read = isRecorded ? await recordSound(page) : undefined;
  await page.addInitScript(script);
  const told = new Map<string, string>();
  page.on("request", (request) => {
    if (!request.url().includes("/heard/")) return;
    told.set(request.url(), new URLSearchParams(request.postData() ?? "").get("parts") ?? "");
  });
  await page.goto(new URL(body.data.url).pathname);
  const isSecure = await page.evaluate(() => isSecureContext);
  await page.locator("#play").click();
  const isLast = () => document.querySelector(".track.current")?.textContent?.includes("Part Three");
  await page.waitForFunction(isLast);
  const isToldOf = page.waitForResponse((answer) => answer.url().includes("/heard/"));
  await page.locator('#play[aria-label="Play"]').waitFor();
  await isToldOf;
  const heard = await read?.();
  await context.close();
  return { heard, isSecure, told: [...told.values()] };
}

/** Returns how many milliseconds too late the part after a seam is heard. */
function lateMs(seam: number, heard: Float32Array): number {
  const [before, after, most] = [pieceAt(seam - 2048), pieceAt(seam + 2048), 1000];
  const due = placeOf(before, heard) + 4096;
  const late = placeOf(after, heard.subarray(due - most, due + most)) - most;
  return (1000 * late) / rateHz;
}

/** Returns some milliseconds of the whole piece from a frame on. */
const pieceAt = (frame: number) => whole.subarray(frame, frame + 400);

describe.skipIf(!BROWSER_PATH)("an album that was cut from one piece", () => {
  test("is heard as one piece, to the sample", async () => {
    const { heardToEnd, close } = await openRecorded();

    const heard = await heardToEnd();
    const from = placeOf(whole.subarray(partFrames / 2, partFrames / 2 + 256), heard) - partFrames / 2;
    for (const seam of [partFrames, 2 * partFrames]) {
      const around = whole.subarray(seam - 512, seam + 512);
      expect(likeness(around, heard, from + seam - 512)).toBeGreaterThan(0.9999);
    }
    await close();
  });
  test.skipIf(!FFMPEG)("is heard as one piece in Opus, where the browser converts its rate too", async () => {
    const { heardToEnd, close } = await openRecorded("", "Suite in Opus");

    const heard = await heardToEnd();
    // How far the browser's filter rings shows at the end of the first.
    expect(Math.abs(lateMs(partFrames, heard))).toBeLessThan(1.5);
    expect(Math.abs(lateMs(2 * partFrames, heard))).toBeLessThan(0.1);
    await close();
  });

  test("is heard whole when it is paused at a seam", async () => {
    const { button, heardToEnd, close } = await openRecorded(pressAtSeam(" "));
    await button("Pause").waitFor();
    await button("Play").click();

    const heard = await heardToEnd();
    const end = pieceAt(partFrames - Math.round(partFrames / 12));
    const start = pieceAt(partFrames + 64);
    const [endAt, startAt] = [placeOf(end, heard), placeOf(start, heard)];
    expect(likeness(end, heard, endAt)).toBeGreaterThan(0.999);
    expect(likeness(start, heard, startAt)).toBeGreaterThan(0.999);
    expect(startAt).toBeGreaterThan(endAt);
    await close();
  });

  test("begins its next part anew when somebody skips to it at a seam", async () => {
    const { heardToEnd, close } = await openRecorded(pressAtSeam("n"));

    const heard = await heardToEnd();
    const start = pieceAt(partFrames + 64);
    const startAt = placeOf(start, heard);
    expect(likeness(start, heard, startAt)).toBeGreaterThan(0.999);
    const after = pieceAt(2 * partFrames - partFrames / 2);
    expect(likeness(after, heard, startAt + partFrames / 2 - 64)).toBeGreaterThan(0.999);
    await close();
  });

  test("goes on with what is next when the next part is taken out at a seam", async () => {
    const name = "Remove Part Two.wav from the queue";
    const { page, button, heardToEnd, close } = await openRecorded(`${HELD} ${atSeam(click(name))}`);
    await button("Play").waitFor();
    await button("Queue").click();
    await page.getByRole("button", { name }).waitFor();
    await button("Play").evaluate((element: HTMLElement) => element.click());

    const heard = await heardToEnd();
    const [end, third] = [pieceAt(partFrames - 800), pieceAt(2 * partFrames + 800)];
    const [endAt, thirdAt] = [placeOf(end, heard), placeOf(third, heard)];
    expect(likeness(end, heard, endAt)).toBeGreaterThan(0.999);
    expect(likeness(third, heard, thirdAt)).toBeGreaterThan(0.999);
    expect(thirdAt).toBeGreaterThan(endAt);
    for (const at of [0, 1000, partFrames / 2]) {
      const gone = pieceAt(partFrames + at);
      expect(likeness(gone, heard, placeOf(gone, heard))).toBeLessThan(0.99);
    }
    await close();
  });

  test("shows on the lock screen where it is, and how fast", async () => {
    const { page, button, close } = await openRecorded(`
      localStorage.setItem("dubplate.console.speed", "1.5");
      MediaSession.prototype.setPositionState = function (state) { window.placeShown = state; };`);
    await button("Pause").waitFor();

    await page.waitForFunction("window.placeShown?.position > 0.2");
    const shown = await page.evaluate("window.placeShown");
    expect(shown).toMatchObject({ duration: PART_SEC, playbackRate: 1.5 });
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("a link of an album that was cut from one piece", () => {
  test("is heard as one piece, and each part counts once and whole", async () => {
    const { heard = new Float32Array(), told } = await playLink(desk.browser, {});

    for (const seam of [partFrames, 2 * partFrames]) expect(lateMs(seam, heard)).toBe(0);
    expect(told).toEqual(PARTS.map(() => `0.0-${PART_SEC}`));
    desk.app.counting.flush();
    const ids = trackIds.join();
    const { body } = await desk.as(desk.createKey(desk.account.accountId))(
      "GET",
      `/analytics/stats?entity=track&ids=${ids}`,
    );
    expect(body.data.items.map(({ stats }: { stats: { plays: number } }) => stats.plays)).toEqual([1, 1, 1]);
  });

  test("is heard whole where the worklet cannot be loaded", async () => {
    const script = `{
      const { addModule } = AudioWorklet.prototype;
      AudioWorklet.prototype.addModule = function (address) {
        return String(address).includes("joiner") ? Promise.reject(new Error("None")) : addModule.call(this, address);
      };
    }`;
    const { heard = new Float32Array() } = await playLink(desk.browser, { script });

    const places = PARTS.flatMap((_, part) => [part * partFrames + 800, (part + 1) * partFrames - 1200]).map(
      (at) => placeOf(pieceAt(at), heard),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    for (const [at, place] of places.entries()) {
      const piece = pieceAt((at >> 1) * partFrames + (at % 2 === 0 ? 800 : partFrames - 1200));
      expect(likeness(piece, heard, place)).toBeGreaterThan(0.999);
    }
  });

  test("plays on over plain http, where browsers have no worklets", async () => {
    const browser = await startBrowser(
      "--host-resolver-rules=MAP studio.local 127.0.0.1",
      "--autoplay-policy=no-user-gesture-required",
    );
    const origin = desk.origin.replace("127.0.0.1", "studio.local");
    const { isSecure, told } = await playLink(browser, { origin, isRecorded: false });

    expect(isSecure).toBe(false);
    expect(told).toEqual(PARTS.map(() => `0.0-${PART_SEC}`));
    await browser.close();
  });
});
