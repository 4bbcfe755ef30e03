import { dataVersion } from "../../db/writes.ts";
import { conditionOf } from "../kernel/condition.ts";
import type { Deps } from "../kernel/deps.ts";
import { meter } from "../kernel/meter.ts";
import { asRefusal } from "../kernel/refusals.ts";
import { MINUTE_MS, SECOND_MS } from "../kernel/time.ts";
import { type Bell, createBell, type Timer } from "./bell.ts";
import { claimJob, LEASE_MS, nextDueAt, renewLease } from "./claim.ts";
import type { ClaimedJob, JobKind, JobTable } from "./job.ts";
import { onEnqueue } from "./queue.ts";
import { completeJob, failJob, recoverLost, releaseJob, type Settled } from "./settle.ts";
import { startWorkLoop } from "./work-loop.ts";

/** How often to check for a job from another process. */
const LOOK_EVERY_MS = 200;
const BEAT_EVERY_MS = LEASE_MS / 4;
/** Until a job is tried again for whose results the disk had no room. */
const NO_ROOM_PAUSE_MS = MINUTE_MS;

/** Runs jobs side by side in this process. */
export type JobLoop = {
  /** Looks for work now. Jobs enqueued on the same connection wake the loop by themselves. */
  wake(): void;
  /** Resolves when no job runs and no job is due. Jobs that wait for a later time do not count. */
  idle(): Promise<void>;
  /** Takes no more jobs, aborts the running ones, hands them back, and resolves when all have ended. */
  stop(): Promise<void>;
};

type LoopDeps = Pick<Deps, "db" | "now" | "log">;
type Run = { job: ClaimedJob; abort: AbortController; ended: Promise<void> };
type State = {
  deps: LoopDeps;
  table: JobTable;
  bell: Bell;
  runs: Set<Run>;
  isStopping: boolean;
  beatAt: number;
};

/**
 * Starts running the jobs of a table, with the concurrency given for each name. Between jobs it sleeps until the
 * next job is due or {@link onEnqueue} wakes it. Five times per second it asks SQLite whether another process wrote
 * anything (`PRAGMA data_version`, which reads no table).
 *
 * @param timer Tests replace it; the times themselves come from `deps.now`.
 */
export function startLoop(deps: LoopDeps, table: JobTable, timer?: Timer): JobLoop {
  const bell = createBell(timer);
  const state: State = { deps, table, bell, runs: new Set(), isStopping: false, beatAt: 0 };
  meter(deps.db, { kind: "job names", names: Object.keys(table) });
  const stopListening = onEnqueue(deps.db, bell.ring);
  const work = startWorkLoop({
    log: deps.log,
    bell,
    failure: "The job queue cannot be read; will try again",
    isOver: () => state.isStopping,
    turn: (reportIdle) => {
      const seen = dataVersion(deps.db);
      return rest(state, turn(state, reportIdle), seen);
    },
    finish: () => Promise.all(Array.from(state.runs, (run) => run.ended)),
  });
  return {
    wake: bell.ring,
    idle: work.idle,
    async stop() {
      state.isStopping = true;
      bell.ring();
      for (const run of state.runs) run.abort.abort(new DOMException("The program stops", "AbortError"));
      await work.ended;
      stopListening();
    },
  };
}

/** Does the work that is due and returns when to look again. */
function turn(state: State, reportIdle: () => void): number {
  beat(state);
  const dueAt = startDueJobs(state);
  if (state.runs.size === 0) reportIdle();
  return Math.min(dueAt, state.beatAt);
}

async function rest({ deps, bell }: State, until: number, seen: number): Promise<void> {
  // Wait at least once per turn, so requests are served between turns.
  do {
    const leftMs = Math.max(0, until - deps.now());
    if (await bell.wait(Math.min(LOOK_EVERY_MS, leftMs))) return;
  } while (deps.now() < until && dataVersion(deps.db) === seen);
}

