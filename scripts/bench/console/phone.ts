import type { Browser, Page } from "playwright-core";
import { atMost, type Figure, median } from "../figures.ts";
import { openConsole, type Place, SLOW } from "./place.ts";

/** What counts as good: web.dev, "Web Vitals" and "First Contentful Paint". */
const FIRST_PAINT_MS = 1800;
const LARGEST_PAINT_MS = 2500;
const NEXT_PAINT_MS = 200;

/** Has the browser keep what it notes of painting and of input, ahead of the page's scripts. */
const NOTING = `
  globalThis.noted = { first: 0, largest: 0, events: [] };
  const note = (type, each, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, ...more });
  note("paint", ({ name, startTime }) => name === "first-contentful-paint" && (noted.first = startTime));
  note("largest-contentful-paint", ({ startTime }) => (noted.largest = startTime));
  note("event", ({ interactionId, startTime, processingStart, duration }) =>
    interactionId > 0 && noted.events.push({ delay: processingStart - startTime, duration }), { durationThreshold: 16 });
`;

type Noted = { first: number; largest: number; events: { delay: number; duration: number }[] };

/** When a slow telephone paints the screens that it opens with, and how soon it answers a finger. */
export async function phone(
  browser: Browser,
  place: Place,
  { quick }: { quick: boolean },
): Promise<Figure[]> {
  const screens = ["/library", "/library/search", `/library/tracks/${place.song.id}`, "/library/playlists"];
  const figures: Figure[] = [];
  for (const screen of screens) {
    const [first, largest]: [number[], number[]] = [[], []];
    for (let sample = 0; sample < (quick ? 1 : 5); sample++) {
      const noted = await onPhone(browser, place, screen, async () => {});
      first.push(noted.first);
      largest.push(noted.largest);
    }
    const ms = median(largest);
    figures.push({
      what: `${screen.replace(place.song.id, ":id")} on a slow phone: first and largest paint`,
      figure: `${median(first).toFixed(0)} and ${ms.toFixed(0)} ms`,
      aim: {
        text: `at most ${FIRST_PAINT_MS} and ${LARGEST_PAINT_MS} ms`,
        isMet: median(first) <= FIRST_PAINT_MS && ms <= LARGEST_PAINT_MS,
      },
    });
  }
  const { events } = await onPhone(browser, place, "/library", (page) => touchEverything(page, place));
  const worst = Math.max(...events.map(({ duration }) => duration));
  figures.push({
    what: `${events.length} touches and keys on a slow phone, the slowest until the next paint`,
    figure: `${worst.toFixed(0)} ms`,
    yardstick: `of it ${Math.max(...events.map(({ delay }) => delay)).toFixed(0)} ms before a script ran`,
    aim: atMost(worst, NEXT_PAINT_MS, "ms"),
  });
  return figures;
}

async function onPhone(
  browser: Browser,
  place: Place,
  path: string,
  use: (page: Page) => Promise<void>,
): Promise<Noted> {
  const { page, close } = await openConsole(browser, place, { slow: SLOW, before: NOTING, isPhone: true });
  await page.goto(path, { waitUntil: "networkidle" });
  await use(page);
  // What is painted is noted after the frame.
  await page.waitForTimeout(500);
  const noted = (await page.evaluate("noted")) as Noted;
  await close();
  return noted;
}

/** What a person does in a minute: looks around, filters, opens the song, plays it, and looks at what comes next. */
async function touchEverything(page: Page, { song }: Place): Promise<void> {
  const button = (name: string | RegExp) => page.getByRole("button", { name }).first();
  await page.getByRole("grid", { name: "Tracks" }).getByRole("link").first().waitFor();
  await button("More").tap();
  await page.keyboard.press("Escape");
  await button(/^More actions for/).tap();
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox", { name: "Filter tracks" }).tap();
  await page.keyboard.type(song.title, { delay: 60 });
  await button(`Play ${song.title}`).tap();
  await page.getByRole("region", { name: "Player" }).waitFor();
  await button("Open the player").tap();
  await page.getByRole("dialog", { name: "Player" }).getByRole("button", { name: "Pause" }).tap();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: song.title }).first().tap();
  await page.getByRole("tab", { name: "Tags" }).tap();
}
