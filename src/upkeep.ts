import { countServing } from "./backup/upgrade-served.ts";
import { type Emptied, emptyQuarantine } from "./blobs/empty.ts";
import { bringBack } from "./blobs/quarantine.ts";
import { type Sweep, sweepTemporary, sweepUnnamed } from "./blobs/sweep.ts";
import { forgetUnfinished, tidyAnswers } from "./http/idempotency.ts";
import { conditionOf } from "./kernel/condition.ts";
import type { Deps } from "./kernel/deps.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./kernel/time.ts";
import { sweepWorkDirs } from "./kernel/work-dirs.ts";
import { MODULES } from "./modules/index.ts";
import type { Prune } from "./modules/module.ts";
import { SHELVES } from "./shelves.ts";
import { startCheckpoints } from "./store/checkpoints/checkpoints.ts";
import { limitLog } from "./store/log-size.ts";
import { correctAllModes } from "./store/modes.ts";
import { startPageCheck } from "./store/pages.ts";
import { giveReserve, keepReserve } from "./store/reserve.ts";

/**
 * Repairs what the last server left behind, before a request needs it. Only the library's one server may call this.
 */
export function recoverFiles(deps: Deps): void {
  forgetUnfinished(deps);
  const broughtBack = bringBack(deps, SHELVES);
  if (broughtBack > 0) deps.log("info", "Brought files back from the quarantine", { files: broughtBack });
}

/** The background work of a server. */
export type Upkeep = {
  /** Resolves when the work in progress has ended. */
  stop: () => Promise<void>;
};

/**
 * Starts the upkeep: a part of it runs at once, and all of it every hour.
 *
 * @param spawnMerging Creates the thread that merges the database's log.
 */
export function startUpkeep(deps: Deps, spawnMerging: () => Worker): Upkeep {
  const checkpoints = startCheckpoints(deps, spawnMerging);
  const check = startPageCheck(deps);
  const serving = countServing(deps);
  const noteServing = () => attempt(deps, ["Copies from before upgrades could not be deleted", serving.note]);
  let working = tidyAtStart(deps);
  const hourly = setInterval(() => {
    working = working.then(() => tidyHourly(deps)).then(noteServing);
  }, HOUR_MS).unref();
  const reserving = setInterval(() => {
    keepReserve(deps.settings);
    void attempt(deps, ["The database's log could not be cut", () => limitLog(deps)]);
  }, MINUTE_MS).unref();
  conditionOf(deps.db).onFull(() => {
    if (giveReserve(deps.settings)) deps.log("warn", "The disk is full: the reserve was given back to it");
  });
  return {
    stop: async () => {
      clearInterval(hourly);
      clearInterval(reserving);
      check.stop();
      await working;
      await noteServing();
      await checkpoints.stop();
    },
  };
}

/** Deletes temporary files of processes that have ended. They were never acknowledged. */
async function tidyAtStart(deps: Deps): Promise<void> {
  const steps: readonly Step[] = [
    ["The rights of files could not be corrected", () => correctAllModes(deps.settings)],
    ["The reserve could not be made", () => keepReserve(deps.settings)],
    ["Temporary files could not be deleted", () => sweepTemporary(deps)],
    ["Temporary folders could not be deleted", () => sweepWorkDirs()],
    ...pruning(deps, (prune) => prune.isAlsoAtStart === true),
  ];
  for (const step of steps) await attempt(deps, step);
}

/**
 * Deletes expired rows and files, and sets aside files that no row names. It first runs an hour after the start: by then, an
 * operator who put back the wrong database has noticed.
 */
export async function tidyHourly(deps: Deps): Promise<void> {
  const steps: readonly Step[] = [
    ["Old answers could not be deleted", () => tidyAnswers(deps)],
    ...pruning(deps),
    ["The sweep of unused files failed", async () => logSweep(deps, await sweepUnnamed(deps, SHELVES))],
    ["The quarantine could not be emptied", () => emptyOld(deps)],
  ];
  for (const step of steps) await attempt(deps, step);
}

/** What modules delete when its time is over, as steps. */
const pruning = (deps: Deps, isDue: (prune: Prune) => boolean = () => true): Step[] =>
  MODULES.flatMap(({ prune }) => (prune && isDue(prune) ? [[prune.failure, () => prune.run(deps)]] : []));

type Step = readonly [failure: string, work: () => unknown];

async function attempt({ db, log }: Deps, [failure, work]: Step): Promise<void> {
  if (conditionOf(db).damage !== undefined) return;
  try {
    await work();
  } catch (error) {
    log("error", failure, { error });
    conditionOf(db).report(error);
  }
}

function logSweep({ log }: Pick<Deps, "log">, { heldBy, isNewHold, moved, folders }: Sweep): void {
  if (isNewHold)
    log(
      "warn",
      "Files without a row in the database were left where they are: is dubplate.db the right one? If it is: dubplate quarantine accept",
      { heldBy, ...folders },
    );
  else if (moved > 0) log("info", "Moved files that no row names to the quarantine", { moved, ...folders });
}

/** Deletes files that have been in the quarantine for `QUARANTINE_DAYS`. With 0 they stay. */
async function emptyOld(deps: Deps): Promise<void> {
  const { quarantineDays } = deps.settings;
  if (quarantineDays === 0) return;
  const { deleted, bytes }: Emptied = await emptyQuarantine(deps, SHELVES, quarantineDays * DAY_MS);
  if (deleted > 0) deps.log("info", "Deleted old files from the quarantine", { deleted, bytes });
}
