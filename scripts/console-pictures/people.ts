import { type Browser, chromium, type Page } from "playwright-core";
import { type Client, call } from "../backup/items.ts";
import { BROWSER_ARGUMENTS, findBrowser } from "../find-browser.ts";

/** Headless browsers name themselves as machines, which are not counted. */
const PERSON =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

type Visit = { fromSec: number; toSec: number };

/** Opens a link as several people at once. Each plays a part of what is there, and leaves. */
export async function visit(url: string, visits: readonly Visit[]): Promise<void> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error("There is no Chromium: bun scripts/browser.ts");
  const browser = await chromium.launch({ executablePath, args: [...BROWSER_ARGUMENTS] });
  await Promise.all(visits.map((part) => listen(browser, url, part)));
  await browser.close();
}

async function listen(browser: Browser, url: string, { fromSec, toSec }: Visit): Promise<void> {
  const context = await browser.newContext({ userAgent: PERSON });
  const page = await context.newPage();
  await page.goto(url);
  const length = page.waitForTimeout(1000 * (toSec - fromSec));
  await page.getByRole("button", { name: "Play", exact: true }).first().click();
  const seek = page.getByRole("slider", { name: /position/i });
  if (fromSec > 0) await seek.fill(String(fromSec));
  while (Number(await seek.inputValue()) < toSec) await page.waitForTimeout(100);
  await page.getByRole("button", { name: "Pause", exact: true }).first().click();
  // A browser without a sound card may play too fast, and nobody hears half a song in two seconds.
  await length;
  await page.getByRole("button", { name: "Play", exact: true }).first().click();
  await page.waitForTimeout(500);
  // Leaving reports how far they got.
  await page.goto("about:blank");
  await context.close();
}

/** Gives a track composers, whose shares add up, and comments. */
export async function annotate(client: Client, trackId: string): Promise<void> {
  const writers = [
    ["Mara Lind", "mara@example.com", 60, "Composer"],
    ["Jonas Weir", "jonas@example.com", 40, "Lyricist"],
  ] as const;
  const shareholders = [];
  for (const [fullName, email, share, role] of writers) {
    const { id } = (await call(client, "POST", "/api/v1/composers", { fullName, email, pro: "STIM" })) as {
      id: string;
    };
    shareholders.push({ shareholderId: id, share, role });
  }
  await call(client, "PUT", `/api/v1/tracks/shareholders?id=${trackId}`, { shareholders });
  for (const [positionSec, text] of [
    [6, "The hats come in a touch early here."],
    [17.5, "This is the place for the vocal."],
  ])
    await call(client, "POST", `/app/tracks/${trackId}/comments`, { text, positionSec });
}

/** Uploads one file that is taken and one that is refused, and leaves one out. */
export async function uploadSome(page: Page, wav: Uint8Array): Promise<void> {
  await page.locator('input[aria-label="Choose files"]').setInputFiles([
    { name: "Late Bus (idea).wav", mimeType: "audio/wav", buffer: Buffer.from(wav) },
    { name: "broken bounce.wav", mimeType: "audio/wav", buffer: Buffer.from("this is no music") },
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") },
  ]);
  const files = page.getByRole("list", { name: "Files" });
  await files
    .getByText(/^Failed: /)
    .first()
    .waitFor();
  await files
    .getByText(/^Done|^Already in the library/)
    .first()
    .waitFor();
}
