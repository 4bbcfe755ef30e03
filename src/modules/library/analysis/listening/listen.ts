import { type Db, transact } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { originalsOf, withLocalCopy } from "../../../../blobs/store.ts";
import { EARS_VERSION } from "../../../../ears/tags.ts";
import type { JobHandler } from "../../../../jobs/job.ts";
import { enqueue } from "../../../../jobs/queue.ts";
import { type Deps, within } from "../../../../kernel/deps.ts";
import { isFullDisk } from "../../../../kernel/trouble.ts";
import { tellListened, tellListening } from "../../../people/notifications/service.ts";
import { outdateModelsOf } from "../../tags/service.ts";
import { recoverLearning } from "../learning/recover.ts";
import { refreshTracks } from "../learning/refresh.ts";
import { putHeard } from "../queries.ts";
import type { Heard, ListenTask } from "../task.ts";
import type { WorkerPool } from "../worker-pool.ts";
import { countUnheard, findUnheard, LISTEN_JOB, listenKeyOf, nextUnheard, type Unheard } from "./unheard.ts";

/** The thread that listens again. */
export type ListenPool = WorkerPool<ListenTask, Heard>;

/** What listening needs besides its file. */
export type ListenDeps = Pick<Deps, "db" | "now" | "log" | "settings" | "ffmpegPath" | "selfCommand">;

/**
 * Returns the handler of {@link LISTEN_JOB}: listens to a track whose analysis is older than the ears, and promises the
 * next older one; payload `{ trackId, below }`. What was heard and the suggestions that it changes are all that is
 * written. A file that cannot be read is passed over until the next start.
 */
export function listenHandler(deps: ListenDeps, pool: ListenPool): JobHandler {
  return async (payload, { signal }) => {
    const track = beginListening(deps, payload);
    if (track) await listenTo(deps, pool, track, signal);
    await listenOn(deps, payload, signal);
  };
}

/** Returns the track of a {@link LISTEN_JOB}; undefined for the first job, and when it was heard or deleted meanwhile. */
export function beginListening(
  { db }: Pick<Deps, "db">,
  { trackId }: Record<string, unknown>,
): Unheard | undefined {
  return trackId === undefined ? undefined : findUnheard(db, String(trackId));
}

/** Promises the job of the next older track. */
export async function listenOn(
  deps: ListenDeps,
  { below }: Record<string, unknown>,
  signal: AbortSignal,
): Promise<void> {
  const next = await nextWithFile(deps, Number(below), signal);
  if (next) transact(deps.db, (tx) => promise(tx, next, deps.now()));
  else finish(deps);
}

/** Passes over tracks whose files are gone: a job for each would keep a library on an unmounted disk busy. */
async function nextWithFile(
  { db, settings }: ListenDeps,
  below: number,
  signal: AbortSignal,
): Promise<Unheard | undefined> {
  let next = await nextUnheard(db, below, signal);
  while (next && originalsOf(settings).find(next.sha256) === undefined)
    next = await nextUnheard(db, next.seq, signal);
  return next;
}

function promise(tx: Db, { trackId, seq }: Unheard, at: number): void {
  enqueue(tx, { name: LISTEN_JOB, payload: { trackId, below: seq }, uniqueKey: listenKeyOf(trackId) }, at);
}

async function listenTo(
  deps: ListenDeps,
  pool: ListenPool,
  track: Unheard,
  signal: AbortSignal,
): Promise<void> {
  const { ffmpegPath, selfCommand } = deps;
  try {
    const heard = await withLocalCopy(deps.settings, track.sha256, (path) =>
      pool.run({ path, ffmpegPath, selfCommand, only: "ears" }, signal),
    );
    // Null: it was heard, and is no music.
    if (heard !== undefined) storeHeard(deps, track, heard);
  } catch (error) {
    if (signal.aborted || isFullDisk(error)) throw error;
    passOver(deps, track, error);
  }
}

/** Says that a track's file could not be read. */
export function passOver({ log }: Pick<Deps, "log">, { trackId }: Unheard, error: unknown): void {
  log("warn", "A track could not be listened to again", { trackId, error });
}

/** Stores what was heard in a track, here or on another machine, unless other audio is its analysed one by now. */
export function storeHeard(
  { db, now }: Pick<Deps, "db" | "now">,
  { trackId, versionId }: Unheard,
  heard: Heard,
): void {
  transact(db, (tx) => {
    const current = findUnheard(tx, trackId);
    if (current?.versionId !== versionId) return;
    const { ownerId } = current;
    const count = () => countUnheard(tx, ownerId);
    tellListening(tx, { accountId: ownerId, ears: EARS_VERSION, count }, now());
    putHeard(tx, trackId, heard);
    // The models are trained again when everything has been heard: not once for each track.
    outdateModelsOf(tx, ownerId, trackId);
    refreshTracks(tx, ownerId, [trackId]);
  });
}

function finish(deps: ListenDeps): void {
  transact(deps.db, (tx) => {
    recoverLearning(within(deps, tx));
    const countLeft = (accountId: LibraryId) => countUnheard(tx, accountId);
    tellListened(tx, { ears: EARS_VERSION, countLeft }, deps.now());
  });
}
