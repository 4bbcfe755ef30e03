import { existsSync } from "node:fs";
import { type Driver, end } from "./driver.ts";

const PLACES = ["x86_64", "aarch64"].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`);
const BROWSER = PLACES.find(existsSync);
const [DRIVER, DISPLAY_SERVER] = [Bun.which("WebKitWebDriver"), Bun.which("Xvfb")];

/** True when the machine has WebKitGTK's driver, its small browser, and a display without a screen. */
export const HAS_WEBKIT = BROWSER !== undefined && DRIVER !== null && DISPLAY_SERVER !== null;

const PATIENCE_MS = 60_000;
/** A browser that has not begun by then hangs: another is started. */
const START_MS = 40_000;
const POLL_MS = 50;

/** Starts WebKitGTK's small browser on a display without a screen, driven by WebDriver (https://w3c.github.io/webdriver/). */
export async function startWebKit(): Promise<Driver> {
  // Port 0 is not possible for the driver; the display server chooses its number and prints it.
  const display = Bun.spawn([DISPLAY_SERVER ?? "", "-displayfd", "1", "-screen", "0", "1280x900x24"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const number = await firstLine(display.stdout);
  const { driver, session } = await startDriver(number);
  const call = (path: string, body: object) => send(`${session}${path}`, body);
  await call("/timeouts", { script: PATIENCE_MS, pageLoad: PATIENCE_MS });
  return {
    open: async (url) => void (await call("/url", { url })),
    // A page that leaves takes the answer with it: the next one is asked again.
    evaluate: async (expression) => {
      const script = `const done = arguments[0];
        Promise.resolve().then(() => (${expression})).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
      let answer: { value?: unknown; error?: string } | undefined;
      while (answer === undefined)
        answer = (await call("/execute/async", { script, args: [] }).catch((error: Error) => {
          if (!error.message.includes("before the unload event")) throw error;
        })) as typeof answer;
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value;
    },
    close: async () => {
      await fetch(session, { method: "DELETE" });
      await end(driver);
      await end(display);
    },
  };
}

type Started = { driver: Bun.Subprocess; session: string };

/** Starts the driver and a browser. Now and then a browser hangs while it starts. */
async function startDriver(display: string, triesLeft = 4): Promise<Started> {
  const probe = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = probe;
  await probe.stop(true);
  const driver = Bun.spawn([DRIVER ?? "", "--host=127.0.0.1", `--port=${port}`], {
    stdio: ["ignore", "ignore", "ignore"],
    // Its sandbox does not start for root, in a container or on a machine without a graphics card.
    env: {
      ...Bun.env,
      DISPLAY: `:${display}`,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
      LIBGL_ALWAYS_SOFTWARE: "1",
    },
  });
  try {
    return { driver, session: await createSession(`http://127.0.0.1:${port}`) };
  } catch (error) {
    await end(driver);
    if (triesLeft === 0) throw error;
    return startDriver(display, triesLeft - 1);
  }
}

/** Returns the address of a new session. */
async function createSession(address: string): Promise<string> {
  const capabilities = {
    alwaysMatch: {
      browserName: "MiniBrowser",
      "webkitgtk:browserOptions": { binary: BROWSER, args: ["--automation"] },
    },
  };
  const isOver = AbortSignal.timeout(START_MS);
  while (true) {
    try {
      const { sessionId } = (await send(`${address}/session`, { capabilities }, isOver)) as {
        sessionId: string;
      };
      return `${address}/session/${sessionId}`;
    } catch (error) {
      // The driver listens a moment after its start.
      if (isOver.aborted) throw error;
      await Bun.sleep(POLL_MS);
    }
  }
}

async function send(
  address: string,
  body: object,
  signal = AbortSignal.timeout(PATIENCE_MS),
): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body), signal });
  const { value } = (await answer.json()) as { value: unknown };
  if (!answer.ok) throw new Error(`${address} answered ${JSON.stringify(value)}`);
  return value;
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stream) return new TextDecoder().decode(chunk).trim();
  throw new Error("There is no display");
}
