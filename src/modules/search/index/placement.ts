import type { Db } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { SECOND_MS } from "../../../kernel/time.ts";
import type { SearchEngine } from "./engine.ts";
import { acceptSnapshot, listUnkept, sweepSnapshots } from "./snapshots.ts";
import { createSearchThread } from "./thread.ts";

/** The first moments of a server belong to the requests that waited for it. */
const SETTLED_MS = SECOND_MS;

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
 * Lets a separate thread search the database from now on; the first search starts it, or an account that has no file to
 * be read from quickly. Returns how to end it. The database must be a file: no other thread can read one in memory.
 */
export function startSearching(
  { db, log }: Pick<Deps, "db" | "log">,
  spawn: () => Worker,
): { stop: () => void } {
  const attempt = (failure: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      log("warn", failure, { error });
    }
  };
  const thread = createSearchThread(db.$client.filename, spawn, (said) => {
    if (said.kind === "log") log(said.level, said.message, said.fields);
    else
      attempt("The file of a search index could not be taken on", () => {
        acceptSnapshot(db, said.row);
        log("info", "Wrote a search index to its file", { tracks: said.row.tracks });
      });
  });
  engines.set(db, Promise.resolve(thread));
  // First, since a thread may be writing a file that no row names yet.
  attempt("Unused files of search indexes could not be deleted", () => sweepSnapshots(db));
  const looking = setTimeout(() => {
    attempt("Libraries without a search index could not be looked for", () => {
      if (listUnkept(db).length > 0) thread.warm();
    });
  }, SETTLED_MS).unref();
  return {
    stop() {
      clearTimeout(looking);
      engines.delete(db);
      thread.close();
    },
  };
}
