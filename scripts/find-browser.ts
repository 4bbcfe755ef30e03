import { existsSync } from "node:fs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PLACES = ["/usr/bin/chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

/** Returns the path of a Chromium that tests and figures can drive, or undefined when the machine has none. */
export function findBrowser(): string | undefined {
  return NAMES.map((name) => Bun.which(name)).find((path) => path !== null) ?? PLACES.find(existsSync);
}

/** What a browser is started with: nothing of its own on the network, and no sandbox, which root cannot have. */
export const BROWSER_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--no-first-run",
  "--mute-audio",
] as const;
