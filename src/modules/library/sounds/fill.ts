import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { JobHandler } from "../../../jobs/job.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { fillPassages } from "./passages.ts";
import { firstSeqOf, readFill, selectTracksAfter, spaceFor, writeFill } from "./queries.ts";
import { SOUND_DIMENSIONS, SOUND_VERSION } from "./sound-vector.ts";
import { putSounds } from "./store.ts";

/** The job that makes the vectors of tracks that were analysed before there was a table of them. */
export const FILL_JOB = "fill_vectors";

/** Tracks per transaction: about 20 ms of work, most of it for their passages. */
const AT_ONCE = 100;

/**
 * Queues the vectors that this version compares by and the table lacks. Called at startup, after the job queue has
 * recovered; interrupted work goes on where it stopped. Returns whether there is anything to do.
 */
export function recoverSounds({ db, now }: Pick<Deps, "db" | "now">): boolean {
  return transact(db, (tx) => {
    const soundSeq = madeUpTo(tx);
    if (soundSeq === null) return false;
    if (selectTracksAfter(tx, soundSeq, 1).length === 0) {
      writeFill(tx, { soundSeq: null });
      return false;
    }
    promise(tx, now());
    return true;
  });
}

/** Returns up to which track vectors of this version have been made; null: all of them. */
function madeUpTo(tx: Db): number | null {
  const space = spaceFor(tx, SOUND_VERSION, SOUND_DIMENSIONS);
  if (readFill(tx).space !== space) writeFill(tx, { space, soundSeq: 0 });
  return readFill(tx).soundSeq;
}

/** Has the vectors of an account's tracks made, which came from elsewhere without them. */
export function requestSounds(tx: Db, ownerId: LibraryId, at: number): void {
  const first = firstSeqOf(tx, ownerId);
  if (first === undefined) return;
  const before = first - 1;
  writeFill(tx, { soundSeq: Math.min(madeUpTo(tx) ?? before, before) });
  promise(tx, at);
}

function promise(tx: Db, at: number): void {
  enqueue(tx, { name: FILL_JOB, payload: {}, uniqueKey: FILL_JOB }, at);
}

/** Returns the handler of {@link FILL_JOB}. It pauses for as long as it works. */
export function fillHandler({ db }: Pick<Deps, "db">): JobHandler {
  return async (_, { signal }) => {
    for (;;) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      if (!fillSome(db)) return;
      await Bun.sleep(performance.now() - startedAt);
    }
  };
}

/** Makes the next vectors in one transaction. Returns whether there may be more to make. */
export function fillSome(db: Db): boolean {
  return transact(db, (tx) => {
    const soundSeq = madeUpTo(tx);
    if (soundSeq === null) return false;
    const seqs = selectTracksAfter(tx, soundSeq, AT_ONCE).map(({ seq }) => seq);
    putSounds(tx, seqs);
    fillPassages(tx, seqs);
    const isLast = seqs.length < AT_ONCE;
    writeFill(tx, { soundSeq: isLast ? null : (seqs.at(-1) ?? null) });
    return !isLast;
  });
}
