import { Database } from "bun:sqlite";
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { migrate, SCHEMA_VERSION } from "../../db/migrations.ts";
import { holdRemoval } from "../../src/blobs/removal.ts";
import { takeLock } from "../../src/kernel/file-lock.ts";

/** What the refusals of backup, restore, verify, quarantine and an upgrade are made with. */
export type Bench = {
  /** Makes an empty folder. */
  folder: () => string;
  /** Makes a copy of a library with one song. */
  library: () => string;
  /** A library of somebody else. */
  otherLibrary: string;
  /** A backup of the library: one file, and a folder. */
  archive: string;
  shared: string;
};

/** A command line that is refused, on a data folder. */
export type Refused = {
  args: string[];
  dataDir: string;
  says: string | RegExp;
  env?: Record<string, string>;
  release?: () => void;
};

const database = (dataDir: string) => join(dataDir, "dubplate.db");

function change(dataDir: string, sql: string): string {
  const db = new Database(database(dataDir), { create: true });
  db.run("PRAGMA foreign_keys = OFF");
  db.run(sql);
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  return dataDir;
}

function originalsOf(dataDir: string): string[] {
  return readdirSync(join(dataDir, "audio"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Writes a changed copy of a file, and returns its path. */
function changed(path: string, target: string, edit: (bytes: Buffer) => void): string {
  const bytes = Buffer.from(readFileSync(path));
  edit(bytes);
  writeFileSync(target, bytes);
  return target;
}

export const OLD_SCHEMA = 12;

/** Makes a database larger. */
export function addBallast(dataDir: string, bytes: number): void {
  change(dataDir, `CREATE TABLE ballast AS SELECT zeroblob(${bytes}) AS bytes`);
}

/** Makes a library of an old schema in which one migration more was made by hand, so that an upgrade fails. */
export function halfUpgraded(folder: string): string {
  const db = new Database(database(folder), { create: true });
  migrate(db, OLD_SCHEMA + 1);
  db.run(`PRAGMA user_version = ${OLD_SCHEMA}`);
  db.close();
  writeFileSync(join(folder, "master-secret"), Buffer.alloc(32, 1), { mode: 0o600 });
  return folder;
}

const PAGE_BYTES = 4096;

/** Overwrites a page that only a copy of the database reads. */
function damagePage(dataDir: string): string {
  const db = new Database(database(dataDir), { readonly: true });
  const sql = "SELECT rootpage FROM sqlite_master WHERE name = 'events'";
  const page = db.query<{ rootpage: number }, []>(sql).get()?.rootpage ?? 0;
  db.close();
  const file = openSync(database(dataDir), "r+");
  writeSync(file, new Uint8Array(PAGE_BYTES).fill(7), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
  closeSync(file);
  return dataDir;
}

/** Puts a file into the quarantine. */
function setAside(dataDir: string): string {
  const name = "ab".repeat(32);
  const folder = join(dataDir, "quarantine", "2026-01-01", "audio", "ab", "ab");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), "a song");
  return dataDir;
}

const versions = (schema: number) => `schema ${schema}, this one knows ${SCHEMA_VERSION}`;

/** Every refusal that needs neither another user nor another disk. */
export const REFUSED: readonly [what: string, prepare: (bench: Bench) => Refused][] = [
  [
    "a backup without a library",
    ({ folder, archive }) => {
      const dataDir = folder();
      return {
        args: ["backup", `${archive}.2`],
        dataDir,
        says: `There is no library in ${dataDir}: set DATA_DIR`,
      };
    },
  ],
  [
    "a backup under a name that exists",
    ({ library, archive }) => ({
      args: ["backup", archive],
      dataDir: library(),
      says: `${archive} exists: choose another name, or move it away`,
    }),
  ],
  [
    "a backup to a folder that does not exist",
    ({ library, folder }) => {
      const missing = join(folder(), "missing");
      return {
        args: ["backup", join(missing, "x.tar")],
        dataDir: library(),
        says: `There is no folder ${missing}`,
      };
    },
  ],
  [
    "a backup to a file below a file",
    ({ library, archive }) => ({
      args: ["backup", join(archive, "x.tar")],
      dataDir: library(),
      says: `There is no folder ${archive}`,
    }),
  ],
  [
    "a backup to a folder below a file",
    ({ library, archive }) => ({
      args: ["backup", `${archive}/x/`],
      dataDir: library(),
      says: `${archive}/x cannot be created: a part of its path is a file`,
    }),
  ],
  [
    "a restore of a file below a file",
    ({ folder, archive }) => ({
      args: ["restore", `${archive}/x`],
      dataDir: join(folder(), "new"),
      says: `There is no file ${archive}/x`,
    }),
  ],
  [
    "a backup into the data folder",
    ({ library }) => {
      const dataDir = library();
      return {
        args: ["backup", join(dataDir, "backups/")],
        dataDir,
        says: `${dataDir}/backups is inside DATA_DIR: choose a folder on another disk`,
      };
    },
  ],
  [
    "a backup into another library's folder of backups",
    ({ otherLibrary, shared }) => ({
      args: ["backup", shared],
      dataDir: otherLibrary,
      says: `${shared.slice(0, -1)} has backups of another library: choose another folder`,
    }),
  ],
  [
    "a second backup into a folder at a time",
    ({ library, shared }) => {
      const dataDir = library();
      const release = takeLock(join(dataDir, "backup-folder.lock"))?.release;
      return {
        args: ["backup", shared],
        dataDir,
        says: "Another backup of this library to a folder is running: try again later",
        ...(release && { release }),
      };
    },
  ],
  [
    "a backup of a library that lacks a song",
    ({ library, folder }) => {
      const dataDir = library();
      rmSync(originalsOf(dataDir)[0] ?? "");
      return {
        args: ["backup", join(folder(), "x.tar")],
        dataDir,
        says: "The backup lacks 1 of the library's files, and has everything else: run dubplate verify",
      };
    },
  ],
  [
    "a backup of a damaged database",
    ({ library, folder }) => {
      const dataDir = damagePage(library());
      return {
        args: ["backup", join(folder(), "x.tar")],
        dataDir,
        says: /^.*dubplate\.db is damaged \(.+\): restore a backup, or see docs\/recovery\.md$/,
      };
    },
  ],
  [
    "a restore into a library",
    ({ library, archive }) => {
      const dataDir = library();
      return {
        args: ["restore", archive],
        dataDir,
        says: `DATA_DIR (${dataDir}) is not empty: restore into an empty folder, or set DATA_DIR to another one`,
      };
    },
  ],
  [
    "a second restore at a time",
    ({ folder, archive }) => {
      const dataDir = join(folder(), "new");
      mkdirSync(`${dataDir}.restoring`);
      const release = takeLock(join(`${dataDir}.restoring`, "server.lock"))?.release;
      return {
        args: ["restore", archive],
        dataDir,
        says: `Another restore into ${dataDir} is running: wait until it has ended`,
        ...(release && { release }),
      };
    },
  ],
  [
    "a restore of a backup with one changed bit",
    ({ folder, archive }) => {
      const file = changed(archive, join(folder(), "changed.tar"), (bytes) => {
        const at = bytes.indexOf("RIFF") + 1000;
        bytes[at] = (bytes[at] ?? 0) ^ 1;
      });
      return {
        args: ["restore", file],
        dataDir: join(folder(), "new"),
        says: /^.+changed\.tar is damaged, nothing was restored: audio\/.+: The file's bytes are not those/,
      };
    },
  ],
  [
    "a restore of a cut backup",
    ({ folder, archive }) => {
      const file = join(folder(), "cut.tar");
      cpSync(archive, file);
      truncateSync(file, 100_000);
      return {
        args: ["restore", file],
        dataDir: join(folder(), "new"),
        says: `${file} is damaged, nothing was restored: dubplate.db: The archive is cut within this file`,
      };
    },
  ],
  [
    "a restore of a snapshot without its folder",
    ({ folder, shared }) => {
      const alone = join(folder(), "alone.tar");
      cpSync(join(shared, "snapshots", readdirSync(join(shared, "snapshots"))[0] ?? ""), alone);
      return {
        args: ["restore", alone],
        dataDir: join(folder(), "new"),
        says: `${alone} is a snapshot: restore it from the folder that it was written to, where its files are`,
      };
    },
  ],
  [
    "a restore of a newer program's backup",
    ({ folder, archive }) => {
      const file = changed(archive, join(folder(), "newer.tar"), (bytes) => {
        const at = bytes.indexOf(`"schema": ${SCHEMA_VERSION}`);
        bytes.write(`"schema": ${"9".repeat(String(SCHEMA_VERSION).length)}`, at);
      });
      const newer = Number("9".repeat(String(SCHEMA_VERSION).length));
      return {
        args: ["restore", file],
        dataDir: join(folder(), "new"),
        says: `This backup was written by a newer Dubplate (${versions(newer)}): install that version`,
      };
    },
  ],
  [
    "a restore of a file that is not there",
    ({ folder, archive }) => ({
      args: ["restore", `${archive}.none`],
      dataDir: join(folder(), "new"),
      says: `There is no file ${archive}.none`,
    }),
  ],
  [
    "a restore from a folder without snapshots",
    ({ folder }) => {
      const dir = folder();
      return {
        args: ["restore", `${dir}/`],
        dataDir: join(folder(), "new"),
        says: `There are no snapshots in ${dir}/snapshots`,
      };
    },
  ],
  [
    "a restore as of a time before the first snapshot",
    ({ folder, shared }) => ({
      args: ["restore", shared, "--at", "2001-01-01"],
      dataDir: join(folder(), "new"),
      says: /^The oldest snapshot in .+ is from 20\d\d-/,
    }),
  ],
  [
    "verify without a library",
    ({ folder }) => {
      const dataDir = join(folder(), "missing");
      return { args: ["verify"], dataDir, says: `There is no library in ${dataDir}: set DATA_DIR` };
    },
  ],
  [
    "verify on a library with a fault",
    ({ library }) => {
      const dataDir = library();
      truncateSync(originalsOf(dataDir)[0] ?? "", 100);
      return { args: ["verify"], dataDir, says: "1 fault found" };
    },
  ],
  [
    "verify on a newer program's library",
    ({ library }) => ({
      args: ["verify"],
      dataDir: change(library(), "PRAGMA user_version = 999"),
      says: `This library was written by a newer Dubplate (${versions(999)}): install that version`,
    }),
  ],
  [
    "verify on an older program's library",
    ({ library }) => ({
      args: ["verify"],
      dataDir: change(library(), "PRAGMA user_version = 12"),
      says: `This library was written by an older Dubplate (${versions(12)}): start the server once`,
    }),
  ],
  [
    "an upgrade that fails",
    ({ folder }) => {
      const dataDir = halfUpgraded(folder());
      const copy = join(dataDir, "before-upgrade", `schema-${OLD_SCHEMA}.db`);
      return {
        args: ["account", "list"],
        dataDir,
        says: new RegExp(
          `^The upgrade of the database failed \\(.+\\): install the earlier version again; if it does not start, put ${copy} in place of dubplate\\.db$`,
        ),
      };
    },
  ],
  [
    "a quarantine that is emptied while removal is held",
    ({ library }) => ({
      args: ["quarantine", "empty"],
      dataDir: change(
        library(),
        "INSERT INTO removal_holds (reason, since, detail) VALUES ('older_database', 1, '{}')",
      ),
      says: "Removal is held (older_database): look at dubplate quarantine list, then dubplate quarantine accept",
    }),
  ],
  [
    "a quarantine that is emptied while a backup runs",
    ({ library }) => {
      const dataDir = setAside(library());
      const { release } = holdRemoval({ dataDir });
      return {
        args: ["quarantine", "empty"],
        dataDir,
        says: "A backup is running: try again when it has finished",
        release,
      };
    },
  ],
  [
    "a file that is not in the quarantine",
    ({ library }) => ({
      args: ["quarantine", "restore", "abcd"],
      dataDir: library(),
      says: "abcd is not in the quarantine",
    }),
  ],
];
