/** Work to be done later, as its author describes it. */
export type NewJob = {
  /** The kind of work; its handler is found by it. */
  name: string;
  payload: Record<string, unknown>;
  /** At most one waiting job of a name has this key, and jobs that share it never run at the same time. */
  uniqueKey?: string;
  /** Epoch milliseconds; at once when left out. */
  runAt?: number;
  /** Tries before the job is dead, the first included. Five when left out. */
  maxAttempts?: number;
};

/** A job in the hands of a run. */
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

/** What a handler is told of the run it does. */
export type JobRun = {
  /** Fires when the program stops or the job was lost; the handler then throws as soon as it can. */
  signal: AbortSignal;
  /** 1 at the first try. */
  attempt: number;
  /** True when a failure of this try is final. */
  isLastAttempt: boolean;
};

/**
 * Does a job's work. It may run again after it was done (a crash came before that was noted), so doing it twice
 * must come to the same. Throwing means trying again later.
 */
export type JobHandler = (payload: Record<string, unknown>, run: JobRun) => Promise<void>;

/** Job name -> how it is done, and how many of its kind run at once. */
export type JobTable = Readonly<Record<string, { run: JobHandler; concurrency: number }>>;
