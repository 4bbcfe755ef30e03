import { join } from "node:path";
import { type Db, openDb } from "../db/client.ts";
import { copyBeforeUpgrade, upgradeFailed } from "./backup/upgrade-copy.ts";
import { conditionOf } from "./kernel/condition.ts";
import type { Deps } from "./kernel/deps.ts";
import { takeLock } from "./kernel/file-lock.ts";
import { jsonLog } from "./kernel/log.ts";
import { secretsOf } from "./kernel/secrets.ts";
import type { Settings } from "./kernel/settings.ts";
import { isDamage, isFullDisk, isReadOnly } from "./kernel/trouble.ts";
import { findFfmpeg } from "./media/ffmpeg/find-ffmpeg.ts";
import { checkFolder, damagedDatabase, databasePath, fullDisk } from "./store/check.ts";
import { endGeneration, establish } from "./store/identity.ts";
import { correctModes } from "./store/modes.ts";
import { giveReserve, missingRoom } from "./store/reserve.ts";
import { noteAudio } from "./store/serving.ts";

/** Where ffmpeg is; undefined: there is none. */
export type FoundFfmpeg = { path: string | undefined };

/** How a command opens the library. */
export type OpenOptions = {
  /**
   * What a search for ffmpeg found. Left out: it is looked for when it is first needed, which takes a process and its
   * time.
   */
  ffmpeg?: FoundFfmpeg;
  /** True for commands that make room. */
  mayBeFull?: boolean;
};

/**
 * Opens the library in `settings.dataDir`, or makes one in an empty folder; log lines go to `logTo`. Any number of
 * processes may have it open.
 *
 * @throws LibraryError when the folder does not hold a sound library; nothing was changed then.
 */
export function openLibrary(
  settings: Settings,
  logTo: { write: (line: string) => unknown },
  { ffmpeg: found, mayBeFull = false }: OpenOptions = {},
): Deps {
  let ffmpeg = found;
  return withSentences(settings, () => {
    checkFolder(settings, { mayBeFull });
    if (mayBeFull && missingRoom(settings) > 0) giveReserve(settings);
    const db = openUpgraded(settings);
    try {
      const secrets = secretsOf(establish(db, settings, Date.now()));
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

/** Opens the database. It is copied before the first migration of an upgrade. */
function openUpgraded(settings: Settings): Db {
  const copy = copyBeforeUpgrade(settings);
  try {
    return openDb(databasePath(settings));
  } catch (error) {
    throw copy === undefined ? error : upgradeFailed(error, copy);
  }
}

/** Runs a part of the start. What it throws over a damaged database or a full disk becomes the refusal that says so. */
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
 * Releases what {@link openLibrary} holds; the write-ahead log is folded into the database.
 *
 * @param options `wasServed`: the one server of the library stops in good order.
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
    db.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    // The log stays, and with it everything that was committed.
    if (!isDamage(error) && !isFullDisk(error) && !isReadOnly(error)) throw error;
  }
  db.$client.close();
}

/** Takes the one place of a server on this library, or returns undefined when another process has it. */
export function lockLibrary({ dataDir }: Pick<Settings, "dataDir">): { release: () => void } | undefined {
  return takeLock(join(dataDir, "server.lock"));
}

/** How a person starts this program: the executable by its name, a checkout with nothing but Node installed. */
export function programName({ selfCommand }: Pick<Deps, "selfCommand">): string {
  return selfCommand.length === 1 ? "dubplate" : "npx -y bun@1.4.5 src/main.ts";
}

/** How this program starts itself again: a compiled executable is its own script. */
function selfCommand(): string[] {
  const script = Bun.main;
  const isCompiled = script.startsWith("/$bunfs/") || script.includes("~BUN");
  return isCompiled ? [process.execPath] : [process.execPath, script];
}
