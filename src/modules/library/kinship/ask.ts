import { withLocalCopy } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { KinTrack } from "./queries.ts";
import type { RelateAnswer, RelatePool, RelateTask, SoundFile } from "./task.ts";

export type RelateDeps = Pick<Deps, "db" | "now" | "log" | "settings" | "ffmpegPath" | "selfCommand">;

/** Has a thread do a task; the caller knows the kind of its answer. */
export type Ask = <Answer extends RelateAnswer>(task: RelateTask) => Promise<Answer>;

/** A comparison takes seconds; this is for a machine that does everything else first. */
const MAX_WALL_MS = 10 * 60_000;

/** Returns what asks a thread of a pool. */
export const createAsk =
  (pool: RelatePool, signal: AbortSignal): Ask =>
  // The task says which answer comes.
  (task) =>
    pool.run(task, AbortSignal.any([signal, AbortSignal.timeout(MAX_WALL_MS)])) as Promise<never>;

/**
 * Calls `work` with the files that tracks play. Returns undefined when one is missing, cannot be decoded or takes too long: then the
 * sound says nothing.
 */
export async function withFiles<Answer>(
  deps: RelateDeps,
  tracks: readonly KinTrack[],
  work: (files: readonly SoundFile[]) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const { ffmpegPath, selfCommand, settings, log } = deps;
  const open = (files: readonly SoundFile[]): Promise<Answer | undefined> => {
    const sha256 = tracks[files.length]?.sha256;
    if (sha256 === undefined) return work(files);
    return withLocalCopy(settings, sha256, (path) =>
      open([...files, { sha256, path, ffmpegPath, selfCommand }]),
    );
  };
  try {
    return await open([]);
  } catch (error) {
    if (signal.aborted || !isOfFile(error)) throw error;
    log("info", "Tracks could not be compared", { trackIds: tracks.map(({ id }) => id), error });
    return undefined;
  }
}

/** Errors keep only their name on their way from a thread. */
const isOfFile = (error: unknown) =>
  error instanceof Error && (error.name === "MediaError" || error.name === "TimeoutError");
