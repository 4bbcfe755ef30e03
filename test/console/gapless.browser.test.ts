import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { wavBytes } from "../media/wave-bytes.ts";
import { BROWSER_PATH } from "../pages/browser.ts";
import { likeness, placeOf, recordSound } from "../pages/heard.ts";
import { createConsole } from "./console.ts";

const PARTS = ["Part One", "Part Two", "Part Three"];
const PART_SEC = 1.5;

let desk: Awaited<ReturnType<typeof createConsole>>;
let partFrames: number;
/** A tone that rises without any break, cut into the parts. */
let whole: Float32Array;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  // The addresses of sounds carry the server's time, and the browser has its own.
  desk.clock.advance(Date.now() - desk.clock.now());
  Object.assign(desk.account, desk.createAccount("today@example.com"));
  const page = await desk.browser.newPage();
  const rateHz = Number(await page.evaluate("new AudioContext().sampleRate"));
  await page.close();
  partFrames = Math.round(PART_SEC * rateHz);
  whole = Float32Array.from({ length: PARTS.length * partFrames }, (_, at) => {
    const sec = at / rateHz;
    return 0.3 * Math.sin(2 * Math.PI * (200 * sec + 40 * sec * sec) + 1);
  });
  await addAlbum("Suite", rateHz);
});
afterAll(() => desk?.close());

async function addAlbum(name: string, sampleRateHz: number): Promise<void> {
  const form = new FormData();
  for (const [at, title] of PARTS.entries()) {
    const samples = [...whole.slice(at * partFrames, (at + 1) * partFrames)];
    const bytes = wavBytes({ depth: "s16", sampleRateHz, samples }) as Uint8Array<ArrayBuffer>;
    form.append("files", new File([bytes], `${title}.wav`));
  }
  const { body } = await desk.as(desk.createKey(desk.account.accountId))("POST", "/tracks/upload", form);
  const trackIds = body.data.uploaded.map(({ id }: { id: string }) => id);
  await desk.drainJobs();
  await desk.signedIn(desk.account.token)("POST", "/app/playlists", { name, kind: "album", trackIds });
}

/** Opens a window that records what it plays. */
async function openRecorded() {
  const context = await desk.browser.newContext({ bypassCSP: true, baseURL: desk.origin });
  const { hostname: domain } = new URL(desk.origin);
  await context.addCookies([{ name: "dubplate_session", value: desk.account.token, domain, path: "/" }]);
  const page = await context.newPage();
  return { page, read: await recordSound(page), close: () => context.close() };
}

describe.skipIf(!BROWSER_PATH)("an album that was cut from one piece", () => {
  test("is heard as one piece, to the sample", async () => {
    const { page, read, close } = await openRecorded();
    await page.goto("/library/albums");
    await page.getByRole("link", { name: "Suite" }).first().click();
    await page.getByRole("button", { name: "Play Part One" }).first().click();
    const player = page.getByRole("region", { name: "Player" });
    await player.getByRole("link", { name: "Part Three" }).waitFor();
    await player.getByRole("button", { name: "Play", exact: true }).waitFor();

    const heard = await read();
    const from = placeOf(whole.subarray(partFrames / 2, partFrames / 2 + 256), heard) - partFrames / 2;
    for (const seam of [partFrames, 2 * partFrames]) {
      const around = whole.subarray(seam - 512, seam + 512);
      expect(likeness(around, heard, from + seam - 512)).toBeGreaterThan(0.9999);
    }
    await close();
  });
});
