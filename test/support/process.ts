import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settingsOf, testBucket } from "./bucket.ts";
import { PROGRAM } from "./program-command.ts";
import { readAlong } from "./running-command.ts";

const READY_MS = 50_000;

export type CommandResult = { code: number; rows: Record<string, unknown>[]; stderr: string };
type Input = { input?: string; extra?: Record<string, string> };

/** How the program is started. */
export type WayIn = { command: readonly string[]; cwd?: string };

/** Runs the program like an operator: real processes with their own data folder. */
export function createProgram(
  settings: Record<string, string> = {},
  { command, cwd }: WayIn = { command: PROGRAM },
) {
  const dataDir = mkdtempSync(join(tmpdir(), "dubplate-program-"));
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: dataDir,
    // A data folder is copied while a program runs on it, and what the runtime keeps would come and go in the copy.
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(tmpdir(), "dubplate-transpiled"),
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    ...settingsOf(testBucket()),
    ...settings,
  };
  const running: Bun.Subprocess[] = [];

  /** Runs a command to its end, and returns what it printed as it is. */
  const show = async (args: string[], { input, extra }: Input = {}) => {
    const child = Bun.spawn([...command, ...args], {
      ...(cwd !== undefined && { cwd }),
      env: { ...env, ...extra },
      stdin: input === undefined ? "ignore" : new Blob([input]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, stdout, stderr };
  };

  /** Runs a command to its end; `input` is piped in. */
  const run = async (args: string[], given: Input = {}): Promise<CommandResult> => {
    const { code, stdout, stderr } = await show(args, given);
    const rows = stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
    return { code, rows, stderr };
  };

  /** Starts a server and waits until it is ready. */
  const serve = async (extra: Record<string, string> = {}) => {
    const port = extra.PORT ?? String(await freePort());
    const child = Bun.spawn([...command, "serve"], {
      ...(cwd !== undefined && { cwd }),
      env: { ...env, PORT: port, ...extra },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    running.push(child);
    const address = `http://127.0.0.1:${port}`;
    const said = readAlong(child.stderr);
    await untilReady(address, child);
    return { address, child, says: said.until };
  };

  return {
    dataDir,
    /** The environment of every process. */
    env,
    run,
    show,
    serve,
    close: async () => {
      for (const child of running) child.kill("SIGKILL");
      await Promise.all(running.map(({ exited }) => exited));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function untilReady(address: string, child: Bun.Subprocess): Promise<void> {
  const until = performance.now() + READY_MS;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`);
    const ready = await fetch(`${address}/health`).catch(() => undefined);
    if (ready?.ok) return;
    await Bun.sleep(20);
  }
  throw new Error("The server was not ready in time");
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
