import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { type Found, find, type SearchTask } from "../find.ts";
import type { SearchHit } from "../shapes.ts";
import { findSimilar, type SimilarTask } from "../similar.ts";
import { createMirror, type Mirror, prepare } from "./mirror.ts";

/** The tasks of a search engine, in the form sent to the search thread. */
export type EngineTask = ({ kind: "search" } & SearchTask) | ({ kind: "similar" } & SimilarTask);

/** Answers searches, here or in a thread. */
export type SearchEngine = {
  /** @throws The signal's reason once it is aborted, even if the search goes on. */
  search(task: SearchTask, signal: AbortSignal): Promise<Found>;
  /** Resolves to undefined when the owner has no such track. */
  similar(task: SimilarTask, signal: AbortSignal): Promise<SearchHit[] | undefined>;
};

/** Returns an engine that searches in this thread, over its own connection or a shared one. */
export function createEngine(db: Db, mirror: Mirror = createMirror(db)): SearchEngine {
  const run = async <Answer>(
    ownerId: LibraryId,
    signal: AbortSignal,
    work: () => Answer,
  ): Promise<Answer> => {
    await prepare(mirror, ownerId);
    signal.throwIfAborted();
    // One transaction: the mirror and the reasons read the same state of the database.
    return db.$client.transaction(work).deferred();
  };
  return {
    search: (task, signal) => run(task.ownerId, signal, () => find(db, mirror, task)),
    similar: (task, signal) => run(task.ownerId, signal, () => findSimilar(db, mirror, task)),
  };
}
