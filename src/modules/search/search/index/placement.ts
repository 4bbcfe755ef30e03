import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import type { Settings } from "../../../../kernel/settings.ts";
import { SECOND_MS } from "../../../../kernel/time.ts";
import type { SearchEngine } from "./engine.ts";
import { acceptSnapshot, hasTracks, listUnkept, sweepSnapshots } from "./snapshots.ts";
import { createSearchThread, type SearchThread } from "./thread.ts";
import type { ThreadReport } from "./worker.ts";

/** Delay after the start, because waiting requests come first. */
const SETTLED_MS = SECOND_MS;

/** The search engine of each database: a thread if one was started, otherwise the calling thread. */
const engines = new WeakMap<Db, Promise<SearchEngine>>();
/** The threads among them, with the accounts that they were made ready for. */
const threads = new WeakMap<Db, { thread: SearchThread; ready: Set<string> }>();

/** Returns the engine of a database. It searches in this thread unless {@link startSearching} set another one. */
export function engineOf(db: Db): Promise<SearchEngine> {
  const engine = engines.get(db) ?? searchHere(db);
  engines.set(db, engine);
  return engine;
}

/**
 * Says that somebody of an account is here: the thread, if there is one, gets ready for the account's first search. While
 * the account has no tracks, a call costs one short statement; afterwards, nothing.
 */
export function expectSearches(db: Db, ownerId: LibraryId): void {
  const { thread, ready } = threads.get(db) ?? {};
  if (!thread || !ready || ready.has(ownerId) || !hasTracks(db, ownerId)) return;
  ready.add(ownerId);
  thread.ready(ownerId);
}

/** Loads the engine only when needed, because the lexicon takes forty megabytes and a tenth of a second to read. */
async function searchHere(db: Db): Promise<SearchEngine> {
  const { createEngine } = await import("./engine.ts");
  return createEngine(db);
}

/**
 * Lets a separate thread search the database from now on. The first search starts the thread, or {@link expectSearches}, or a
 * large account without an up-to-date index file. Returns a function to stop it. The database must be a file: another thread cannot
 * read one in memory.
 */
export function startSearching(
  { db, log, settings }: Pick<Deps, "db" | "log"> & { settings?: Pick<Settings, "slowQueryMs"> },
  spawn: () => Worker,
): { stop: () => void } {
  const attempt = (failure: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      log("warn", failure, { error });
    }
  };
  const report = (said: ThreadReport) => {
    if (said.kind === "log") log(said.level, said.message, said.fields);
    else
      attempt("The file of a search index could not be registered", () => {
        acceptSnapshot(db, said.row);
        log("info", "Wrote a search index to its file", { tracks: said.row.tracks });
      });
  };
  const thread = createSearchThread(db.$client.filename, spawn, report, settings?.slowQueryMs);
  engines.set(db, Promise.resolve(thread));
  threads.set(db, { thread, ready: new Set() });
  // Sweep first: later, a thread may be writing a file that no row names yet.
  attempt("Unused files of search indexes could not be deleted", () => sweepSnapshots(db));
  const looking = setTimeout(() => {
    attempt("Libraries without a search index could not be listed", () => {
      if (listUnkept(db).length > 0) thread.warm();
    });
  }, SETTLED_MS).unref();
  return {
    stop() {
      clearTimeout(looking);
      engines.delete(db);
      threads.delete(db);
      thread.close();
    },
  };
}
