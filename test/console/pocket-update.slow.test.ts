import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { BROWSER_PATH, launchBrowser } from "../pages/browser.ts";
import { createProgram } from "../support/process.ts";
import { until } from "./console.ts";
import { createPocketServer, keepList, says, TITLES } from "./pocket-server.ts";

const ROOT = join(import.meta.dir, "../..");
/** What the program is made of; the rest of the checkout it shares. */
const SOURCES = ["src", "db"];
/** A script that comes at once, one that a screen loads later, and the one of the offline document. */
const CHANGED = ["main.tsx", "screens/links/index.tsx", "pocket/offline.tsx"];

let server: Awaited<ReturnType<typeof createPocketServer>>;
let browser: Browser;
let checkout: string;
let newer: ReturnType<typeof createProgram>;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  checkout = mkdtempSync(join(tmpdir(), "dubplate-newer-"));
  for (const name of readdirSync(ROOT))
    if (SOURCES.includes(name)) cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
    else symlinkSync(join(ROOT, name), join(checkout, name));
  for (const file of CHANGED)
    appendFileSync(join(checkout, "src/console/app", file), '\nconsole.debug("newer");\n');
  const command = [process.execPath, join(checkout, "src/main.ts")];
  newer = createProgram({ RATE_LIMIT: "0", PATH: "" }, { command });
  [server, browser] = await Promise.all([createPocketServer(TITLES), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await newer?.close();
  await server?.close();
  if (checkout) rmSync(checkout, { recursive: true });
});

const scriptOf = (page: Page) => page.locator("script[src]").first().getAttribute("src");
const shells = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("dubplate-shell-")));

describe.skipIf(!BROWSER_PATH)("An update while a device is away", () => {
  test("shows the newer console when it is back, and the newer pocket when it is away again", async () => {
    const { page, close } = await server.open(browser, `/library/playlists/${server.listId}`);
    await keepList(page);
    const older = { script: await scriptOf(page), shells: await shells(page) };
    await server.end();
    await page.reload();
    await says(page, "No connection. You can play what is kept here.");
    const olderPocket = await scriptOf(page);
    const missing: string[] = [];
    const documents: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 404) missing.push(response.url());
    });
    page.on("domcontentloaded", () => documents.push(page.url()));

    const program = await newer.serve({ PORT: new URL(server.address).port, DATA_DIR: server.dataDir });
    // A checkout bundles at the first request; a browser that is away does not wait so long.
    await fetch(`${server.address}/library/offline`);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.getByRole("button", { name: "Open the library" }).click();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Links" }).click();
    await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
    expect(await scriptOf(page)).not.toBe(older.script);
    await until(async () => (await shells(page)).length, 1);
    await until(async () => (await shells(page))[0] === older.shells[0], false);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    expect(documents.length).toBe(1);
    expect(missing).toEqual([]);

    program.child.kill("SIGTERM");
    await program.child.exited;
    await page.reload();
    await says(page, "No connection. You can play what is kept here.");
    expect(await scriptOf(page)).not.toBe(olderPocket);
    await close();
  }, 120_000);
});
