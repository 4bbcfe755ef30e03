import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { openWindow, type WindowName } from "../pages/browser.ts";
import type { Json } from "../support/app.ts";
import { createProgram } from "../support/process.ts";
import { until } from "./console.ts";
import { songFile } from "./songs.ts";

export const TITLES = ["Night Ferry", "Harbour Lights", "Last Train"];
const EMAIL = "mara@example.com";
const SECONDS = 1;

/** The service as a process of its own, which can be ended and started again at the same address, with an account and three songs. */
export async function createPocketServer(titles: readonly string[]) {
  // Without ffmpeg the files themselves are kept, which are there at once.
  const program = createProgram({ RATE_LIMIT: "0", PATH: "" });
  let server = await program.serve();
  const { address } = server;
  const account = ["--email", EMAIL, "--name", "Mara", "--password", "correct horse battery"];
  await program.run(["account", "create", ...account]);
  const newToken = async () => {
    const { rows } = await program.run(["session", "create", "--email", EMAIL]);
    return String(rows[0]?.token);
  };
  const token = await newToken();

  const call = async (method: string, path: string, body?: object): Promise<Json> => {
    const isForm = body instanceof FormData;
    const response = await fetch(address + path, {
      method,
      headers: {
        cookie: `dubplate_session=${token}`,
        origin: address,
        ...(body && !isForm && { "content-type": "application/json" }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Json;
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const form = new FormData();
  form.append("visible", "true");
  for (const [number, title] of titles.entries())
    form.append("files", songFile({ title, seconds: SECONDS }, number));
  const { uploaded } = await call("POST", "/app/library/tracks/upload", form);
  const trackIds: string[] = uploaded.map(({ id }: { id: string }) => id);
  const listId: string = (await call("POST", "/app/playlists", { name: "Car", trackIds })).id;

  return {
    address,
    dataDir: program.dataDir,
    call,
    newToken,
    trackIds,
    listId,
    /** Opens a window at a path, with a session. */
    open: async (browser: Browser, path: string, name: WindowName = "desktop") => {
      const window = await openWindow(browser, address, name);
      await signIn(window.context, token, address);
      await window.page.goto(path);
      return window;
    },
    end: async () => {
      server.child.kill("SIGTERM");
      await server.child.exited;
    },
    /** Has it take requests and answer none. */
    hold: () => server.child.kill("SIGSTOP"),
    release: () => server.child.kill("SIGCONT"),
    /** Starts it, unless it runs. */
    start: async () => {
      if (server.child.exitCode === null) return;
      server = await program.serve({ PORT: new URL(address).port });
      // A checkout makes the console's files at the first request for them, for longer than the worker waits.
      await fetch(`${address}/library/offline`);
    },
    /** What the database says now. */
    rows: (sql: string): Json[] => {
      const database = new Database(join(program.dataDir, "dubplate.db"), { readonly: true });
      try {
        return database.query(sql).all() as Json[];
      } finally {
        database.close();
      }
    },
    close: program.close,
  };
}

/** Gives a browser a session. */
export const signIn = (context: BrowserContext, token: string, address: string): Promise<void> =>
  context.addCookies([{ name: "dubplate_session", value: token, url: address, httpOnly: true }]);

/** Returns the rows of a store of what the device keeps. */
export const kept = (page: Page, store: string): Promise<Json[]> =>
  page.evaluate(
    (name) =>
      new Promise<Json[]>((resolve, reject) => {
        const opening = indexedDB.open("dubplate-pocket");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const request = opening.result.transaction(name).objectStore(name).getAll();
          request.onsuccess = () => {
            opening.result.close();
            resolve(request.result);
          };
        };
      }),
    store,
  );

/** Puts rows back that were sent. */
export const putBack = (page: Page, rows: readonly Json[]): Promise<void> =>
  page.evaluate(
    (all) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open("dubplate-pocket");
        opening.onsuccess = () => {
          const transaction = opening.result.transaction("outbox", "readwrite");
          for (const row of all) transaction.objectStore("outbox").put(row);
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    rows,
  );

/** Keeps the playlist whose screen shows, and waits until it and the worker are here. */
export async function keepList(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More actions", exact: true }).click();
  await page.getByRole("menuitem", { name: "Keep on this device" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep" }).click();
  const here = async () => (await kept(page, "tracks")).filter(({ sound }) => sound !== null).length;
  await until(here, TITLES.length);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

/** Plays the kept playlist to its end. */
export async function playsAll(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Play Car" }).click();
  for (const title of TITLES) await page.locator(".player .now-title", { hasText: title }).waitFor();
  await page.locator(".player .play-button[aria-label=Play]").waitFor();
}

/** Comments on what plays. */
export async function writeComment(page: Page, text: string): Promise<void> {
  await page.getByRole("button", { name: "Comment" }).click();
  await page.getByRole("textbox", { name: "Comment" }).fill(text);
  await page.getByRole("dialog").getByRole("button", { name: "Keep" }).click();
}

export const says = (page: Page, text: string): Promise<void> =>
  page.getByRole("status").filter({ hasText: text }).waitFor();

/** What the browser's console says of requests to a server that is away. */
export const isRefused = (error: string): boolean => error.includes("ERR_CONNECTION_REFUSED");

/** Returns the controls that a finger can hardly hit. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, a[href]:not(.skip), input, select, [role=row]")].flatMap(
      (element) => {
        const { width, height } = element.getBoundingClientRect();
        if (width === 0 || height >= 44 || !(element as HTMLElement).checkVisibility()) return [];
        return [`${element.getAttribute("aria-label") ?? element.textContent}: ${height}`];
      },
    ),
  );
