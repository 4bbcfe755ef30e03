import type { LibraryId } from "../../../../db/schema.ts";
import { dataVersion } from "../../../../db/writes.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { SECOND_MS } from "../../../kernel/time.ts";
import { onAnalysed } from "../catalog/service.ts";
import { selectAnalyses } from "./queries.ts";
import type { WaitedForTracks, WaitForTracks } from "./wait-shapes.ts";

/** So many requests may wait at once; a further one gets 429. */
const MAX_WAITING = 200;
const RETRY_AFTER_SEC = 5;
/** How often a process that waits looks for writes of other processes. */
const LOOK_MS = 250;

/** Waits for the analyses of an account's tracks. `signal` ends the wait and frees its place. */
export type Wait = (ownerId: LibraryId, wish: WaitForTracks, signal: AbortSignal) => Promise<WaitedForTracks>;

/**
 * Makes the waits of a process. They look when an analysis ends in this process, when another process has written, and once
 * more when their time has run out.
 */
export function createWait({ db }: Pick<Deps, "db">): Wait {
  const waiting = createWaiting(db);

  return (ownerId, { trackIds, timeoutSec = 30 }, signal) => {
    const state = () => stateOf(db, ownerId, trackIds);
    const first = state();
    if (first.done || timeoutSec === 0) return Promise.resolve(first);
    if (waiting.size >= MAX_WAITING) throw tooMany();
    return new Promise((resolve, reject) => {
      const end = () => {
        waiting.delete(look);
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
      };
      const finish = (answer: WaitedForTracks) => {
        end();
        resolve(answer);
      };
      const look = () => {
        const now = state();
        if (now.done) finish(now);
      };
      const giveUp = () => {
        end();
        reject(signal.reason);
      };
      const timer = setTimeout(() => finish(state()), timeoutSec * SECOND_MS);
      timer.unref();
      waiting.add(look);
      signal.addEventListener("abort", giveUp);
      if (signal.aborted) giveUp();
    });
  };
}

/** The requests that wait. Four times a second, while there are any, a counter of the database tells of other writers. */
function createWaiting(db: Deps["db"]) {
  const looks = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let isNoted = false;
  let version = 0;
  const lookAll = () => {
    for (const look of looks) look();
  };
  onAnalysed(db, () => {
    if (isNoted || looks.size === 0) return;
    isNoted = true;
    // The transaction is still open; it ends before this runs.
    queueMicrotask(() => {
      isNoted = false;
      lookAll();
    });
  });
  const lookForOthers = () => {
    const now = dataVersion(db);
    if (now === version) return;
    version = now;
    lookAll();
  };
  return {
    get size() {
      return looks.size;
    },
    add(look: () => void) {
      looks.add(look);
      if (timer !== undefined) return;
      timer = setInterval(lookForOthers, LOOK_MS);
      timer.unref();
    },
    delete(look: () => void) {
      looks.delete(look);
      if (looks.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}

function stateOf(db: Deps["db"], ownerId: LibraryId, trackIds: readonly string[]): WaitedForTracks {
  const ids = [...new Set(trackIds)];
  const found = new Map(selectAnalyses(db, ownerId, ids).map((row) => [row.id, row]));
  const tracks = ids
    .map((id) => found.get(id))
    .filter((row) => row !== undefined)
    .map(({ id, ...analysis }) => ({ id, analysis }));
  const done = tracks.every(({ analysis: { status } }) => status === "completed" || status === "failed");
  return { done, tracks, notFound: ids.filter((id) => !found.has(id)) };
}

const tooMany = () =>
  new DomainError("rate_limit_exceeded", "Too many requests are waiting: try again in a moment", {
    headers: { "retry-after": String(RETRY_AFTER_SEC) },
  });
