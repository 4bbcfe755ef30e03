/**
 * Measures the document for times without a connection, in a browser, with the server ended: from a tap to sound with files of 10 MB, how much memory
 * fifty of them leave behind, and from a cold start to sound on a slow processor.
 *
 *     bun scripts/pocket-away.ts
 */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { createPocketServer, keepList, says, TITLES } from "../test/console/pocket-server.ts";
import { launchBrowser } from "../test/pages/browser.ts";

const TRACKS = 50;
const BYTES = 10_000_000;
const RATE_HZ = 16_000;
const STARTS = 7;
const SLOWED = 4;
const MB = 1e6;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const ms = (values: readonly number[]): string =>
  `median ${median(values).toFixed(0)} ms, slowest ${Math.max(...values).toFixed(0)} ms of ${values.length}`;

const grown = (from: number, to: number) =>
  `${((to - from) / MB).toFixed(1)} MB more (${(to / MB).toFixed(0)} MB)`;

const server = await createPocketServer(TITLES);
const browser = await launchBrowser("--autoplay-policy=no-user-gesture-required");
try {
  const { page } = await server.open(browser, `/library/playlists/${server.listId}`, "phone");
  await keepList(page);
  // All rows are drawn.
  await page.setViewportSize({ width: 360, height: 5000 });
  // Where no console brings what is kept up to date meanwhile.
  await page.goto(`${server.address}/health`);
  await addLargeTracks(page);
  await watchAudio(page);
  await page.goto("about:blank");
  await server.end();

  await page.goto(`${server.address}/library`);
  await says(page, "No connection. You can play what is kept here.");
  await tapToSound(page, 0);
  const before = await memory(browser, page);
  const taps: number[] = [];
  for (let at = 1; at <= TRACKS; at++) taps.push(await tapToSound(page, at % TRACKS));
  const after = await memory(browser, page);
  console.log(`Tap to sound, files of 10 MB: ${ms(taps)}`);
  console.log(`After ${TRACKS} of them: script memory ${grown(before.heap, after.heap)}`);
  console.log(
    `After ${TRACKS} of them: resident memory of all processes ${grown(before.resident, after.resident)}`,
  );

  const starts: number[] = [];
  for (let at = 0; at < STARTS; at++) starts.push(await coldStart(page));
  console.log(`Cold start to sound, processor slowed ${SLOWED} times: ${ms(starts)}`);
} finally {
  await browser.close();
  await server.close();
}

/** Adds tracks to what is kept, beside those of the server: no analysis of them is needed. */
function addLargeTracks(page: Page): Promise<void> {
  return page.evaluate(
    async ({ tracks, bytes, rateHz }) => {
      const file = new DataView(new ArrayBuffer(bytes));
      const text = (at: number, words: string) => {
        for (const [index, letter] of [...words].entries()) file.setUint8(at + index, letter.charCodeAt(0));
      };
      text(0, "RIFF");
      file.setUint32(4, bytes - 8, true);
      text(8, "WAVEfmt ");
      file.setUint32(16, 16, true);
      file.setUint16(20, 1, true);
      file.setUint16(22, 1, true);
      file.setUint32(24, rateHz, true);
      file.setUint32(28, 2 * rateHz, true);
      file.setUint16(32, 2, true);
      file.setUint16(34, 16, true);
      text(36, "data");
      file.setUint32(40, bytes - 44, true);
      const cache = await caches.open("dubplate-pocket-audio");
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open("dubplate-pocket");
        opening.onsuccess = () => resolve(opening.result);
      });
      const read = database.transaction("tracks").objectStore("tracks").getAll();
      await new Promise((resolve) => {
        read.onsuccess = resolve;
      });
      const [like] = read.result;
      for (let at = 0; at < tracks; at++) {
        file.setInt16(44, at, true);
        const path = `${like.sound.path}-${at}`;
        await cache.put(path, new Response(file.buffer, { headers: { "content-type": "audio/wav" } }));
        const title = `Zz ${String(at).padStart(2, "0")}`;
        const sound = { ...like.sound, path, versionId: `ver_${at}`, sizeBytes: bytes };
        const row = { ...like, key: `${like.key}-${at}`, trackId: `trk_${at}`, title, sound };
        database.transaction("tracks", "readwrite").objectStore("tracks").put(row);
      }
      database.close();
    },
    { tracks: TRACKS, bytes: BYTES, rateHz: RATE_HZ },
  );
}

/** Notes when the player's element begins to sound, in every document from now on. */
async function watchAudio(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function () {
      this.onplaying = () => dispatchEvent(new Event("sounds"));
      return play.call(this);
    };
  });
}

async function tapToSound(page: Page, at: number): Promise<number> {
  const row = page.getByRole("row", { name: `Zz ${String(at).padStart(2, "0")}` });
  return row.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        const from = performance.now();
        addEventListener("sounds", () => resolve(performance.now() - from), { once: true });
        (element as HTMLElement).click();
      }),
  );
}

async function memory(from: Browser, page: Page): Promise<{ heap: number; resident: number }> {
  const own = await page.context().newCDPSession(page);
  await own.send("HeapProfiler.collectGarbage");
  const { usedSize } = await own.send("Runtime.getHeapUsage");
  const whole = await from.newBrowserCDPSession();
  const { processInfo } = await whole.send("SystemInfo.getProcessInfo");
  const resident = processInfo.map(({ id }) => {
    const [, kilobytes = "0"] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8")) ?? [];
    return 1024 * Number(kilobytes);
  });
  return { heap: usedSize, resident: resident.reduce((sum, each) => sum + each, 0) };
}

/** From the address to sound, with no worker running, pressing the first row as soon as it shows. */
async function coldStart(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await page.goto("about:blank");
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });
  await page.goto(`${server.address}/library`, { waitUntil: "commit" });
  const took = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        addEventListener("sounds", () => resolve(performance.now()), { once: true });
        const look = () => {
          const row = document.querySelector<HTMLElement>("[role=row]");
          if (row) row.click();
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await session.detach();
  return took;
}
