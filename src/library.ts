import { Database } from "bun:sqlite";
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openDb } from "../db/client.ts";
import type { Deps } from "./kernel/deps.ts";
import { jsonLog } from "./kernel/log.ts";
import { secretsOf } from "./kernel/secrets.ts";
import type { Settings } from "./kernel/settings.ts";
import { findFfmpeg } from "./media/ffmpeg/find-ffmpeg.ts";

const MASTER_SECRET_BYTES = 32;

/** Path of ffmpeg; undefined if there is none. */
export type FoundFfmpeg = { path: string | undefined };

/**
 * Opens the library in `settings.dataDir` and creates what is missing. Log lines go to `logTo`. Any number of
 * processes may have it open.
 *
 * @param ffmpeg The result of a search for ffmpeg. Without it, ffmpeg is searched when first needed, which starts a
 *   process and takes time.
 */
export function openLibrary(
  settings: Settings,
  logTo: { write: (line: string) => unknown },
  ffmpeg?: FoundFfmpeg,
): Deps {
  let found = ffmpeg;
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
  return {
    db: openDb(join(settings.dataDir, "dubplate.db")),
    now: Date.now,
    log: jsonLog(settings.logLevel, (line) => void logTo.write(line)),
    settings,
    secrets: secretsOf(masterSecret(join(settings.dataDir, "master-secret"))),
    selfCommand: selfCommand(),
    get ffmpegPath() {
      found ??= { path: findFfmpeg(settings.ffmpegPath)?.path };
      return found.path;
    },
  };
}

/**
 * Releases what {@link openLibrary} holds, and merges the write-ahead log into the database if no other process
 * uses it. Waiting for others here would hold the write lock, and delay a server's requests.
 */
export function closeLibrary({ db }: Pick<Deps, "db">): void {
  db.$client.run("PRAGMA busy_timeout = 0");
  db.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.$client.close();
}

/**
 * Locks the library for a server, or returns undefined when another process holds the lock. It is the system's lock
 * on an SQLite file, which ends with the process, however that ends.
 */
export function lockLibrary({ dataDir }: Pick<Settings, "dataDir">): { release: () => void } | undefined {
  const lock = new Database(join(dataDir, "server.lock"), { create: true });
  try {
    lock.run("PRAGMA locking_mode = EXCLUSIVE");
    lock.run("BEGIN EXCLUSIVE");
    return { release: () => lock.close() };
  } catch {
    lock.close();
    return undefined;
  }
}

/** Reads the master secret, or creates it: readable only by its owner, and flushed to disk before it is used. */
function masterSecret(path: string): Buffer {
  try {
    const file = openSync(path, "wx", 0o600);
    writeSync(file, crypto.getRandomValues(new Uint8Array(MASTER_SECRET_BYTES)));
    fsyncSync(file);
    closeSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const secret = readFileSync(path);
  if (secret.length === MASTER_SECRET_BYTES) return secret;
  throw new Error(`${path} does not contain a master secret: restore it from a backup`);
}

/** Returns how a person starts this program: the executable by its name, a checkout on a machine with only Node. */
export function programName({ selfCommand }: Pick<Deps, "selfCommand">): string {
  return selfCommand.length === 1 ? "dubplate" : "npx -y bun@1.4.5 src/main.ts";
}

/** Returns the command that starts this program again: a compiled executable contains its script. */
function selfCommand(): string[] {
  const script = Bun.main;
  const isCompiled = script.startsWith("/$bunfs/") || script.includes("~BUN");
  return isCompiled ? [process.execPath] : [process.execPath, script];
}
