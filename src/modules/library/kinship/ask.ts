import { withLocalCopy } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { KinTrack } from "./queries.ts";
import type { RelateAnswer, RelatePool, RelateTask, SoundFile } from "./task.ts";

export type RelateDeps = Pick<Deps, "db" | "now" | "log" | "settings" | "ffmpegPath" | "selfCommand">;

/** Has a thread do a task; the caller knows the kind of its answer. */
export type Ask = <Answer extends RelateAnswer>(task: RelateTask) => Promise<Answer>;

/** A comparison takes seconds; this is for a machine that does everything else first. */
const MAX_WALL_MS = 10 * 60_000;

/** Returns what asks a thread, which is started when it is first needed, and what ends it. */
export function createAsk(startThread: () => RelatePool, signal: AbortSignal): { ask: Ask; end: () => void } {
  let pool: RelatePool | undefined;
  return {
    ask: (task) => {
      pool ??= startThread();
      // The task says which answer comes.
      return pool.run(task, AbortSignal.any([signal, AbortSignal.timeout(MAX_WALL_MS)])) as Promise<never>;
    },
    end: () => pool?.close(),
  };
}

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
  const open = (paths: readonly string[]): Promise<Answer | undefined> => {
    const next = tracks[paths.length];
    if (next === undefined) return work(paths.map((path) => ({ path, ffmpegPath, selfCommand })));
    return withLocalCopy(settings, next.sha256, (path) => open([...paths, path]));
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
