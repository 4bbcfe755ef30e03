import type { Browser, Page } from "playwright-core";
import { atMost, type Figure, median } from "../figures.ts";
import { openConsole, type Place, SLOW, settled } from "./place.ts";

const INTERACTIVE_MS = 2000;
const FRAME_MS = 100;
const STEPS = 40;

/** A screen of the desk: what shows that it is there, and what a person does with it. */
type Screen = {
  name: string;
  path: string;
  ready: (page: Page) => Promise<unknown>;
  work: (page: Page) => Promise<unknown>;
};

/** Rows of the bench have no sound. */
const SILENT = `localStorage.setItem("dubplate.console.inbox-plays", "false")`;

/** How soon each screen of the desk can be used on a slow machine and line, and its longest frame in use. */
export async function desk(browser: Browser, place: Place, { quick }: { quick: boolean }): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const screen of await screensOf(place)) {
    const times: number[] = [];
    let requests = 0;
    for (let sample = 0; sample < (quick ? 1 : 5); sample++) {
      const { page, close } = await openConsole(browser, place, { slow: SLOW, before: SILENT });
      requests = 0;
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith("/app/") && pathname !== "/app/events") requests++;
      });
      await page.goto(screen.path, { waitUntil: "commit" });
      await screen.ready(page);
      times.push(await settled(page));
      await close();
    }
    const { page, close } = await openConsole(browser, place, { before: SILENT });
    await page.goto(screen.path);
    await screen.ready(page);
    await page.waitForLoadState("networkidle");
    await page.evaluate(WATCH_FRAMES);
    await screen.work(page);
    const frames = (await page.evaluate("window.frames")) as number[];
    await close();
    const [ms, longest] = [median(times), Math.max(...frames)];
    figures.push(
      {
        what: `${screen.name}, interactive, slowed`,
        figure: `${ms.toFixed(0)} ms`,
        yardstick: `${requests} requests beside the document`,
        aim: atMost(ms, INTERACTIVE_MS, "ms"),
      },
      {
        what: `${screen.name}, longest frame in use`,
        figure: `${longest.toFixed(0)} ms`,
        yardstick: `median ${median(frames).toFixed(0)} ms of ${frames.length}`,
        aim: atMost(longest, FRAME_MS, "ms"),
      },
    );
  }
  return figures;
}

const WATCH_FRAMES = `{
  let before = performance.now();
  window.frames = [];
  const look = (now) => { window.frames.push(now - before); before = now; requestAnimationFrame(look); };
  requestAnimationFrame((now) => { before = now; requestAnimationFrame(look); });
}`;

async function screensOf(place: Place): Promise<Screen[]> {
  const briefs = await readBriefs(place);
  const item = (page: Page) => page.getByRole("article").waitFor();
  const bySize = briefs.toSorted((one, other) => one.submissionCount - other.submissionCount);
  const inboxes = bySize.map(
    ({ id, submissionCount }): Screen => ({
      name: `Inbox of ${submissionCount}`,
      path: `/library/inbox?brief=${id}&state=all`,
      ready: item,
      work: async (page) => {
        await pressing(page, "j");
        await scrolling(page);
      },
    }),
  );
  const songs = (page: Page) => page.getByRole("list", { name: "Goes out" }).getByRole("link").first();
  return [
    ...inboxes,
    {
      name: `Shortlist of ${bySize[0]?.submissionCount}`,
      path: `/library/briefs/${bySize[0]?.id}`,
      ready: (page) => songs(page).waitFor(),
      work: async (page) => {
        await songs(page).focus();
        await pressing(page, "Alt+ArrowDown");
        await scrolling(page);
      },
    },
    {
      name: "Composers",
      path: "/library/composers",
      ready: (page) => page.getByRole("table", { name: "Composers" }).getByRole("link").first().waitFor(),
      work: scrolling,
    },
    {
      name: "Insights",
      path: "/library/insights?range=90",
      ready: (page) => page.getByRole("table", { name: "Top tracks" }).waitFor(),
      work: async (page) => {
        await page.getByRole("radio", { name: "30 days" }).check();
        await page.waitForLoadState("networkidle");
        await scrolling(page);
      },
    },
  ];
}

/** Shortlists everything in the smallest brief, and returns the briefs. */
async function readBriefs({ origin, token }: Place): Promise<{ id: string; submissionCount: number }[]> {
  const headers = { cookie: `dubplate_session=${token}`, origin, "content-type": "application/json" };
  const read = async (path: string) => {
    const answer = (await (await fetch(`${origin}${path}`, { headers })).json()) as { data: unknown };
    return answer.data;
  };
  const briefs = (await read("/app/briefs")) as { id: string; submissionCount: number }[];
  const smallest = briefs.toSorted((one, other) => one.submissionCount - other.submissionCount)[0]?.id;
  const items = (await read(`/app/inbox?briefId=${smallest}&state=new&limit=200`)) as { id: string }[];
  for (const { id } of items) {
    const body = JSON.stringify({ state: "shortlisted" });
    await fetch(`${origin}/app/submissions/${id}`, { method: "PATCH", headers, body });
  }
  return briefs;
}

async function pressing(page: Page, key: string): Promise<void> {
  for (let step = 0; step < STEPS; step++) await page.keyboard.press(key);
}

/** Scrolls through the whole screen by 120 pixels a frame. */
async function scrolling(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const box = document.querySelector(".main");
    let left = 300;
    const step = () => {
      box.scrollTop += 120;
      if (left-- > 0 && box.scrollTop + box.clientHeight < box.scrollHeight - 1) requestAnimationFrame(step);
      else done();
    };
    requestAnimationFrame(step);
  })`);
}
