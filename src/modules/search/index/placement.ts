import type { Db } from "../../../../db/client.ts";
import type { SearchEngine } from "./engine.ts";
import { createSearchThread } from "./thread.ts";

/** Who searches a database: a thread where one was started, else whoever asks. */
const engines = new WeakMap<Db, Promise<SearchEngine>>();

/** Returns the engine of a database, one that searches in this thread unless {@link startSearching} made another. */
export function engineOf(db: Db): Promise<SearchEngine> {
  const engine = engines.get(db) ?? searchHere(db);
  engines.set(db, engine);
  return engine;
}

/** Only who searches reads the lexicon: forty megabytes, and a tenth of a second at the start. */
async function searchHere(db: Db): Promise<SearchEngine> {
  const { createEngine } = await import("./engine.ts");
  return createEngine(db);
}

/**
 * Lets a thread of its own search the database from now on, and tells it to read what is there. Returns how to end it.
 * The database must be a file: nobody else can read one in memory.
 */
export function startSearching(db: Db, spawn: () => Worker): { stop: () => void } {
  const thread = createSearchThread(db.$client.filename, spawn);
  engines.set(db, Promise.resolve(thread));
  thread.start();
  return {
    stop() {
      engines.delete(db);
      thread.close();
    },
  };
}
