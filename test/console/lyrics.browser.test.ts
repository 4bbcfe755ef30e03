import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH, inspect, openWindow } from "../pages/browser.ts";
import { createConsole, until } from "./console.ts";
import { addSongs, PERSON } from "./songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let api: ReturnType<typeof desk.as>;
let trackId: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  api = desk.as(desk.createKey(desk.account.accountId));
  [trackId = ""] = await addSongs(desk, [{ title: "Night Ferry", artist: "The Lowlands", seconds: 12 }]);
});
afterAll(() => desk?.close());

const lines = async () => (await api("GET", `/tracks/${trackId}/lyrics`)).body.data.lines;
const timesAreAscending = async () => {
  const times: number[] = (await lines()).map(({ atMs }: { atMs: number | null }) => atMs ?? -1);
  return (
    times.filter((atMs) => atMs > 0).length === 2 &&
    times.every((at, i) => i === 0 || at >= (times[i - 1] ?? 0))
  );
};

describe.skipIf(!BROWSER_PATH)("lyrics", () => {
  test("are typed, tapped to the music, corrected, and run along on the page of a link", async () => {
    const { page, context, errors, close } = await desk.open(`/library/tracks/${trackId}?tab=lyrics`);
    const words = page.getByRole("textbox", { name: "Words" });
    await words.fill("We left the harbour\nat dawn");
    await words.blur();
    await page.getByRole("radio", { name: "Times" }).click();
    const list = page.getByRole("listbox", { name: "Lines and their times" });
    await list.getByRole("option").first().waitFor();
    await page.getByRole("button", { name: "Play", exact: true }).first().click();
    const playedSec = () => page.evaluate<number>("document.querySelector('.wave-slider').value * 1");
    await until(async () => (await playedSec()) > 0.3, true);
    await list.focus();
    await page.keyboard.press("Enter");
    await until(async () => (await playedSec()) > 1, true);
    await page.getByRole("button", { name: "Tap" }).click();
    await until(timesAreAscending, true);
    await page.getByRole("status").getByText("Saved").waitFor();
    expect(await inspect(page, "console-lyrics-times-desktop")).toEqual([]);

    const before = (await lines())[1].atMs;
    await list.focus();
    await page.keyboard.press("End");
    await page.keyboard.press(".");
    await until(async () => (await lines())[1].atMs, before + 50);
    await api("PUT", `/tracks/${trackId}/lyrics`, { lyrics: "We left the harbour\nat dusk" });
    await list.getByText("at dusk").waitFor();
    expect((await lines())[1].atMs).toBe(before + 50);
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Import…" }).click();
    const lrc = {
      name: "ferry.lrc",
      mimeType: "text/plain",
      buffer: Buffer.from("[00:00.50]Ahoy\n[00:02.00]Land"),
    };
    await (await chosen).setFiles(lrc);
    await list.getByText("0:02.00").waitFor();
    expect(errors).toEqual([]);
    await context.close();
    await close();

    const made = await desk.signedIn(desk.account.token)("POST", "/app/shares", {
      trackId,
      showLyrics: true,
    });
    const visitor = await openWindow(desk.browser, desk.origin, "phone", { userAgent: PERSON });
    await visitor.page.goto(made.body.data.url);
    await visitor.page.getByText("Land", { exact: true }).click();
    const current = () =>
      visitor.page.evaluate<string | undefined>(
        "document.querySelector('.lyric[aria-current]')?.textContent",
      );
    await until(current, "Land");
    expect(await inspect(visitor.page, "link-lyrics-phone")).toEqual([]);
    expect(visitor.errors).toEqual([]);
    await visitor.close();
  });
});
