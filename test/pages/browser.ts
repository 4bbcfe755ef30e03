import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { BROWSER_ARGUMENTS, findBrowser, TEST_BROWSER_ARGUMENTS } from "../../scripts/find-browser.ts";
import type { Front } from "../../src/http/front/front.ts";
import type { Settings } from "../../src/kernel/settings.ts";
import { createRememberingPool } from "../support/analysed-once.ts";
import { createTestApp } from "../support/app.ts";

/** Path of the browser. If undefined, tests in a browser are skipped. */
export const BROWSER_PATH = findBrowser();
if (!BROWSER_PATH)
  console.error("No Chromium: the tests in a browser are skipped (bun scripts/browser.ts says more)");

/** Folder for pictures of every page, for people who look at them: `PICTURES_TO=FOLDER bun test test/console`. */
export const PICTURES = process.env.PICTURES_TO;

/** axe-core, minified: a page parses it in a third of the time. */
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
/** A rule's passes would take longer to describe than the page takes to check. */
const EVERY_RULE = { resultTypes: ["violations"] };
const OF_COLOUR = {
  ...EVERY_RULE,
  runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
};

/** How long to wait for what should be on a page: longer than the default, for slow machines. */
const PATIENCE_MS = 50_000;

/** The two window sizes that pages are tested in. */
export const WINDOWS = {
  desktop: { viewport: { width: 1280, height: 860 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
} as const;
export type WindowName = keyof typeof WINDOWS;

/** Starts the whole service on a real port, for a browser. Some settings name the port. */
export async function createServedApp(
  settings: Partial<Settings> | ((port: number) => Partial<Settings>) = {},
  ffmpegPath?: string,
  setupCode?: string,
) {
  let front: Front | undefined;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    // As the program has it: making demo tracks takes longer than the default.
    idleTimeout: 255,
    fetch: (request, self): Response | Promise<Response> =>
      front?.(request, "127.0.0.1", self) ?? new Response(null, { status: 503 }),
  });
  const app = await createTestApp({
    settings: {
      ...(typeof settings === "function" ? settings(server.port ?? 0) : settings),
      port: server.port ?? 0,
    },
    analysing: createRememberingPool(),
    ...(setupCode !== undefined && { setupCode }),
    ...(ffmpegPath !== undefined && { ffmpegPath }),
  });
  front = app.app.front;
  return {
    ...app,
    origin: `http://127.0.0.1:${server.port}`,
    /** From now on nobody answers. */
    end: () => server.stop(true),
    close: async () => {
      await server.stop(true);
      await app.close();
    },
  };
}

/**
 * Starts a browser, or connects to the one that `scripts/tests.ts` lends to all files of this worker. Either way, what
 * was opened in it ends with `close`.
 */
export async function startBrowser(...more: string[]): Promise<Browser> {
  const { TEST_BROWSERS: lender, BUN_TEST_WORKER_ID: worker = "" } = process.env;
  if (lender) {
    const lent = await fetch(`${lender}/${worker}?${more.map(encodeURIComponent).join("&")}`);
    if (lent.ok) return chromium.connectOverCDP(await lent.text());
  }
  return launchBrowser(...more);
}

/** Starts a browser for one file of tests: one that is lent takes large files byte by byte, which can take a minute. */
export function launchBrowser(...more: string[]): Promise<Browser> {
  // What measures opens these windows too.
  const given = process.env.NODE_ENV === "test" ? TEST_BROWSER_ARGUMENTS : BROWSER_ARGUMENTS;
  return chromium.launch({ executablePath: BROWSER_PATH ?? "", args: [...given, ...more] });
}

/** A window that records what must not happen. */
export type WatchedWindow = {
  page: Page;
  context: BrowserContext;
  /** Errors on the console and in scripts, except for refused requests. */
  errors: string[];
  /** Requested addresses on other hosts. */
  foreign: string[];
  close: () => Promise<void>;
};

/** Opens a window on the service at `origin`. */
export async function openWindow(
  browser: Browser,
  origin: string,
  name: WindowName,
  options: { javaScriptEnabled?: boolean; userAgent?: string } = {},
): Promise<WatchedWindow> {
  const context = await browser.newContext({ ...WINDOWS[name], baseURL: origin, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const [errors, foreign]: [string[], string[]] = [[], []];
  page.on("console", (message) => {
    const isRefusal = /status of (4\d\d|503)/.test(message.text());
    if (message.type() === "error" && !isRefusal) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  context.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) foreign.push(request.url());
  });
  return { page, context, errors, foreign, close: () => context.close() };
}

/**
 * Returns what axe-core finds wrong with the page, or with a part of it, in both colour schemes, and takes a picture of each
 * where {@link PICTURES} says so. The dark one has the structure of the light one, so that it is checked for what colours
 * can spoil.
 */
export async function inspect(page: Page, name: string, part = "html"): Promise<string[]> {
  const found: string[] = [];
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  for (const [colorScheme, rules] of [["light", EVERY_RULE] as const, ["dark", OF_COLOUR] as const]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const violations = (await page.evaluate(
      `axe.run("${part}", ${JSON.stringify(rules)}).then(({ violations }) => violations)`,
    )) as AxeResults["violations"];
    for (const { id, nodes } of violations)
      found.push(`${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`) });
  }
  return found;
}
