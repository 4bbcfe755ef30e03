/** Work to do later, as described by the code that needs it. */
export type NewJob = {
  /** The kind of work; it selects the handler. */
  name: string;
  payload: Record<string, unknown>;
  /** At most one waiting job of a name has this key, and jobs with the same key never run at the same time. */
  uniqueKey?: string;
  /** Epoch milliseconds. Left out: at once. */
  runAt?: number;
  /** Tries before the job is dead, including the first. Left out: five. */
  maxAttempts?: number;
};

/** A job held by a run. */
export type ClaimedJob = {
  id: string;
  name: string;
  payload: Record<string, unknown>;
  uniqueKey: string | null;
  /** Tries so far, this one included. */
  attempts: number;
  maxAttempts: number;
  /** Proves that this run still holds the job. */
  leaseToken: string;
};

/** What a handler learns about its run. */
export type JobRun = {
  /** Aborts when the program stops or the job was lost. The handler must then throw as soon as it can. */
  signal: AbortSignal;
  /** 1 at the first try. */
  attempt: number;
  /** True when a failure of this try is final. */
  isLastAttempt: boolean;
};

/**
 * Does a job's work. It may run again after it finished, if a crash came before that was recorded, so running it
 * twice must give the same result. Throwing means that the job is tried again later.
 */
export type JobHandler = (payload: Record<string, unknown>, run: JobRun) => Promise<void>;

/** How jobs of a name are run. */
export type JobKind = {
  run: JobHandler;
  /** How many run at once. */
  concurrency: number;
  /** They start only while no job of these names runs or is due, and are put back when one comes. */
  givesWayTo?: readonly string[];
  /** Called when jobs were found whose run had ended without a word, of this kind or another. */
  onLost?: () => void;
};

/** Kinds of jobs by name, each with its handler still to be loaded. */
export type LazyJobs = Readonly<Record<string, Omit<JobKind, "run"> & { load: () => Promise<JobHandler> }>>;

/** Maps a job's name to how it is run. */
export type JobTable = Readonly<Record<string, JobKind>>;
