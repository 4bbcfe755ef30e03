import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { BROWSER_ARGUMENTS, findBrowser } from "../find-browser.ts";

const LONGEST_MS = 1000;
const PATIENCE_MS = 20_000;
const DESK = { width: 1280, height: 860 };
/** A screen of a phone, with its finger. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Where several people act in browsers of their own, and what went wrong. */
export type Stage = {
  /** What went wrong, in sentences. */
  faults: string[];
  /** Opens a browser for somebody, who sees every error that it writes. `token`: signed in. */
  person(name: string, token?: string, options?: BrowserContextOptions): Promise<Page>;
  /** Waits until somebody sees what another did, and says how long. More than a second is a fault. */
  seen(who: string, what: string, where: Locator): Promise<void>;
  /** Takes pictures on a desk and on a phone, in the light and in the dark, where `--pictures FOLDER` asks for them. */
  picture(page: Page, name: string): Promise<void>;
  /** Plays the afternoon, closes the browsers, prints the faults and ends the process: 1 when there are any. */
  play(afternoon: () => Promise<void>, end: () => Promise<void>): Promise<never>;
};

/** Makes a stage in front of a server. @throws Error when there is no Chromium. */
export function createStage(address: () => string): Stage {
  // A script may have options of its own.
  const options = { pictures: { type: "string" } } as const;
  const { pictures: folder } = parseArgs({ args: Bun.argv.slice(2), options, strict: false }).values;
  const values = { pictures: typeof folder === "string" ? folder : undefined };
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error("There is no Chromium: bun scripts/browser.ts");
  if (values.pictures !== undefined) mkdirSync(values.pictures, { recursive: true });
  const faults: string[] = [];
  const browsers: Browser[] = [];
  let pictures = 0;
  return {
    faults,
    async person(name, token, options = {}) {
      const browser = await chromium.launch({ executablePath, args: [...BROWSER_ARGUMENTS] });
      browsers.push(browser);
      const context = await browser.newContext({ baseURL: address(), viewport: DESK, ...options });
      if (token !== undefined)
        await context.addCookies([
          { name: "dubplate_session", value: token, url: address(), httpOnly: true },
        ]);
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      page.on("pageerror", (error) => faults.push(`${name}'s browser: ${error}`));
      page.on("console", (message) => {
        // A browser reports every refused request as an error, and some are meant.
        const isRefusal = /status of 4\d\d/.test(message.text());
        if (message.type() === "error" && !isRefusal) faults.push(`${name}'s browser: ${message.text()}`);
      });
      return page;
    },
    async seen(who, what, where) {
      const beganAt = performance.now();
      await where.waitFor();
      const waitedMs = performance.now() - beganAt;
      const isLate = waitedMs > LONGEST_MS;
      const after = isLate ? " (more than a second)" : "";
      console.log(`${waitedMs.toFixed(0).padStart(5)} ms  ${who} sees ${what}${after}`);
      if (isLate) faults.push(`${who} waited ${waitedMs.toFixed(0)} ms for ${what}`);
    },
    async picture(page, name) {
      if (values.pictures === undefined) return;
      pictures++;
      const own = page.viewportSize() ?? DESK;
      // One that is on a phone stays there.
      const sizes = own.width === DESK.width ? { desk: DESK, phone: PHONE.viewport } : { phone: own };
      for (const [size, viewport] of Object.entries(sizes))
        for (const colorScheme of ["light", "dark"] as const) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          const number = String(pictures).padStart(2, "0");
          await page.screenshot({
            path: join(values.pictures, `${number}-${name}-${size}-${colorScheme}.png`),
          });
        }
      await page.setViewportSize(own);
    },
    async play(afternoon, end) {
      try {
        await afternoon();
      } catch (error) {
        faults.push((error as Error).message);
      } finally {
        for (const browser of browsers) await browser.close();
        await end();
      }
      for (const fault of faults) console.log(`FAULT  ${fault}`);
      console.log(faults.length === 0 ? "No fault." : `${faults.length} faults.`);
      process.exit(faults.length === 0 ? 0 : 1);
    },
  };
}
