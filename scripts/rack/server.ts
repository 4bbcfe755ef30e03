import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DUBPLATE } from "../bench/processes.ts";

const READY_MS = 60_000;
export const METRICS_TOKEN = "token-of-the-rack-check";

/** A server behind a proxy, with an account. */
export type Behind = {
  address: string;
  key: string;
  token: string;
  dubplate: (...args: string[]) => Promise<Record<string, string>[]>;
  stop: () => Promise<void>;
};

/** Starts a server whose pages and files are reached at `outside`. */
export async function startBehind(outside: string, port: number): Promise<Behind> {
  const dataDir = mkdtempSync(join(tmpdir(), "dubplate-rack-"));
  const env = {
    PATH: Bun.env.PATH ?? "",
    HOME: dataDir,
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: outside,
    API_ROOT: outside,
    MCP_BASE: outside,
    TRUST_PROXY: "1",
    LOG_LEVEL: "warn",
    METRICS_TOKEN,
  };
  const dubplate = async (...args: string[]) => {
    const child = Bun.spawn([...DUBPLATE, ...args], { env, stdin: "ignore", stderr: "inherit" });
    const lines = (await new Response(child.stdout).text()).split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line));
  };
  const child = Bun.spawn([...DUBPLATE, "serve"], { env, stdio: ["ignore", "ignore", "ignore"] });
  const address = `http://127.0.0.1:${port}`;
  await until(`${address}/health`);
  const email = "rack@example.com";
  await dubplate("account", "create", "--email", email, "--name", "Rack", "--password", "a long password");
  const [key] = await dubplate("key", "create", "--email", email, "--name", "rack");
  const [session] = await dubplate("session", "create", "--email", email);
  return {
    address,
    key: key?.key ?? "",
    token: session?.token ?? "",
    dubplate,
    stop: async () => {
      child.kill();
      await child.exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Waits until an address answers. */
export async function until(url: string): Promise<void> {
  const end = performance.now() + READY_MS;
  while (performance.now() < end) {
    const response = await fetch(url, { tls: { rejectUnauthorized: false } }).catch(() => undefined);
    if (response?.ok) return;
    await Bun.sleep(100);
  }
  throw new Error(`${url} does not answer`);
}

/** Returns a port that is free now. */
export function freePort(): number {
  const probe = Bun.serve({ port: 0, fetch: () => new Response() });
  const { port } = probe;
  void probe.stop(true);
  return port ?? 0;
}
