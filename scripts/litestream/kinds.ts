import type { ServerProcess } from "../bench/processes.ts";

/** The two processes of a round. */
export type Running = { server: ServerProcess; litestream: Bun.Subprocess };

/** A way in which they end. `end` returns those that still run. */
export type Kind = {
  name: string;
  end: (running: Running) => Promise<Partial<Running>>;
  /** What `end` does not wait for: until then, Litestream writes what it has. */
  settleMs: number;
};

const killed = async (child: Bun.Subprocess) => {
  child.kill("SIGKILL");
  await child.exited;
};

/** Litestream looks at the database, and writes to the replica, once a second each. */
const FOLLOWED_MS = 2500;

export const KINDS: readonly Kind[] = [
  {
    name: "stopped politely",
    settleMs: 0,
    async end({ server, litestream }) {
      await server.stop();
      litestream.kill("SIGTERM");
      await litestream.exited;
      return {};
    },
  },
  {
    name: "both killed at once",
    settleMs: 0,
    async end({ server, litestream }) {
      await Promise.all([server.kill(), killed(litestream)]);
      return {};
    },
  },
  {
    name: "only the server killed",
    settleMs: FOLLOWED_MS,
    async end({ server, litestream }) {
      await server.kill();
      return { litestream };
    },
  },
  {
    name: "only Litestream killed",
    settleMs: 0,
    async end({ server, litestream }) {
      await killed(litestream);
      return { server };
    },
  },
];
