import type { Database } from "bun:sqlite";
import { isReplicated, keepLog } from "../../../db/client.ts";
import { conditionOf } from "../../kernel/condition.ts";
import type { Deps } from "../../kernel/deps.ts";
import { createThread } from "../../kernel/thread.ts";
import { MINUTE_MS, SECOND_MS } from "../../kernel/time.ts";
import type { FromThread, ToThread } from "./worker.ts";

/** The merging of the write-ahead log into the database in a thread, so that no request waits for it. */
export type Checkpoints = {
  /** Asks for a checkpoint if the log is long enough. It happens by itself, too. */
  look: () => void;
  /** Resolves when the checkpoint in progress has ended. */
  settled: () => Promise<void>;
  /** Ends the thread. */
  stop: () => Promise<void>;
};

const LOOK_EVERY_MS = 500;
/** Pages of the log. The first commit after a merge begins the log anew and waits for the disk, so that it should be rare. */
const MERGED_FROM = 3000;
/** From so many on, the next commit merges the rest itself: the thread cannot keep up, or hangs. The reserve has room for as many. */
const MERGED_BY_COMMITS_FROM = 4096;
/** What SQLite does by itself. */
const WITHOUT_THREAD = 1000;
const IDLE_MS = MINUTE_MS;
/** How long a stop waits for the checkpoint in progress. What it leaves stays in the log. */
const STOP_MS = 5 * SECOND_MS;

/** From 3.51 on, SQLite says how long the log is without merging it. An older one would merge it on the event loop instead. */
export function canAskOnly(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 3 || (major === 3 && minor >= 51);
}

const versionOf = (client: Database) =>
  client.query<{ version: string }, []>("SELECT sqlite_version() AS version").get()?.version ?? "";

const LEFT_TO_COMMITS: Checkpoints = {
  look: () => undefined,
  settled: async () => undefined,
  stop: async () => undefined,
};

/**
 * Takes the checkpoints of a served library over from its commits. Those of a replicated library stay Litestream's
 * (docs/decisions/0051-replication.md), and an old SQLite goes on merging with its commits.
 *
 * @param spawn Creates the thread.
 */
export function startCheckpoints(
  { db, log, now }: Pick<Deps, "db" | "log" | "now">,
  spawn: () => Worker,
): Checkpoints {
  const { $client } = db;
  if (!canAskOnly(versionOf($client))) return LEFT_TO_COMMITS;
  const leaveToCommits = (fromPages: number) => {
    if (!isReplicated($client)) $client.run(`PRAGMA wal_autocheckpoint = ${fromPages}`);
  };
  const unmerged = () => {
    const { log: pages, checkpointed } = $client
      .query<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(NOOP)")
      .get() ?? { log: 0, checkpointed: 0 };
    return pages - checkpointed;
  };

  let merging: PromiseWithResolvers<void> | undefined;
  let usedAt = 0;
  let lastFailure = "";
  const end = () => {
    merging?.resolve();
    merging = undefined;
  };
  const fail = (error: { message: string; code?: string | undefined }) => {
    conditionOf(db).report(error);
    if (error.message !== lastFailure)
      log("error", "The database's log could not be merged; will try again", { error: error.message });
    lastFailure = error.message;
  };
  const thread = createThread<ToThread, FromThread>({
    spawn,
    onMessage({ failure }) {
      end();
      if (failure) fail(Object.assign(new Error(failure.message), { code: failure.code }));
      else lastFailure = "";
    },
    onEnd(error) {
      end();
      if (!error) return;
      log("error", "The thread that merges the database's log failed", { error: error.message });
      stopLooking();
      leaveToCommits(WITHOUT_THREAD);
    },
  });
  const lookOnce = () => {
    // Litestream may have come since.
    if (isReplicated($client)) return keepLog($client);
    if (unmerged() >= MERGED_FROM) {
      merging = Promise.withResolvers();
      usedAt = now();
      thread.send({ path: $client.filename });
    } else if (thread.isRunning() && now() - usedAt > IDLE_MS) thread.kill();
  };
  const look = () => {
    if (merging) return;
    try {
      lookOnce();
    } catch (error) {
      fail(error as Error);
    }
  };
  const looking = setInterval(look, LOOK_EVERY_MS).unref();
  const stopLooking = () => clearInterval(looking);
  leaveToCommits(MERGED_BY_COMMITS_FROM);

  return {
    look,
    settled: async () => merging?.promise,
    async stop() {
      stopLooking();
      if (merging) await Promise.race([merging.promise, Bun.sleep(STOP_MS)]);
      thread.end();
    },
  };
}
