import { chromium } from "playwright-core";
import { BROWSER_ARGUMENTS, findBrowser } from "../find-browser.ts";
import { servePlace } from "./console/place.ts";
import { sizeFigures, sizesOf } from "./console/sizes.ts";
import { switching, tapToSound, zooming } from "./console/sound.ts";
import { atRest, interactive, jumping, scrolling } from "./console/table.ts";
import { dropping, searching } from "./console/work.ts";
import type { Figure } from "./figures.ts";

/** The console's figures in Chromium, on a library of 100,000 tracks, beside their budgets. */
export async function benchConsole({ quick }: { quick: boolean }): Promise<Figure[]> {
  const executablePath = findBrowser();
  if (!executablePath) return [{ what: "in Chromium", figure: "no browser; run bun scripts/browser.ts" }];
  const place = await servePlace(quick ? 5000 : 100_000);
  const args = [...BROWSER_ARGUMENTS, "--autoplay-policy=no-user-gesture-required"];
  const browser = await chromium.launch({ executablePath, args });
  try {
    return [
      ...sizeFigures(await sizesOf(browser, place, screensOf(place.song.id))),
      ...(await interactive(browser, place, quick ? 1 : 5)),
      ...(await scrolling(browser, place, { quick })),
      ...(await jumping(browser, place, quick ? 5 : 30)),
      await searching(browser, place),
      await tapToSound(browser, place, quick ? 2 : 9),
      ...(await switching(browser, place)),
      await zooming(browser, place),
      ...(await atRest(browser, place, { quick })),
      ...(await dropping(browser, place, { quick })),
    ];
  } finally {
    await browser.close();
    await place.stop();
  }
}

const screensOf = (trackId: string) => [
  "/library/search",
  `/library/tracks/${trackId}`,
  "/library/playlists",
  "/library/links",
  "/library/uploads",
  "/library/deleted",
  "/library/welcome",
];
