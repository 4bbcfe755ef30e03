import type { Browser } from "playwright-core";
import { atMost, type Figure, median } from "../figures.ts";
import { openConsole, type Place } from "./place.ts";

const SEARCH_MS = 50;
const LIST_MS = 500;
const FRAME_MS = 100;
const FILES = 1000;
const SEARCHES = [
  "dark and driving, around 120 bpm",
  "calm piano",
  "warm and slow",
  "fast techno",
  "happy pop",
];

/** From Enter to the frame that shows results, less the time of the server; both measured in the page. */
export async function searching(browser: Browser, place: Place): Promise<Figure> {
  const { page, close } = await openConsole(browser, place);
  const field = page.getByRole("textbox", { name: "Describe the music" });
  const [more, servers]: [number[], number[]] = [[], []];
  for (const query of SEARCHES) {
    await page.goto("/library/search");
    await field.fill(query);
    await page.evaluate(WATCH_ANSWER);
    await field.press("Enter");
    const { wholeMs, serverMs } = (await page.evaluate("window.answer")) as {
      wholeMs: number;
      serverMs: number;
    };
    servers.push(serverMs);
    more.push(wholeMs - serverMs);
  }
  await close();
  const ms = median(more);
  return {
    what: "search, Enter to rows, beside the server's time",
    figure: `${ms.toFixed(0)} ms`,
    yardstick: `server ${median(servers).toFixed(0)} ms`,
    aim: atMost(ms, SEARCH_MS, "ms"),
  };
}

const WATCH_ANSWER = `window.answer = new Promise((done) => {
  let startedAt;
  addEventListener("keydown", () => { startedAt ??= performance.now(); }, true);
  const look = () => {
    const isShown = document.querySelector('[role="grid"][aria-label="Results"] a');
    const [search] = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/tracks/search"));
    if (startedAt === undefined || !isShown || !search) return requestAnimationFrame(look);
    done({ wholeMs: performance.now() - startedAt, serverMs: search.responseEnd - search.requestStart });
  };
  look();
}); 0`;

/** A thousand files at once: when they are listed, and the longest frame while they are sent. */
export async function dropping(
  browser: Browser,
  place: Place,
  { quick }: { quick: boolean },
): Promise<Figure[]> {
  const count = quick ? 100 : FILES;
  const { page, close } = await openConsole(browser, place);
  await page.goto("/library/uploads");
  const input = page.getByLabel("Choose files").first();
  await page.evaluate(`addEventListener("change", () => {
    window.chosenAt = performance.now();
    let before = window.chosenAt;
    window.frames = [];
    const look = (now) => { window.frames.push(now - before); before = now; requestAnimationFrame(look); };
    requestAnimationFrame(look);
  }, true)`);
  await input.setInputFiles(
    Array.from({ length: count }, (_, index) => ({
      name: `take ${index}.wav`,
      mimeType: "audio/wav",
      buffer: Buffer.from(tinyWav(index)),
    })),
  );
  const listMs = (await page.evaluate(`new Promise((done) => {
    const look = () => {
      const listed = document.querySelectorAll('[aria-label="Files"] [role="listitem"], [aria-label="Files"] li').length;
      if (listed > 0) done(performance.now() - window.chosenAt);
      else requestAnimationFrame(look);
    };
    look();
  })`)) as number;
  await page.getByText(`${count} of ${count} uploaded`).first().waitFor({ timeout: 300_000 });
  const [frames, allMs] = (await page.evaluate(
    "[window.frames.slice(10), performance.now() - window.chosenAt]",
  )) as [number[], number];
  await close();
  const longest = Math.max(...frames);
  return [
    {
      what: `${count} files chosen, listed`,
      figure: `${listMs.toFixed(0)} ms`,
      yardstick: `all arrived after ${(allMs / 1000).toFixed(1)} s`,
      aim: atMost(listMs, LIST_MS, "ms"),
    },
    {
      what: "longest frame while they are sent",
      figure: `${longest.toFixed(0)} ms`,
      yardstick: `median ${median(frames).toFixed(0)} ms`,
      aim: atMost(longest, FRAME_MS, "ms"),
    },
  ];
}

/** A WAV file of 50 ms, each with other bytes. 8 kHz, 16 bit, mono. */
function tinyWav(seed: number): Uint8Array {
  const samples = 400;
  const bytes = new Uint8Array(44 + 2 * samples);
  const view = new DataView(bytes.buffer);
  const text = (at: number, word: string) => bytes.set(new TextEncoder().encode(word), at);
  text(0, "RIFF");
  view.setUint32(4, 36 + 2 * samples, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 8000, true);
  view.setUint32(28, 16_000, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, 2 * samples, true);
  for (let i = 0; i < samples; i++)
    view.setInt16(44 + 2 * i, 8000 * Math.sin(i * (0.05 + seed * 1e-4)), true);
  return bytes;
}
