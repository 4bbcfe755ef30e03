/**
 * Takes a picture of every view of the console: on a desk and on a phone, light and dark.
 *
 * usage: bun scripts/console-pictures.ts FOLDER [--data FOLDER] [--only NAME]...
 * --data: keeps the library of the pictures there, and takes that of the run before.
 * Exit 1 when a view could not be reached, wrote an error to the browser's console, would scroll sideways, has something that axe
 * finds, or on a phone something too small for a finger; the others are taken all the same.
 */
import "./support/help.ts";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { faultsOf } from "./console-pictures/checks.ts";
import { type Scene, setScene } from "./console-pictures/library.ts";
import { type View, viewsOf } from "./console-pictures/views.ts";
import { BROWSER_ARGUMENTS, findBrowser } from "./find-browser.ts";

const WINDOWS = {
  desktop: { viewport: { width: 1280, height: 860 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
} as const;
type WindowName = keyof typeof WINDOWS;
const PATIENCE_MS = 15_000;

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  options: { only: { type: "string", multiple: true, default: [] }, data: { type: "string" } },
  allowPositionals: true,
});
const [folder] = positionals;
const executablePath = findBrowser();
if (folder === undefined)
  throw new Error("usage: bun scripts/console-pictures.ts FOLDER [--data FOLDER] [--only NAME]...");
if (executablePath === undefined) throw new Error("There is no Chromium: bun scripts/browser.ts");
mkdirSync(folder, { recursive: true });

const scene = await setScene(values.data);
const browser = await chromium.launch({ executablePath, args: [...BROWSER_ARGUMENTS] });
let faults = 0;
for (const view of viewsOf(scene))
  for (const window of Object.keys(WINDOWS) as WindowName[]) {
    const isWanted = values.only.length === 0 || values.only.includes(view.name);
    if (!isWanted || (view.only !== undefined && view.only !== window)) continue;
    for (const fault of await take(browser, scene, { view, window, folder })) {
      console.log(`${view.name} on a ${window}: ${fault}`);
      faults++;
    }
  }
await browser.close();
await scene.server.stop();
process.exit(faults === 0 ? 0 : 1);

type Shot = { view: View; window: WindowName; folder: string };

async function take(browser: Browser, scene: Scene, { view, window, folder }: Shot): Promise<string[]> {
  const context = await browser.newContext({ ...WINDOWS[window], baseURL: scene.server.address });
  context.setDefaultTimeout(PATIENCE_MS);
  const found: string[] = [];
  if (view.as !== undefined)
    await context.addCookies([
      { name: "dubplate_session", value: scene[view.as].token, url: scene.server.address, httpOnly: true },
    ]);
  const page = await context.newPage();
  page.on("pageerror", (error) => found.push(String(error)));
  page.on("console", (message) => {
    const isRefusal = /status of 4\d\d|ERR_INTERNET_DISCONNECTED/.test(message.text());
    if (message.type() === "error" && !isRefusal) found.push(message.text());
  });
  try {
    await page.goto(view.path);
    await page.waitForLoadState("networkidle");
    await view.prepare?.(page);
  } catch (error) {
    found.push((error as Error).message.split("\n")[0] ?? "");
  }
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: join(folder, `${view.name}-${window}-${colorScheme}.png`) });
    const faults = await faultsOf(page, colorScheme === "dark", window === "phone");
    found.push(...faults.map((fault) => `${colorScheme}: ${fault}`));
  }
  await context.close();
  return found;
}
