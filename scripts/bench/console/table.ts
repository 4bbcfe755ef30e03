import type { Browser, CDPSession, Page } from "playwright-core";
import { atMost, type Figure, median } from "../figures.ts";
import { openConsole, type Place, rowsInView, SLOW, settled, UNTIL_ROWS } from "./place.ts";
import { serveYardstick } from "./virtual-core.ts";

const INTERACTIVE_MS = 2000;
const JUMP_MS = 300;
const REST_MS = 300;
const HEAP_MB = 60;
const KB = 1024;
/** Later than this, a frame of 60 per second was missed. */
const LATE_MS = 25;

/** How soon the Library can be used on a slow machine and line, beside the sign-in page. */
export async function interactive(browser: Browser, place: Place, samples: number): Promise<Figure[]> {
  const times: number[] = [];
  const plain: number[] = [];
  const asked: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const signedOut = await openConsole(browser, { origin: place.origin }, { slow: SLOW });
    await signedOut.page.goto("/signin");
    plain.push(await settled(signedOut.page));
    await signedOut.close();

    const { page, close } = await openConsole(browser, place, { slow: SLOW });
    let requests = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/app/tracks") requests++;
    });
    await page.goto("/library", { waitUntil: "commit" });
    await page.getByRole("grid", { name: "Tracks" }).waitFor();
    await rowsInView(page);
    asked.push(requests);
    times.push(await settled(page));
    await close();
  }
  const ms = median(times);
  return [
    {
      what: `interactive: CPU slowed ${SLOW.cpu} times, ${SLOW.latencyMs} ms, ${SLOW.megabitsPerSecond} Mbit/s`,
      figure: `${ms.toFixed(0)} ms`,
      yardstick: `sign-in page ${median(plain).toFixed(0)} ms`,
      aim: atMost(ms, INTERACTIVE_MS, "ms"),
    },
    {
      what: "requests for rows before the first ones are seen",
      figure: String(Math.max(...asked)),
      aim: atMost(Math.max(...asked), 0, "beside the document"),
    },
  ];
}

/** Scrolling and jumping in the whole list, slowed, beside virtual-core in a page of the same rows. */
export async function scrolling(
  browser: Browser,
  place: Place,
  { quick }: { quick: boolean },
): Promise<Figure[]> {
  const frames = quick ? 120 : 600;
  const slow = { cpu: SLOW.cpu };
  const yardstick = await serveYardstick(place.tracks);
  const other = await openConsole(browser, { origin: yardstick.origin }, { slow });
  await other.page.goto("/");
  const theirs = await lateFrames(other.page, frames);
  await other.close();
  await yardstick.stop();

  const { page, close } = await openConsole(browser, place, { slow });
  await page.goto("/library");
  await rowsInView(page);
  const ours = await lateFrames(page, frames);
  const rests: number[] = [];
  for (let turn = 0; turn < (quick ? 3 : 10); turn++) {
    await lateFrames(page, 30);
    rests.push(await rowsInView(page));
  }
  await close();
  const restMs = Math.max(...rests);
  return [
    {
      what: `late of ${frames} frames while ${place.tracks} rows scroll, slowed`,
      figure: String(ours),
      yardstick: `virtual-core ${theirs}`,
      aim: atMost(ours, theirs, "as virtual-core"),
    },
    {
      what: "rows in view without data after scrolling, slowed, longest",
      figure: `${restMs.toFixed(0)} ms`,
      aim: atMost(restMs, REST_MS, "ms"),
    },
  ];
}

/** Scrolls by 120 pixels a frame. Returns how many frames came late. */
const lateFrames = (page: Page, frames: number) =>
  page.evaluate(`new Promise((done) => {
    const box = [...document.querySelectorAll('[role="grid"]')].find((each) => each.scrollHeight > each.clientHeight);
    let [left, late, before] = [${frames}, 0, performance.now()];
    const step = (now) => {
      if (now - before > ${LATE_MS}) late++;
      before = now;
      box.scrollTop += 120;
      if (left-- > 0) requestAnimationFrame(step);
      else done(late);
    };
    requestAnimationFrame(step);
  })`) as Promise<number>;

/** Jumps to places anywhere in the list: the time until all rows in view are there, and the requests that it took. */
export async function jumping(browser: Browser, place: Place, jumps: number): Promise<Figure[]> {
  const { page, close } = await openConsole(browser, place);
  await page.goto("/library");
  await rowsInView(page);
  let requests = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/app/tracks") requests++;
  });
  const [times, asked]: [number[], number[]] = [[], []];
  for (let jump = 1; jump <= jumps; jump++) {
    const before = requests;
    const share = (jump * 0.618) % 1;
    times.push(
      (await page.evaluate(`(() => {
        const box = document.querySelector('[role="grid"]');
        box.scrollTop = ${share} * (box.scrollHeight - box.clientHeight);
        return new Promise(requestAnimationFrame).then(() => (${UNTIL_ROWS})());
      })()`)) as number,
    );
    asked.push(requests - before);
  }
  await close();
  const [ms, most] = [Math.max(...times), Math.max(...asked)];
  return [
    {
      what: `jump anywhere in ${place.tracks} rows, slowest of ${jumps}`,
      figure: `${ms.toFixed(0)} ms`,
      yardstick: `median ${median(times).toFixed(0)} ms`,
      aim: atMost(ms, JUMP_MS, "ms"),
    },
    { what: "requests of a jump, most", figure: String(most), aim: atMost(most, 2, "requests") },
  ];
}

/** The heap after much scrolling, and the requests of a window left alone. */
export async function atRest(
  browser: Browser,
  place: Place,
  { quick }: { quick: boolean },
): Promise<Figure[]> {
  const { page, cdp, close } = await openConsole(browser, place);
  await page.goto("/library");
  await rowsInView(page);
  const before = await heapMb(cdp);
  // An hour of a person's scrolling is some 200 screens.
  for (let turn = 0; turn < (quick ? 10 : 200); turn++)
    await page.evaluate(`(() => {
      const box = document.querySelector('[role="grid"]');
      box.scrollTop = ${(turn * 0.618) % 1} * box.scrollHeight;
      return new Promise(requestAnimationFrame).then(() => (${UNTIL_ROWS})());
    })()`);
  const after = await heapMb(cdp);
  let requests = 0;
  page.on("request", () => requests++);
  await Bun.sleep(quick ? 3000 : 15_000);
  await close();
  return [
    {
      what: "heap after scrolling through the whole list",
      figure: `${after.toFixed(1)} MB`,
      yardstick: `${before.toFixed(1)} MB before`,
      aim: atMost(after, HEAP_MB, "MB"),
    },
    { what: "requests while idle", figure: String(requests), aim: atMost(requests, 0, "requests") },
  ];
}

async function heapMb(cdp: CDPSession): Promise<number> {
  await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  return usedSize / KB / KB;
}
