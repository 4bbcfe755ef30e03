import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { addFile } from "../flows/analysis-library.ts";
import { deliver, marked } from "../marks/marked.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { wavBytes } from "../support/signals.ts";
import { markableSong } from "../support/song.ts";
import { createConsole } from "./console.ts";

const FFMPEG = findFfmpeg(Bun.env.FFMPEG_PATH)?.path;
const RATE_HZ = 44_100;

let desk: Awaited<ReturnType<typeof createConsole>>;
let trackId: string;
const song = markableSong(RATE_HZ, 16, 3);
let leak: Buffer;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  const { accountId } = desk.account;
  const add = (planes: typeof song, title: string) =>
    addFile(desk.deps, accountId, wavBytes(planes, RATE_HZ, 16), { title });
  trackId = await add(song, "Night Drive");
  await add(markableSong(RATE_HZ, 16, 6), "Rain");
  await desk.drainJobs();
  const call = desk.signedIn(desk.account.token);
  const versionId = (await call("GET", `/app/library/tracks/single?id=${trackId}`)).body.data.activeVersionId;
  const copies = [];
  for (const recipient of ["Ada at Harbour Records", "Ben at Lowland Music"]) {
    const shareId = (await call("POST", "/app/shares", { trackId, recipient })).body.data.id;
    copies.push(deliver(desk.deps, { accountId, versionId, trackId, kind: "download", recipient, shareId }));
  }
  leak = await coded(marked(desk.deps, copies[1] as (typeof copies)[0], song, RATE_HZ));
});
afterAll(() => desk?.close());

/** Returns 11 seconds of a sound, as somebody would post them: MP3 where there is ffmpeg. */
async function coded(planes: readonly Float32Array[]): Promise<Buffer> {
  const wav = wavBytes(
    planes.map((plane) => plane.slice(4 * RATE_HZ, 15 * RATE_HZ)),
    RATE_HZ,
    16,
  );
  if (!FFMPEG) return Buffer.from(wav);
  const command = [FFMPEG, "-v", "error", "-i", "-", "-b:a", "128k", "-f", "mp3", "-"];
  const child = Bun.spawn(command, { stdin: wav, stdout: "pipe" });
  return Buffer.from(await new Response(child.stdout).arrayBuffer());
}

const give = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel("Choose a file").setInputFiles({ name, mimeType: "audio/mpeg", buffer });
const answer = (page: Page) => page.getByRole("region", { name: "Whose copy it is" });

describe.skipIf(!BROWSER_PATH)("who leaked it", () => {
  test("a song that was coded again is traced to its recipient, from the navigation", async () => {
    const { page, errors, close } = await desk.open("/library/links");
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Who leaked it?" })
      .click();
    await page.getByRole("heading", { level: 1, name: "Who leaked it?" }).waitFor();
    expect(await inspect(page, "console-leaks-desktop")).toEqual([]);

    await give(page, "posted.mp3", leak);
    await page.getByRole("heading", { name: "The copy of Ben at Lowland Music" }).waitFor();

    const text = (await answer(page).textContent()) ?? "";
    expect(text).toContain("0:04–0:1");
    expect(text).toContain("Downloaded from a link, 15 Jan 2026");
    expect(text).toMatch(/Less than one in (a million|\d+ million|10\S+)/);
    expect(text).toContain("It does not prove who passed it on");
    await answer(page).getByText("Link made").waitFor();
    expect(await inspect(page, "console-leaks-named-desktop")).toEqual([]);
    await answer(page).getByRole("link", { name: "Night Drive" }).click();
    await page.getByRole("heading", { level: 1, name: "Night Drive" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("a look-up that the server forgot when it was started anew is begun again", async () => {
    const { page, errors, close } = await desk.open("/library/leaks");
    let polls = 0;
    // The first answer is that of a process that knows nothing of it.
    await page.route(/\/app\/leaks\/leak_/, (route) =>
      polls++ === 0
        ? route.fulfill({
            status: 404,
            json: { messageCode: "not_found", message: "This look-up is not known" },
          })
        : route.continue(),
    );

    await give(page, "posted.mp3", leak);

    await page.getByRole("heading", { name: "The copy of Ben at Lowland Music" }).waitFor();
    expect(polls).toBeGreaterThan(1);
    expect(errors.filter((error) => !error.includes("404"))).toEqual([]);
    await close();
  });

  test("of a track names nobody for the unmarked song, on a phone", async () => {
    const { page, close } = await desk.open(`/library/leaks?track=${trackId}`, "phone");
    await page.getByRole("button", { name: "Do not look only in Night Drive" }).waitFor();

    await give(page, "mine.mp3", await coded(song));

    await page.getByRole("heading", { name: "No mark found" }).waitFor();
    expect(await answer(page).getByText("clears nobody").count()).toBe(1);
    expect(await inspect(page, "console-leaks-nobody-phone")).toEqual([]);
    await close();
  });

  test("a listening test by keys alone says how likely its answers are guesses", async () => {
    const { page, errors, close } = await desk.open(`/library/leaks?track=${trackId}`);
    await page.getByRole("button", { name: "Can you hear the mark?" }).click();
    const dialog = page.getByRole("dialog", { name: "Can you hear the mark?" });
    await dialog.getByText("1 of 16").waitFor();
    expect(await inspect(page, "console-leaks-test-desktop")).toEqual([]);

    for (let round = 2; round <= 17; round++) {
      await page.keyboard.press("a");
      await page.keyboard.press("x");
      await dialog.getByRole("button", { name: "X", exact: true, pressed: true }).waitFor();
      await page.keyboard.press("1");
      if (round <= 16) await dialog.getByText(`${round} of 16`).waitFor();
    }

    await dialog.getByText(/^\d+ of 16 right\.$/).waitFor();
    await dialog.getByText(/By guessing alone, that or better happens [\d.]+ % of the time/).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("says why a file or an address cannot be looked into", async () => {
    const { page, close } = await desk.open("/library/leaks");

    await page.getByLabel("Address of a file").fill("that site");
    await page.getByRole("button", { name: "Look it up" }).click();
    await page.getByText("Enter an address that begins with https://.").waitFor();
    await page.getByLabel("Address of a file").fill("https://127.0.0.1/song.mp3");
    await page.getByRole("button", { name: "Look it up" }).click();
    await page.getByRole("alert").getByText("This address cannot be used").waitFor();
    await give(page, "words.mp3", Buffer.from("Not a song"));
    await page.getByRole("alert").getByText("This is not a sound that Dubplate can read").waitFor();
    expect(await inspect(page, "console-leaks-refused")).toEqual([]);
    await close();
  });
});
