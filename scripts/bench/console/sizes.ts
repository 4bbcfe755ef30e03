import type { Browser } from "playwright-core";
import { atMost, type Figure } from "../figures.ts";
import { openConsole, rowsInView } from "./place.ts";

const SHELL_KB = 120;
const SCREEN_KB = 25;
const KB = 1024;

/** Bytes that a browser receives, compressed: up to the first use of the Library, and more for each other screen. */
export type Sizes = { html: number; css: number; js: number; screens: { path: string; js: number }[] };

/** Loads the Library and other screens, each with an empty cache, and weighs the files that each asked for. */
export async function sizesOf(
  browser: Browser,
  place: { origin: string; token: string },
  screens: readonly string[],
): Promise<Sizes> {
  const weigh = weigher(place);
  const shell = await filesOf(browser, place, "/library");
  const sum = async (paths: Iterable<string>) => {
    let bytes = 0;
    for (const path of paths) bytes += await weigh(path);
    return bytes;
  };
  const sizes: Sizes = {
    html: await weigh("/library"),
    css: await sum([...shell].filter((path) => path.endsWith(".css"))),
    js: await sum([...shell].filter((path) => path.endsWith(".js"))),
    screens: [],
  };
  for (const path of screens) {
    const more = (await filesOf(browser, place, path)).difference(shell);
    sizes.screens.push({ path, js: await sum([...more].filter((file) => file.endsWith(".js"))) });
  }
  return sizes;
}

/** The assets that a screen loads by itself, until nothing more comes. */
async function filesOf(browser: Browser, place: { origin: string; token: string }, path: string) {
  const { page, close } = await openConsole(browser, place);
  const files = new Set<string>();
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/assets/")) files.add(pathname);
  });
  await page.goto(path);
  if (path === "/library") await rowsInView(page);
  else await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  await close();
  return files;
}

function weigher({ origin, token }: { origin: string; token: string }) {
  const known = new Map<string, number>();
  return async (path: string): Promise<number> => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const headers = { "accept-encoding": "br, gzip", cookie: `dubplate_session=${token}` };
    const answer = await fetch(origin + path, { headers, decompress: false });
    const bytes = (await answer.bytes()).length;
    known.set(path, bytes);
    return bytes;
  };
}

/** Returns the sizes beside their budgets. */
export function sizeFigures({ html, css, js, screens }: Sizes): Figure[] {
  const inKb = (bytes: number) => `${(bytes / KB).toFixed(1)} KB`;
  const shellKb = (html + css + js) / KB;
  const largest = screens.toSorted((a, b) => b.js - a.js)[0] ?? { path: "", js: 0 };
  return [
    {
      what: "shell to first use of the Library, compressed",
      figure: inKb(html + css + js),
      yardstick: `HTML ${inKb(html)}, CSS ${inKb(css)}, JS ${inKb(js)}`,
      aim: atMost(shellKb, SHELL_KB, "KB"),
    },
    {
      what: `a further screen, the largest: ${largest.path.replace(/[a-z]+_\w+/, "…")}`,
      figure: inKb(largest.js),
      yardstick: screens.map(({ js }) => (js / KB).toFixed(1)).join(", "),
      aim: atMost(largest.js / KB, SCREEN_KB, "KB"),
    },
  ];
}
