import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { and, count, eq } from "drizzle-orm";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import type { Db } from "../../../db/client.ts";
import { tracks as rows, store } from "../../../db/schema.ts";
import type { Stereo } from "../../../src/demo/dsp/audio.ts";
import { mixPiece } from "../../../src/demo/mix.ts";
import { deepHouse } from "../../../src/demo/pieces/deep-house.ts";
import { encodeWav } from "../../../src/demo/wav.ts";
import { closeLibrary } from "../../../src/library.ts";
import { importFile } from "../../../src/modules/library/tracks/service.ts";
import { beginSession, getAccountByEmail } from "../../../src/modules/people/accounts/service.ts";
import { addAnalysedTracks, createOwner, type Owner, openLibraryIn, untilIdle } from "../library.ts";
import { freePort, spawnDubplate, temporaryFolder } from "../processes.ts";
import { furnishDesk } from "./desk-library.ts";

/** A served library with many tracks, of which the newest is a song that can be heard. */
export type Place = {
  folder: string;
  dataDir: string;
  origin: string;
  /** Of a session. */
  token: string;
  tracks: number;
  song: { id: string; title: string };
  stop: () => Promise<void>;
};

const WHOLE_DESK = { submissions: { Small: 200, Large: 2000 }, composers: 1000, plays: 100_000 };
const QUICK_DESK = { submissions: { Small: 50, Large: 400 }, composers: 100, plays: 2000 };

const TITLE = "Glass Weather";
const FILE = `${TITLE}.wav`;

/**
 * Fills a library with rows of tracks and one real song, and serves it by the program itself. A library that is already in
 * `keepIn` is served as it is.
 */
export async function servePlace(tracks: number, keepIn?: string): Promise<Place> {
  const folder = temporaryFolder("bench-console");
  const dataDir = keepIn ?? join(folder, "data");
  const isNew = !existsSync(join(dataDir, "dubplate.db"));
  const deps = openLibraryIn(dataDir);
  // Nearly all tracks are rows without a file, which a start would take for a disk that is not mounted.
  deps.db.update(store).set({ hasAudio: false }).run();
  const sound = inTheMiddle(mixPiece(deepHouse));
  const owner = isNew ? await createOwner(deps) : undefined;
  if (owner) {
    addAnalysedTracks(deps, owner.accountId, tracks);
    const file = join(folder, FILE);
    writeFileSync(file, encodeWav(sound, []));
    await importFile(deps, owner.accountId, file);
  }
  const account = getAccountByEmail(deps, "bench@example.com");
  if (isNew) await furnishDesk(deps, account.id, tracks < 100_000 ? QUICK_DESK : WHOLE_DESK);
  const found = findSong(deps.db, account.id);
  const { token } = beginSession(deps, account, { ip: "127.0.0.1", userAgent: null });
  closeLibrary(deps);
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "log") });
  await server.healthy();
  if (owner) await addSecondVersion(server.address, owner, found.song.id, sound);
  await untilIdle(dataDir);
  return { folder, dataDir, origin: server.address, token, ...found, stop: server.stop };
}

/** Finds the song by the name of its file, and counts what lies beside it. */
function findSong(db: Db, accountId: string): Pick<Place, "tracks" | "song"> {
  const owned = eq(rows.ownerId, accountId);
  const song = db
    .select({ id: rows.id })
    .from(rows)
    .where(and(owned, eq(rows.name, FILE)))
    .get();
  if (!song) throw new Error(`The library has no ${TITLE}`);
  const tracks = db.select({ count: count() }).from(rows).where(owned).get()?.count ?? 0;
  return { tracks, song: { id: song.id, title: TITLE } };
}

/** The recording that compares versions has one channel. */
function inTheMiddle({ left, right }: Stereo): Stereo {
  const middle = left.map((sample, at) => (sample + (right[at] ?? 0)) / 2);
  return { left: middle, right: middle };
}

