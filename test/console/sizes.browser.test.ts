import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Sizes, sizesOf } from "../../scripts/bench/console/sizes.ts";
import { BROWSER_PATH } from "../pages/browser.ts";
import { createConsole } from "./console.ts";
import { addSongs } from "./songs.ts";

const KB = 1024;

describe.skipIf(!BROWSER_PATH)("what a browser loads, compressed", () => {
  let desk: Awaited<ReturnType<typeof createConsole>>;
  let sizes: Sizes;
  beforeAll(async () => {
    desk = await createConsole();
    const titles = Array.from({ length: 8 }, (_, at) => ({ title: `Piece ${at}`, seconds: 1 }));
    const [trackId] = await addSongs(desk, titles);
    const screens = [
      "search",
      `tracks/${trackId}`,
      "playlists",
      "links",
      "briefs",
      "inbox",
      "composers",
      "insights",
      "settings/profile",
      "settings/security",
      "settings/devices",
      "settings/keys",
      "settings/assistants",
      "settings/webhooks",
      "settings/server",
      "settings/brand",
      "settings/registrations",
      "settings/checks",
      "settings/team",
      "settings/mail",
      "inbox?show=answers",
      "pocket",
      "uploads",
      "deleted",
      "welcome",
    ];
    sizes = await sizesOf(
      desk.browser,
      { origin: desk.origin, token: desk.account.token },
      screens.map((screen) => `/library/${screen}`),
    );
  });
  afterAll(() => desk?.close());

  test("is at most 120 KB to the first use of the Library", () => {
    const { html, css, js } = sizes;

    expect(Math.min(html, css, js)).toBeGreaterThan(KB);
    expect((html + css + js) / KB).toBeLessThanOrEqual(120);
  });

  test("is at most 60 KB for the document without a connection", async () => {
    const html = await (await fetch(`${desk.origin}/library/offline`)).text();
    const paths = [...html.matchAll(/(?:src|href)="(\/assets\/console-[^"]+)"/g)].map(([, path]) => path);
    const files = paths.map(async (path) => {
      const options = { headers: { "accept-encoding": "gzip" }, decompress: false };
      return (await (await fetch(desk.origin + path, options)).arrayBuffer()).byteLength;
    });
    const bytes = (await Promise.all(files)).reduce((sum, each) => sum + each, 0);

    expect(files.length).toBe(2);
    expect(bytes / KB).toBeWithin(10, 60);
  });

  test("is at most 25 KB more for each other screen", () => {
    expect(sizes.screens.filter(({ js }) => js > 25 * KB)).toEqual([]);
    expect(sizes.screens.some(({ js }) => js > 0)).toBe(true);
  });
});
