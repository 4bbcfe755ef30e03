import { type Browser, chromium } from "playwright-core";
import { findBrowser, TEST_BROWSER_ARGUMENTS } from "../find-browser.ts";

/**
 * Lends browsers to the test files of a run. `GET /WORKER?argument&argument` answers with the address of the worker's
 * browser, and starts it when it is first asked for: starting one for each file would take a third of a second each.
 */
export function lendBrowsers() {
  const lent = new Map<string, Promise<{ browser: Browser; address: string }>>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 255,
    fetch: async ({ url }) => {
      const { pathname, search } = new URL(url);
      const key = pathname + search;
      const starting = lent.get(key) ?? startBrowser(search.slice(1).split("&").map(decodeURIComponent));
      lent.set(key, starting);
      try {
        return new Response((await starting).address);
      } catch (error) {
        lent.delete(key);
        return new Response(String(error), { status: 503 });
      }
    },
  });
  return {
    address: `http://127.0.0.1:${server.port}`,
    close: async () => {
      await server.stop(true);
      const started = await Promise.allSettled(lent.values());
      for (const each of started) if (each.status === "fulfilled") await each.value.browser.close();
    },
  };
}

async function startBrowser(more: readonly string[]) {
  const port = freePort();
  const browser = await chromium.launch({
    executablePath: findBrowser() ?? "",
    args: [...TEST_BROWSER_ARGUMENTS, ...more.filter(Boolean), `--remote-debugging-port=${port}`],
  });
  return { browser, address: `http://127.0.0.1:${port}` };
}

function freePort(): number {
  const probe = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port = 0 } = probe;
  probe.stop(true);
  return port;
}