/** Renews its own leases before recovering lost jobs: after the machine slept, all leases look lost. */
function beat(state: State): void {
  const { deps, runs } = state;
  if (deps.now() < state.beatAt) return;
  state.beatAt = deps.now() + BEAT_EVERY_MS;
  for (const { job, abort } of runs)
    if (!renewLease(deps, job)) abort.abort(new Error(`Job ${job.id} was taken from this run`));
  if (recoverLost(deps, deps.now()) === 0) return;
  for (const { onLost } of Object.values(state.table)) onLost?.();
}

/** Fills every free place with a due job and returns when the next job is due. */
function startDueJobs(state: State): number {
  const dueAt = Object.entries(state.table).map(([name, kind]) => {
    if (!mustGiveWay(state, kind)) return startDue(state, name, kind);
    for (const { abort } of runsOf(state, name)) abort.abort(new GaveWay());
    return Number.POSITIVE_INFINITY;
  });
  return Math.min(...dueAt);
}

function mustGiveWay(state: State, { givesWayTo = [] }: JobKind): boolean {
  return givesWayTo.some(
    (name) =>
      runsOf(state, name).length > 0 ||
      (nextDueAt(state.deps, name) ?? Number.POSITIVE_INFINITY) <= state.deps.now(),
  );
}

const runsOf = (state: State, name: string) => Array.from(state.runs).filter((run) => run.job.name === name);

/** Starts as many due jobs of a name as there are places. When all are taken, the next run to end wakes the loop. */
function startDue(state: State, name: string, { concurrency }: JobKind): number {
  let free = concurrency - runsOf(state, name).length;
  let dueAt = nextDueAt(state.deps, name);
  while (free > 0 && dueAt !== undefined && dueAt <= state.deps.now()) {
    const job = claimJob(state.deps, name);
    if (job) start(state, job);
    free--;
    dueAt = nextDueAt(state.deps, name);
  }
  return free > 0 && dueAt !== undefined ? dueAt : Number.POSITIVE_INFINITY;
}

function start(state: State, job: ClaimedJob): void {
  const abort = new AbortController();
  const run: Run = { job, abort, ended: Promise.resolve() };
  state.runs.add(run);
  run.ended = perform(state, job, abort.signal).finally(() => {
    state.runs.delete(run);
    state.bell.ring();
  });
}

/** Never rejects. If recording the outcome fails too, that is logged, and the job comes back when its lease ends. */
async function perform(state: State, job: ClaimedJob, signal: AbortSignal): Promise<void> {
  const { deps, table } = state;
  const { id, name, attempts, maxAttempts } = job;
  const from = performance.now();
  const count = (outcome: Settled) =>
    meter(deps.db, { kind: "job", name, outcome, seconds: (performance.now() - from) / SECOND_MS });
  try {
    await table[name]?.run(job.payload, {
      signal,
      attempt: attempts,
      isLastAttempt: attempts >= maxAttempts,
    });
    count(completeJob(deps, job));
  } catch (error) {
    conditionOf(deps.db).report(error);
    try {
      const settled = settle(state, job, { error, signal });
      count(settled);
      if (hasGivenWay(signal)) return;
      const level = settled === "dead" ? "error" : "warn";
      if (!state.isStopping) deps.log(level, `Job ${name} failed`, { id, attempts, settled, error });
    } catch (trouble) {
      deps.log("error", `Job ${name} failed and cannot be put back yet`, { id, error, trouble });
    }
  }
}

/** Why a run of a kind that gives way to others was aborted. */
class GaveWay extends Error {
  override readonly name = "GaveWay";
  override readonly message = "Other jobs come first";
}

const hasGivenWay = (signal: AbortSignal) => signal.aborted && signal.reason instanceof GaveWay;

/**
 * Records a failed run. One that the stop of the program, other jobs or a full disk ended is tried again and does not
 * count.
 */
function settle(
  { deps, isStopping }: State,
  job: ClaimedJob,
  { error, signal }: { error: unknown; signal: AbortSignal },
): Settled {
  if (hasGivenWay(signal) || (isStopping && signal.aborted)) return releaseJob(deps, job);
  const isNoRoom = asRefusal(error)?.code === "insufficient_storage";
  return isNoRoom ? releaseJob(deps, job, deps.now() + NO_ROOM_PAUSE_MS) : failJob(deps, job, error);
}
