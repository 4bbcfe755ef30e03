import { countServing } from "./backup/upgrade-served.ts";
import { type Emptied, emptyQuarantine } from "./blobs/empty.ts";
import { bringBack, type Shelf } from "./blobs/quarantine.ts";
import { audioShelf } from "./blobs/store.ts";
import { type Sweep, sweepTemporary, sweepUnnamed } from "./blobs/sweep.ts";
import { forgetUnfinished, tidyAnswers } from "./http/idempotency.ts";
import { conditionOf } from "./kernel/condition.ts";
import type { Deps } from "./kernel/deps.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./kernel/time.ts";
import { sweepWorkDirs } from "./kernel/work-dirs.ts";
import { pruneUploads, uploadShelf } from "./modules/briefs/submissions/prune.ts";
import { artworkShelf } from "./modules/library/artwork/service.ts";
import { pruneBin } from "./modules/library/bin/service.ts";
import { forgetUndos } from "./modules/library/desk/service.ts";
import { renditionShelf } from "./modules/library/renditions/service.ts";
import { packSounds } from "./modules/library/sounds/service.ts";
import { hasUpload, pruneOwnerUploads } from "./modules/library/uploads/service.ts";
import { pruneCalls } from "./modules/outward/assistant/service.ts";
import { pruneDeliveries } from "./modules/outward/webhooks/service.ts";
import { pruneUsage } from "./modules/people/keys/usage.ts";
import { pruneOAuth } from "./modules/people/oauth/service.ts";
import { limitLog } from "./store/log-size.ts";
import { correctAllModes } from "./store/modes.ts";
import { startPageCheck } from "./store/pages.ts";
import { giveReserve, keepReserve } from "./store/reserve.ts";

/** Unfinished uploads: those of visitors and those of owners share a folder. */
const arrivingShelf: Shelf = {
  ...uploadShelf,
  isNamed: (db, id) => uploadShelf.isNamed(db, id) || hasUpload(db, id),
};

/** Every folder whose files belong to rows. */
export const SHELVES: readonly Shelf[] = [audioShelf, artworkShelf, renditionShelf, arrivingShelf];

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

/** Starts the upkeep: a part of it runs at once, and all of it every hour. */
export function startUpkeep(deps: Deps): Upkeep {
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
    ["Old uploads could not be deleted", () => pruneUploads(deps)],
    ["Old uploads of owners could not be ended", () => pruneOwnerUploads(deps)],
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
    ["Old usage records could not be deleted", () => pruneUsage(deps)],
    ["Old webhook deliveries could not be deleted", () => pruneDeliveries(deps)],
    ["Old grants could not be deleted", () => pruneOAuth(deps)],
    ["The bin could not be emptied", () => pruneBin(deps)],
    ["Old calls of assistants could not be deleted", () => pruneCalls(deps)],
    ["The vectors of tracks could not be moved together", () => packSounds(deps)],
    ["Old undos could not be deleted", () => forgetUndos(deps)],
    ["Old uploads could not be deleted", () => pruneUploads(deps)],
    ["Old uploads of owners could not be ended", () => pruneOwnerUploads(deps)],
    ["The sweep of unused files failed", async () => logSweep(deps, await sweepUnnamed(deps, SHELVES))],
    ["The quarantine could not be emptied", () => emptyOld(deps)],
  ];
  for (const step of steps) await attempt(deps, step);
}

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
