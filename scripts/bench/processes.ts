import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The command that starts the program: its sources, or the executable that a run of the tests names. */
export const DUBPLATE: readonly string[] = process.env.TEST_PROGRAM
  ? [process.env.TEST_PROGRAM]
  : [process.execPath, join(import.meta.dir, "../../src/main.ts")];
const BENCH = join(import.meta.dir, "../bench.ts");
const HEALTH_TIMEOUT_MS = 120_000;
const POLL_MS = 2;

const children = new Set<Bun.Subprocess>();
const folders = new Set<string>();

// Child processes end with the script, however it ends.
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

/** Makes a folder that is removed when the script ends. */
export function temporaryFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `dubplate-${purpose}-`));
  folders.add(folder);
  return folder;
}

/** Returns a free port of the loopback interface. */
export function freePort(): number {
  const probe = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = probe;
  void probe.stop(true);
  if (port === undefined) throw new Error("The system gave no port");
  return port;
}

/** A child that listens on loopback. */
export type ServerProcess = {
  pid: number;
  port: number;
  address: string;
  /** Resolves with the milliseconds from the start of the process to its first 200 of `/health`. */
  healthy: () => Promise<number>;
  /** Asks the process to end, and waits until it has. @throws Error when it had already ended by itself. */
  stop: () => Promise<void>;
  /** Ends the process with SIGKILL, and waits until it is gone. @throws Error when it had already ended by itself. */
  kill: () => Promise<void>;
  /** @throws Error when it has ended by itself. */
  assertRuns: () => void;
};

/** Starts a child that listens on `port`. Its output is appended to the file `log`. */
export function spawnServer(
  command: readonly string[],
  { port, log, env = {} }: { port: number; log: string; env?: Record<string, string> },
): ServerProcess {
  const output = openSync(log, "a");
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    env: { ...Bun.env, ...env, PORT: String(port), HOST: "127.0.0.1" },
    stdio: ["ignore", output, output],
  });
  closeSync(output); // the child has its own copy
  children.add(child);
  const gone = child.exited.then(() => void children.delete(child));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const address = `http://127.0.0.1:${port}`;
  const healthy = async () => {
    while (performance.now() - startedAt < HEALTH_TIMEOUT_MS && !hasEnded()) {
      const status = await fetch(`${address}/health`).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) return performance.now() - startedAt;
      await Bun.sleep(POLL_MS);
    }
    throw new Error(`The server did not become healthy: ${await Bun.file(log).text()}`);
  };
  const assertRuns = () => {
    if (hasEnded())
      throw new Error(`The server ended by itself: code ${child.exitCode}, signal ${child.signalCode}`);
  };
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    assertRuns();
    child.kill(signal);
    await gone;
  };
  return {
    pid: child.pid,
    port,
    address,
    healthy,
    assertRuns,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

/** Starts Dubplate on a data folder, without rate limit. */
export function spawnDubplate(options: {
  dataDir: string;
  port: number;
  log: string;
  temporaryDir?: string;
  /** More settings. */
  settings?: Readonly<Record<string, string>>;
  /** Instead of the source. */
  command?: readonly string[] | undefined;
}): ServerProcess {
  const { dataDir, port, log, temporaryDir = tmpdir(), settings = {} } = options;
  const { command = [...DUBPLATE, "serve"] } = options;
  const env = { DATA_DIR: dataDir, RATE_LIMIT: "0", LOG_LEVEL: "warn", TMPDIR: temporaryDir, ...settings };
  return spawnServer(command, { port, log, env });
}

/** Keeps a folder of {@link temporaryFolder} when the script ends. */
export function keepFolder(folder: string): void {
  folders.delete(folder);
}

/** The command that starts a helper process of these scripts; its options are one argument of JSON. */
export function helperCommand(name: string, options: object): string[] {
  return [process.execPath, BENCH, "--helper", name, JSON.stringify(options)];
}

/** Runs a helper process to its end and returns the JSON that it prints. */
export async function runHelper<Result>(name: string, options: object): Promise<Result> {
  const child = Bun.spawn(helperCommand(name, options), {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  children.add(child);
  const text = await child.stdout.text();
  children.delete(child);
  if ((await child.exited) !== 0) throw new Error(`The helper process ${name} failed`);
  // Each helper prints what its exported result type says.
  return JSON.parse(text) as Result;
}
