import { Database } from "bun:sqlite";
import { giveWay } from "../../kernel/processes.ts";

// The entry of the thread that merges the write-ahead log into the database.
declare const self: Worker;

/** Asks for a checkpoint of the database at this path. */
export type ToThread = { path: string };
/** The checkpoint is over. An error's code does not survive the way between threads by itself. */
export type FromThread = { failure?: { message: string; code: string } };

/** Requests have priority. */
const NICENESS = 10;
/** What was written during a round is merged by the next, shorter one, so that the log can begin anew. */
const ROUNDS = 4;

// On Linux this sets the niceness of only this thread; elsewhere it would slow down the whole program.
if (process.platform === "linux") giveWay(0, NICENESS);

self.onmessage = ({ data }: MessageEvent<ToThread>) => say(attempt(data));

function attempt({ path }: ToThread): FromThread {
  try {
    merge(path);
    return {};
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { failure: { message, code: code ?? "" } };
  }
}

function merge(path: string): void {
  const client = new Database(path, { readwrite: true });
  try {
    client.run("PRAGMA synchronous = FULL");
    const merging = client.query<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(PASSIVE)");
    for (let round = 0; round < ROUNDS; round++) {
      const { log, checkpointed } = merging.get() ?? { log: 0, checkpointed: 0 };
      if (log === checkpointed) return;
    }
  } finally {
    client.close();
  }
}

function say(message: FromThread): void {
  self.postMessage(message);
}
