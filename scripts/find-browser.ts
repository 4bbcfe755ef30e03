import { existsSync } from "node:fs";

/** The headless shell is the same engine without a browser's frame: a test takes half the processor time in it. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const PLACES = ["/usr/bin/chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

/** Returns the path of a Chromium that tests and figures can drive, or undefined when the machine has none. */
export function findBrowser(): string | undefined {
  return NAMES.map((name) => Bun.which(name)).find((path) => path !== null) ?? PLACES.find(existsSync);
}

/** Arguments to start a browser: no background network traffic, and no sandbox, because root cannot use one. */
export const BROWSER_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--no-first-run",
  "--mute-audio",
] as const;

/** Arguments to start a browser of tests: a page lives for a second, too short for what optimising its script costs. */
export const TEST_BROWSER_ARGUMENTS = [...BROWSER_ARGUMENTS, "--js-flags=--no-opt --no-maglev"] as const;
