import { chromium } from "playwright-core";
import { playlists, playlistTracks, shares } from "../../db/schema.ts";
import { createApp } from "../../src/app.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { newId, newToken } from "../../src/kernel/ids.ts";
import { BROWSER_ARGUMENTS, findBrowser } from "../find-browser.ts";
import { atMost, type Figure, median } from "./figures.ts";
import { addAnalysedTracks, createOwner, openLibraryIn } from "./library.ts";
import { temporaryFolder } from "./processes.ts";

const TRACKS = 200;
const AIM_KB = 150;
const KB = 1024;
const SAMPLES = 15;
const QUICK_SAMPLES = 3;
const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";

/** An empty page: shows the time that the browser itself takes. */
const EMPTY_PAGE = "<!doctype html><html lang=en><title>Empty</title><p>Empty";

/** Measures the page of a playlist of 200 tracks: its size, and how soon Chromium shows it and its buttons work. */
export async function benchPages({ quick }: { quick: boolean }): Promise<Figure[]> {
  const deps = openLibraryIn(temporaryFolder("bench-pages"));
  const path = await sharePlaylist(deps);
  const { front } = createApp({ ...deps, settings: { ...deps.settings, rateLimit: 0 } });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, self) =>
      new URL(request.url).pathname === "/empty"
        ? new Response(EMPTY_PAGE, { headers: { "content-type": "text/html" } })
        : front(request, self.requestIP(request)?.address ?? ""),
  });
  const origin = `http://127.0.0.1:${server.port}`;
  try {
    const sizes = await sizesOf(origin, path);
    const times = await timesOf(origin, path, quick ? QUICK_SAMPLES : SAMPLES);
    return [...sizeFigures(sizes), ...times];
  } finally {
    await server.stop(true);
    deps.db.$client.close();
  }
}

async function sharePlaylist(deps: Deps): Promise<string> {
  const { accountId: ownerId } = await createOwner(deps);
  const trackIds = addAnalysedTracks(deps, ownerId, TRACKS);
  const [id, token, at] = [newId("pl"), newToken(16), deps.now()];
  const playlist = { id, ownerId, name: "Two hundred tracks", createdAt: at, updatedAt: at };
  deps.db.insert(playlists).values(playlist).run();
  for (const [position, trackId] of trackIds.entries())
    deps.db.insert(playlistTracks).values({ playlistId: id, trackId, position, addedAt: at }).run();
  const link = { id: newId("lnk"), ownerId, entity: "playlist" as const, entityId: id, token, createdAt: at };
  deps.db
    .insert(shares)
    .values({ ...link, allowDownload: true, allowComments: true })
    .run();
  return `/playlist/${token}`;
}

type Sizes = { html: number; css: number; js: number };

/** Returns the sizes in bytes as sent to a current browser. */
async function sizesOf(origin: string, path: string): Promise<Sizes> {
  const headers = { "accept-encoding": "br", "user-agent": USER_AGENT };
  const get = async (address: string) => {
    const raw = await fetch(origin + address, { headers, decompress: false });
    return (await raw.bytes()).length;
  };
  const page = await (await fetch(origin + path, { headers: { "user-agent": USER_AGENT } })).text();
  const named = (ending: string) =>
    new RegExp(`"(/assets/main[^"]+\\.${ending}|/assets/player[^"]+\\.${ending})"`).exec(page)?.[1];
  return { html: await get(path), css: await get(named("css") ?? ""), js: await get(named("js") ?? "") };
}

function sizeFigures({ html, css, js }: Sizes): Figure[] {
  const inKb = (bytes: number) => `${(bytes / KB).toFixed(1)} KB`;
  return [
    {
      what: `page of ${TRACKS} tracks, HTML + CSS + JS compressed`,
      figure: inKb(html + css + js),
      yardstick: `${inKb(html)} + ${inKb(css)} + ${inKb(js)}`,
      aim: atMost((html + css + js) / KB, AIM_KB, "KB"),
    },
  ];
}

type Times = { paintMs: number; interactiveMs: number };

/** Returns medians over windows with an empty cache, each beside that of an empty page. */
async function timesOf(origin: string, path: string, samples: number): Promise<Figure[]> {
  const executablePath = findBrowser();
  if (!executablePath) return [{ what: "in Chromium", figure: "no browser; run bun scripts/browser.ts" }];
  const browser = await chromium.launch({ executablePath, args: [...BROWSER_ARGUMENTS] });
  const open = async (address: string): Promise<Times> => {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      userAgent: USER_AGENT,
    });
    const page = await context.newPage();
    await page.goto(address, { waitUntil: "load" });
    const times = (await page.evaluate(READ_TIMES)) as Times;
    await context.close();
    return times;
  };
  const [real, empty]: [Times[], Times[]] = [[], []];
  for (let sample = 0; sample < samples; sample++) {
    empty.push(await open(`${origin}/empty`));
    real.push(await open(origin + path));
  }
  await browser.close();
  const middle = (times: readonly Times[], name: keyof Times) => median(times.map((each) => each[name]));
  const figure = (what: string, name: keyof Times): Figure => ({
    what,
    figure: `${Math.round(middle(real, name))} ms`,
    yardstick: `${Math.round(middle(empty, name))} ms, an empty page`,
  });
  return [
    figure("first contentful paint in Chromium", "paintMs"),
    figure("interactive in Chromium: its script has run", "interactiveMs"),
  ];
}

/** Waits for the paint, which may come after the load event on a busy machine. */
const READ_TIMES = `new Promise((resolve) => {
  const answer = (paintMs) => {
    const [navigation] = performance.getEntriesByType("navigation");
    resolve({ paintMs, interactiveMs: navigation.domContentLoadedEventEnd });
  };
  new PerformanceObserver((list) => {
    const paint = list.getEntriesByName("first-contentful-paint")[0];
    if (paint) answer(paint.startTime);
  }).observe({ type: "paint", buffered: true });
})`;
