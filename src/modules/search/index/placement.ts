import type { Db } from "../../../../db/client.ts";
import { createEngine, type SearchEngine } from "./engine.ts";
import { createSearchThread } from "./thread.ts";

/** Who searches a database: a thread where one was started, else whoever asks. */
const engines = new WeakMap<Db, SearchEngine>();

/** Returns the engine of a database, one that searches in this thread unless {@link startSearching} made another. */
export function engineOf(db: Db): SearchEngine {
  const known = engines.get(db);
  if (known) return known;
  const engine = createEngine(db);
  engines.set(db, engine);
  return engine;
}

/**
 * Lets a thread of its own search the database from now on, and tells it to read what is there. Returns how to end it.
 * The database must be a file: nobody else can read one in memory.
 */
export function startSearching(db: Db, spawn: () => Worker): { stop: () => void } {
  const thread = createSearchThread(db.$client.filename, spawn);
  engines.set(db, thread);
  thread.start();
  return {
    stop() {
      engines.delete(db);
      thread.close();
    },
  };
}
