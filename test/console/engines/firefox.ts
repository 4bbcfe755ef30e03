import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Driver, end, lineOf } from "./driver.ts";

export const FIREFOX_PATH = Bun.which("firefox-esr") ?? Bun.which("firefox");

const PREFERENCES = {
  "media.autoplay.default": 0,
  "media.autoplay.blocking_policy": 0,
  "datareporting.policy.dataSubmissionEnabled": false,
  "app.update.enabled": false,
};

type Message = { id?: number; type: string; result?: unknown; error?: string; message?: string };

/** Starts Firefox without a window, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). */
export async function startFirefox(): Promise<Driver> {
  const profile = mkdtempSync(join(tmpdir(), "dubplate-firefox-"));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
  const command = ["--headless", "--remote-debugging-port=0", "--profile", profile, "--no-remote"];
  const child = Bun.spawn([FIREFOX_PATH ?? "", ...command], { stdio: ["ignore", "ignore", "pipe"] });
  const session = await connect(`${await lineOf(child.stderr, /(ws:\/\/[^\s/]+)/)}/session`);
  await session.call("session.new", { capabilities: {} });
  const { contexts } = (await session.call("browsingContext.getTree", {})) as {
    contexts: { context: string }[];
  };
  const context = contexts[0]?.context ?? "";
  return {
    open: async (url) =>
      void (await session.call("browsingContext.navigate", { context, url, wait: "complete" })),
    evaluate: async (expression) => {
      const answer = (await session.call("script.evaluate", {
        expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value) ?? "null")`,
        target: { context },
        awaitPromise: true,
        userActivation: true,
      })) as { result?: { value?: string }; exceptionDetails?: { text: string } };
      if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text);
      return JSON.parse(answer.result?.value ?? "null");
    },
    close: async () => {
      session.close();
      await end(child);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

async function connect(address: string) {
  const socket = new WebSocket(address);
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  socket.onmessage = ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(String(data)) as Message;
    const asked = id === undefined ? undefined : waiting.get(id);
    if (type === "error") asked?.reject(new Error(`${error}: ${message}`));
    else asked?.resolve(result);
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`${address} did not answer`));
  });
  let last = 0;
  return {
    call: (method: string, params: object) =>
      new Promise<unknown>((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { resolve, reject });
        socket.send(JSON.stringify({ id, method, params }));
      }),
    close: () => socket.close(),
  };
}
