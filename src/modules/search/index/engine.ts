import type { Db } from "../../../../db/client.ts";
import { type Found, find, type SearchTask } from "../find.ts";
import type { SearchHit } from "../model.ts";
import { findSimilar, type SimilarTask } from "../similar.ts";
import { createMirror, type Mirror, prepare } from "./mirror.ts";

/** What can be asked of whatever does the searching; a thread is sent these as they are. */
export type EngineTask = ({ kind: "search" } & SearchTask) | ({ kind: "similar" } & SimilarTask);

/** Answers searches, here or in a thread. */
export type SearchEngine = {
  /** @throws The signal's reason once it is aborted, whatever becomes of the search. */
  search(task: SearchTask, signal: AbortSignal): Promise<Found>;
  /** Undefined: the owner has no such track. */
  similar(task: SimilarTask, signal: AbortSignal): Promise<SearchHit[] | undefined>;
};

/** Returns an engine that searches in this thread, over a connection of its own or one that it shares. */
export function createEngine(db: Db, mirror: Mirror = createMirror(db)): SearchEngine {
  const run = async <Answer>(ownerId: string, signal: AbortSignal, work: () => Answer): Promise<Answer> => {
    await prepare(mirror, ownerId);
    signal.throwIfAborted();
    // One snapshot: what the mirror has is what the reasons are read from.
    return db.$client.transaction(work).deferred();
  };
  return {
    search: (task, signal) => run(task.ownerId, signal, () => find(db, mirror, task)),
    similar: (task, signal) => run(task.ownerId, signal, () => findSimilar(db, mirror, task)),
  };
}
