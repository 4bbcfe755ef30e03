import { statSync } from "node:fs";
import { join } from "node:path";
import { type Db, isReplicated, openDb } from "../db/client.ts";
import { copyBeforeUpgrade, upgradeFailed } from "./backup/upgrade-copy.ts";
import { conditionOf } from "./kernel/condition.ts";
import type { Deps } from "./kernel/deps.ts";
import { takeLock } from "./kernel/file-lock.ts";
import { jsonLog } from "./kernel/log.ts";
import { followSecrets } from "./kernel/master-secret.ts";
import type { Settings } from "./kernel/settings.ts";
import { isDamage, isFullDisk, isReadOnly } from "./kernel/trouble.ts";
import { findFfmpeg } from "./media/ffmpeg/find-ffmpeg.ts";
import { checkBucketSetting } from "./store/bucket.ts";
import { checkFolder, damagedDatabase, databasePath, fullDisk } from "./store/check.ts";
import { endGeneration, establish } from "./store/identity.ts";
import { correctModes } from "./store/modes.ts";
import { giveReserve, missingRoom } from "./store/reserve.ts";
import { settleRotation } from "./store/rotation.ts";
import { noteAudio } from "./store/serving.ts";

const MEBIBYTE = 1024 ** 2;

/** How a command opens the library. */
export type OpenOptions = {
  /** True for commands that make room on the disk. */
  mayBeFull?: boolean;
};

/**
 * Opens the library in `settings.dataDir`, or creates one in an empty folder. Log lines go to `logTo`. Any number of
 * processes may have it open. The first use of `ffmpegPath` searches for ffmpeg, which starts a process and takes time.
 *
 * @throws LibraryError when the folder does not contain a sound library. Nothing has changed then.
 */
export function openLibrary(
  settings: Settings,
  logTo: { write: (line: string) => unknown },
  { mayBeFull = false }: OpenOptions = {},
): Deps {
  let ffmpeg: { path: string | undefined } | undefined;
  return withSentences(settings, () => {
    checkFolder(settings, { mayBeFull });
    checkBucketSetting(settings);
    if (mayBeFull && missingRoom(settings) > 0) giveReserve(settings);
    const db = openUpgraded(settings);
    try {
      establish(db, settings, Date.now());
      settleRotation(db, settings);
      const secrets = followSecrets(db, settings);
      secrets("media-links"); // a server goes on with what it read, should the file be lost
      correctModes(settings);
      return {
        db,
        now: Date.now,
        log: jsonLog(settings.logLevel, (line) => void logTo.write(line)),
        settings,
        secrets,
        selfCommand: selfCommand(),
        get ffmpegPath() {
          ffmpeg ??= { path: findFfmpeg(settings.ffmpegPath)?.path };
          return ffmpeg.path;
        },
      };
    } catch (error) {
      db.$client.close();
      throw error;
    }
  });
}

/** Opens the database. Before an upgrade it makes a copy. */
function openUpgraded(settings: Settings): Db {
  const copy = copyBeforeUpgrade(settings);
  try {
    return openDb(databasePath(settings));
  } catch (error) {
    if (copy === undefined) throw error;
    throw isFullDisk(error) ? fullDisk(settings, mebibytesOf(copy)) : upgradeFailed(error, copy, settings);
  }
}

/** An upgrade writes at most about as much as the database holds. */
function mebibytesOf(path: string): number {
  return Math.ceil(statSync(path).size / MEBIBYTE);
}

/** Runs a part of the start. Errors from a damaged database or a full disk become the refusals that operators see. */
export function withSentences<Result>(settings: Settings, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (isDamage(error)) throw damagedDatabase(settings);
    if (isFullDisk(error)) throw fullDisk(settings, 1);
    throw error;
  }
}

/**
 * Releases what {@link openLibrary} holds, and merges the write-ahead log into the database if no other process
 * uses it, Litestream included. Waiting for others here would hold the write lock, and delay a server's requests.
 *
 * @param options `wasServed`: the caller is the library's server, and stops cleanly.
 */
export function closeLibrary(
  { db, settings }: Pick<Deps, "db" | "settings">,
  { wasServed = false }: { wasServed?: boolean } = {},
): void {
  try {
    if (conditionOf(db).damage === undefined) {
      noteAudio(db, settings);
      if (wasServed) endGeneration(db);
    }
    db.$client.run("PRAGMA busy_timeout = 0");
    // For Litestream, a log that could only be merged in part is worse than one that was left alone.
    if (!isReplicated(db.$client)) db.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    // The log stays and holds everything that was committed.
    if (!isDamage(error) && !isFullDisk(error) && !isReadOnly(error)) throw error;
  }
  db.$client.close();
}

/**
 * Locks the library for a server, or returns undefined when another process holds the lock. It is a system lock on an
 * SQLite file and ends with the process, however that ends.
 */
export function lockLibrary({ dataDir }: Pick<Settings, "dataDir">): { release: () => void } | undefined {
  return takeLock(join(dataDir, "server.lock"));
}

/** Returns how a person starts this program: the executable by name, a checkout through Node's npx. */
export function programName({ selfCommand }: Pick<Deps, "selfCommand">): string {
  return selfCommand.length === 1 ? "dubplate" : "npx -y bun@1.4.5 src/main.ts";
}

/** Returns the command that starts this program again: a compiled executable contains its script. */
export function selfCommand(): string[] {
  const script = Bun.main;
  const isCompiled = script.startsWith("/$bunfs/") || script.includes("~BUN");
  return isCompiled ? [process.execPath] : [process.execPath, script];
}
