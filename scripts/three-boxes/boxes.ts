import { DUBPLATE } from "../bench/processes.ts";
import { freePort, until } from "../rack/server.ts";

/** A Dubplate of one label, as it would run on one of several machines. */
export type Box = {
  port: number;
  dubplate: (...args: string[]) => Promise<Record<string, string>[]>;
  /** Ends it without a word, as a power cut would. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Prepares a Dubplate that is reached at `outside`, with its own data folder. */
export function createBox(dataDir: string, outside: string): Box {
  const port = freePort();
  const env = {
    PATH: Bun.env.PATH ?? "",
    HOME: dataDir,
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: outside,
    API_ROOT: outside,
    MCP_BASE: outside,
    TRUST_PROXY: "1",
    RATE_LIMIT: "0",
    LOG_LEVEL: "error",
    ANALYSIS_CONCURRENCY: "1",
  };
  let child: Bun.Subprocess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    child?.kill(signal);
    await child?.exited;
    child = undefined;
  };
  return {
    port,
    dubplate: async (...args) => {
      const command = Bun.spawn([...DUBPLATE, ...args], {
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [out, said] = await Promise.all([
        new Response(command.stdout).text(),
        new Response(command.stderr).text(),
      ]);
      if ((await command.exited) !== 0) throw new Error(`${args.join(" ")}: ${said}`);
      return out
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
    kill: () => end("SIGKILL"),
    start: async () => {
      child = Bun.spawn([...DUBPLATE, "serve"], { env, stdio: ["ignore", "ignore", "ignore"] });
      await until(`http://127.0.0.1:${port}/health`);
    },
    stop: () => end("SIGTERM"),
  };
}
