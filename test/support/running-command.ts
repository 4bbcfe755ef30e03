import type { Json } from "./app.ts";
import type { WayIn } from "./process.ts";
import { PROGRAM } from "./program-command.ts";

/** Starts a command of the program that runs until it is stopped. */
export function startCommand(
  dataDir: string,
  args: string[],
  { command, cwd }: WayIn = { command: PROGRAM },
) {
  const child = Bun.spawn([...command, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { PATH: process.env.PATH ?? "", HOME: dataDir, DATA_DIR: dataDir, LOG_LEVEL: "warn" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const lines = linesOf(child.stdout);
  const words = readAlong(child.stderr);
  return {
    /** Returns the next line on stdout. */
    prints: async (): Promise<Json> => JSON.parse((await lines.next()).value ?? "null"),
    /** Waits until stderr contains a text. */
    says: words.until,
    /** Asks the command to end, and resolves with its exit code. */
    stop: () => {
      child.kill("SIGINT");
      return child.exited;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  return undefined;
}

/** Keeps the text of a stream; `until` resolves once it contains a given text. */
export function readAlong(stream: ReadableStream<Uint8Array>) {
  let text = "";
  let look = () => {};
  let hasEnded = false;
  (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      look();
    }
    hasEnded = true;
    look();
  })();
  const until = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      look = () => {
        const found = pattern.exec(text);
        if (found) resolve(found);
        else if (hasEnded) reject(new Error(`It ended having said: ${text}`));
      };
      look();
    });
  return { until };
}
