import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { BROWSER_PATH, createServedApp, openWindow, startBrowser } from "../pages/browser.ts";
import { picture } from "../support/pictures.ts";
import { until } from "./console.ts";
import { addSongs } from "./songs.ts";

/** Begins like the path of files, which addresses of files must not be mistaken for. */
const PATH = "/media";

let app: Awaited<ReturnType<typeof createServedApp>>;
let proxy: ReturnType<typeof Bun.serve>;
let browser: Browser;
let account: ReturnType<typeof app.createAccount>;
let ids: string[];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  // As a proxy does that serves the program below a path.
  proxy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      if (!pathname.startsWith(`${PATH}/`)) return new Response("Another site", { status: 404 });
      return fetch(app.origin + pathname.slice(PATH.length) + search, {
        method: request.method,
        headers: request.headers,
        body: request.body,
        redirect: "manual",
        decompress: false,
      });
    },
  });
  app = await createServedApp({ publicUrl: `http://127.0.0.1:${proxy.port}${PATH}` });
  account = app.createAccount("mara@example.com");
  ids = await addSongs({ ...app, account } as never, [{ title: "Night Ferry" }, { title: "Slow Tide" }]);
  await app.signedIn(account.token)("POST", "/app/library/tracks/cover-art", {
    trackId: ids[0],
    base64: `data:image/png;base64,${(await picture("png")).toString("base64")}`,
  });
  browser = await startBrowser("--autoplay-policy=no-user-gesture-required");
});
afterAll(async () => {
  await browser?.close();
  await proxy?.stop(true);
  await app?.close();
});

describe.skipIf(!BROWSER_PATH)("behind a proxy that serves the program below a path", () => {
  test("every way through the console stays below the path of the proxy", async () => {
    const origin = `http://127.0.0.1:${proxy.port}`;
    const { page, context, errors, close } = await openWindow(browser, origin, "desktop");
    await context.addCookies([
      { name: "dubplate_session", value: account.token, domain: "127.0.0.1", path: "/", httpOnly: true },
    ]);
    const outside: string[] = [];
    context.on("request", (request) => {
      if (!request.url().startsWith(`${origin}${PATH}/`)) outside.push(request.url());
    });
    const path = () => new URL(page.url()).pathname;

    await page.goto(`${PATH}/library?sort=name`);
    const row = page.getByRole("row", { name: "Night Ferry" });
    await row.waitFor();
    await until(() => page.evaluate<boolean>(`document.querySelector("img.cover")?.naturalWidth > 0`), true);
    await page.getByRole("button", { name: "Play Night Ferry" }).click();
    await page.getByRole("region", { name: "Player" }).getByRole("button", { name: "Pause" }).waitFor();
    await row.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Night Ferry" }).waitFor();
    expect(path()).toBe(`${PATH}/library/tracks/${ids[0]}`);
    await page.goBack();
    await page.getByRole("checkbox", { name: "Select Night Ferry" }).click();
    await page.getByRole("checkbox", { name: "Select Slow Tide" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: "Download" }).click();
    expect((await download).url()).toStartWith(`${origin}${PATH}/app/downloads/`);
    await page.getByRole("button", { name: "Clear selection" }).click();
    await page.getByRole("button", { name: "More actions for Slow Tide" }).click();
    await page.getByRole("menuitem", { name: "More like this" }).click();
    await page.getByRole("grid", { name: "Results" }).getByRole("row").first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("complementary").getByRole("button", { name: "Close" }).click();
    await page.getByRole("grid", { name: "Results" }).waitFor();
    expect(path()).toBe(`${PATH}/library/search`);
    for (const name of ["Playlists", "Links", "Uploads", "Library"]) {
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
      expect(path()).toStartWith(`${PATH}/library`);
    }

    expect([outside, errors]).toEqual([[], []]);
    await close();
  });
});
