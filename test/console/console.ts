import { createServedApp, openWindow, startBrowser, type WindowName } from "../pages/browser.ts";

export const PASSWORD = "correct horse battery";

/** Waits until a reading is what is wanted: the console shows changes before the server has them. */
export async function until<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  while (!Bun.deepEquals(await read(), wanted)) await Bun.sleep(20);
}

/** The whole service, an account, and a browser; `open` gives windows in which the account is signed in. */
export async function createConsole(
  settings: Parameters<typeof createServedApp>[0] = {},
  ffmpegPath?: string,
  hostname = "127.0.0.1",
) {
  const served = await createServedApp(settings, ffmpegPath);
  const app = { ...served, origin: served.origin.replace("127.0.0.1", hostname) };
  const account = app.createAccount("mara@example.com");
  const browser = await startBrowser("--autoplay-policy=no-user-gesture-required");
  return {
    ...app,
    account,
    browser,
    /** Opens a window at a path, signed in as the owner, or with the token of another member. */
    open: async (path = "/library", name: WindowName = "desktop", token = account.token) => {
      const window = await openWindow(browser, app.origin, name);
      const { hostname } = new URL(app.origin);
      await window.context.addCookies([
        { name: "dubplate_session", value: token, domain: hostname, path: "/", httpOnly: true },
      ]);
      await window.page.goto(path);
      return window;
    },
    close: async () => {
      await browser.close();
      await app.close();
    },
  };
}