/** Adds the song at half its level and turned over: its sign says which of the two versions sounds. */
async function addSecondVersion(
  origin: string,
  { key }: Owner,
  trackId: string,
  { left, right }: Stereo,
): Promise<void> {
  const turned = (samples: Float32Array) => samples.map((sample) => sample / -2);
  const bytes = encodeWav({ left: turned(left), right: turned(right) }, []);
  const form = new FormData();
  form.set("label", "v2");
  form.set("file", new File([bytes as Uint8Array<ArrayBuffer>], "v2.wav"));
  const headers = { "x-api-key": key };
  const answer = await fetch(`${origin}/api/v1/tracks/${trackId}/versions`, {
    method: "POST",
    headers,
    body: form,
  });
  if (!answer.ok) throw new Error(`The second version was not added: ${await answer.text()}`);
}

/** A window of the console. */
export type ConsoleWindow = {
  page: Page;
  context: BrowserContext;
  cdp: CDPSession;
  close: () => Promise<void>;
};

const DESK = { viewport: { width: 1280, height: 860 } };
const PHONE = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
};

/** A slow telephone on a mobile network. */
export const SLOW = { cpu: 4, latencyMs: 40, megabitsPerSecond: 10 };

/** Opens a window with an empty cache. With a token it is signed in. `before` runs ahead of the page's scripts. */
export async function openConsole(
  browser: Browser,
  { origin, token }: { origin: string; token?: string },
  {
    slow,
    before,
    isPhone = false,
  }: {
    slow?: { cpu: number; latencyMs?: number; megabitsPerSecond?: number };
    before?: string;
    isPhone?: boolean;
  } = {},
): Promise<ConsoleWindow> {
  const context = await browser.newContext({ ...(isPhone ? PHONE : DESK), baseURL: origin });
  if (token !== undefined)
    await context.addCookies([
      { name: "dubplate_session", value: token, url: origin, httpOnly: true, sameSite: "Lax" },
    ]);
  const page = await context.newPage();
  if (before !== undefined) await page.addInitScript(before);
  const cdp = await context.newCDPSession(page);
  if (slow) await cdp.send("Emulation.setCPUThrottlingRate", { rate: slow.cpu });
  if (slow?.megabitsPerSecond !== undefined) {
    const throughput = (slow.megabitsPerSecond * 1e6) / 8;
    await cdp.send("Network.enable");
    await cdp.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: slow.latencyMs ?? 0,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
  }
  return { page, context, cdp, close: () => context.close() };
}

/** Waits until an expression of the page is true. The pages' policy refuses the browser driver's own way. */
export const until = (page: Page, expression: string) =>
  page.evaluate(`new Promise((done) => {
    const look = () => ((${expression}) ? done() : requestAnimationFrame(look));
    look();
  })`);

/** Milliseconds since the navigation at which the page has nothing left to do. */
export const settled = (page: Page) =>
  page.evaluate(
    "new Promise((done) => requestIdleCallback(() => requestAnimationFrame(() => done(performance.now()))))",
  ) as Promise<number>;

/** Waits until the Library's rows that are in view have their data. */
export const rowsInView = (page: Page) => page.evaluate(`(${UNTIL_ROWS})()`) as Promise<number>;

/** Source of a function of the page: resolves with the milliseconds until every row in view has its data. */
export const UNTIL_ROWS = `function untilRows() {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const look = () => {
      const grid = document.querySelector('[role="grid"]');
      const box = grid?.getBoundingClientRect();
      // Rows go on under the head, where they cannot be seen, and none are read.
      const headEnd = grid?.querySelector(".grid-head")?.getBoundingClientRect().bottom;
      const inView = [...(grid?.querySelectorAll("[data-index]") ?? [])].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > headEnd && top < box.bottom;
      });
      if (inView.length > 5 && inView.every((row) => row.querySelector("a"))) resolve(performance.now() - startedAt);
      else if (performance.now() - startedAt > 20000) reject(new Error("No rows after 20 seconds"));
      else requestAnimationFrame(look);
    };
    look();
  });
}`;
