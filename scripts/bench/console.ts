import { type Browser, chromium } from "playwright-core";
import { BROWSER_ARGUMENTS, findBrowser } from "../find-browser.ts";
import { desk } from "./console/desk.ts";
import { phone } from "./console/phone.ts";
import { type Place, servePlace } from "./console/place.ts";
import { sizeFigures, sizesOf } from "./console/sizes.ts";
import { switching, tapToSound, zooming } from "./console/sound.ts";
import { atRest, interactive, jumping, scrolling } from "./console/table.ts";
import { thread } from "./console/thread.ts";
import { dropping, searching } from "./console/work.ts";
import type { Figure } from "./figures.ts";

type Part = (browser: Browser, place: Place, options: { quick: boolean }) => Promise<Figure[]>;

/** What is measured, in order. */
const PARTS: Readonly<Record<string, Part>> = {
  sizes: async (browser, place) => sizeFigures(await sizesOf(browser, place, screensOf(place.song.id))),
  interactive: (browser, place, { quick }) => interactive(browser, place, quick ? 1 : 5),
  scroll: scrolling,
  jump: (browser, place, { quick }) => jumping(browser, place, quick ? 5 : 30),
  search: async (browser, place) => [await searching(browser, place)],
  tap: async (browser, place, { quick }) => [await tapToSound(browser, place, quick ? 2 : 9)],
  compare: switching,
  zoom: async (browser, place) => [await zooming(browser, place)],
  thread,
  rest: atRest,
  drop: dropping,
  desk,
  phone,
};

type ConsoleOptions = { quick: boolean; data: string | undefined; part: readonly string[] };

/**
 * The console's figures in Chromium, on a library of 100,000 tracks, beside their budgets. `data` keeps the library for
 * another run; `part` measures only these.
 */
export async function benchConsole({ quick, data, part }: ConsoleOptions): Promise<Figure[]> {
  const unknown = part.filter((name) => !PARTS[name]);
  if (unknown.length > 0) throw new Error(`unknown part ${unknown}: ${Object.keys(PARTS).join(", ")}`);
  const executablePath = findBrowser();
  if (!executablePath) return [{ what: "in Chromium", figure: "no browser; run bun scripts/browser.ts" }];
  const place = await servePlace(quick ? 5000 : 100_000, data);
  const args = [...BROWSER_ARGUMENTS, "--autoplay-policy=no-user-gesture-required"];
  const browser = await chromium.launch({ executablePath, args });
  const figures: Figure[] = [];
  try {
    for (const [name, measure] of Object.entries(PARTS))
      if (part.length === 0 || part.includes(name))
        figures.push(...(await measure(browser, place, { quick })));
    return figures;
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
  "/library/inbox",
  "/library/briefs",
  "/library/composers",
  "/library/insights",
  ...["profile", "brand", "security", "keys", "assistants", "webhooks", "server"].map(
    (name) => `/library/settings/${name}`,
  ),
];
