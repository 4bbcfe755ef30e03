import { Database } from "bun:sqlite";
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** Other libraries and databases that a folder can be broken with. */
export type Parts = {
  /** The data folder of another library. */
  otherLibrary: string;
  /** A copy of the database from before some tracks were taken in. */
  olderDatabase: string;
};

export type Broken = {
  what: string;
  harm: (folder: string, parts: Parts) => void;
  /** The sentence of the refusal, for the folder `F`. Left out: the library starts. */
  sentence?: string;
  /** True when commands other than `serve` refuse too. */
  isForAll?: boolean;
};

const database = (folder: string) => join(folder, "dubplate.db");

function removeDatabase(folder: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${database(folder)}${end}`, { force: true });
}

function replaceDatabase(folder: string, by: string): void {
  removeDatabase(folder);
  copyFileSync(by, database(folder));
}

/** Runs SQL on the folder's database, as an operator with SQLite's own tool might. */
function sql(folder: string, text: string): void {
  const db = new Database(database(folder));
  db.run(text);
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

/** Writes other bytes over some pages in the middle of the file. */
function overwritePages(folder: string): void {
  const size = readFileSync(database(folder)).length;
  const file = openSync(database(folder), "r+");
  writeSync(file, new Uint8Array(size / 2).fill(7), 0, size / 2, Math.floor(size / 4));
  closeSync(file);
}

const NO_DATABASE =
  "DATA_DIR (F) holds audio but no database: put dubplate.db back, restore a backup into an empty folder, or move the folder away";
const FOREIGN =
  "dubplate.db in DATA_DIR (F) is not a Dubplate database: put the right file back, or restore a backup into an empty folder";
const DAMAGED =
  "dubplate.db in DATA_DIR (F) is damaged: restore a backup, or see docs/recovery.md for what can be saved";
const WRONG_SECRET =
  "master-secret does not belong to dubplate.db in DATA_DIR (F): put the right file back (every backup has it)";

/** What can happen to a data folder while no server runs, and what a start says. */
export const BROKEN: readonly Broken[] = [
  { what: "the database removed", harm: removeDatabase, sentence: NO_DATABASE, isForAll: true },
  {
    what: "the database removed, and its log left",
    harm: (folder) => {
      removeDatabase(folder);
      writeFileSync(`${database(folder)}-wal`, "frames");
    },
    sentence: NO_DATABASE,
    isForAll: true,
  },
  {
    what: "the database emptied",
    harm: (folder) => truncateSync(database(folder), 0),
    sentence: NO_DATABASE,
    isForAll: true,
  },
  {
    what: "the database cut",
    harm: (folder) => truncateSync(database(folder), 100_000),
    sentence: DAMAGED,
    isForAll: true,
  },
  {
    what: "the database overwritten with something else",
    harm: (folder) => writeFileSync(database(folder), "all my songs\n".repeat(10_000)),
    sentence: FOREIGN,
    isForAll: true,
  },
  {
    what: "pages of the database overwritten, after a server that was killed",
    harm: (folder) => {
      sql(folder, "UPDATE store SET is_clean = 0");
      overwritePages(folder);
    },
    sentence: DAMAGED,
  },
  {
    what: "the database without its tables, as a failed rescue leaves it",
    harm: (folder) => {
      removeDatabase(folder);
      sql(folder, "CREATE TABLE lost_and_found (c0)");
      sql(folder, "PRAGMA application_id = 1146113108");
    },
    sentence: DAMAGED,
    isForAll: true,
  },
  {
    what: "the database replaced by another program's",
    harm: (folder) => {
      removeDatabase(folder);
      sql(folder, "CREATE TABLE bookmarks (url TEXT)");
    },
    sentence: FOREIGN,
    isForAll: true,
  },
  {
    what: "the database replaced by another library's",
    harm: (folder, { otherLibrary }) => replaceDatabase(folder, database(otherLibrary)),
    sentence: WRONG_SECRET,
    isForAll: true,
  },
  {
    what: "the database and the master secret replaced by another library's",
    harm: (folder, { otherLibrary }) => {
      replaceDatabase(folder, database(otherLibrary));
      copyFileSync(join(otherLibrary, "master-secret"), join(folder, "master-secret"));
    },
    sentence:
      "The audio folder in DATA_DIR (F) belongs to another library than dubplate.db: put back the two that belong together, or restore a backup into an empty folder",
    isForAll: true,
  },
  {
    what: "a database of a newer program",
    harm: (folder) => sql(folder, "PRAGMA user_version = 999"),
    sentence:
      "The library in DATA_DIR (F) was written by a newer Dubplate (schema 999, this one knows N): install that version",
    isForAll: true,
  },
  {
    what: "the master secret removed",
    harm: (folder) => rmSync(join(folder, "master-secret")),
    sentence:
      "master-secret is missing from DATA_DIR (F): put it back (every backup has it), a new one cannot replace it",
    isForAll: true,
  },
  {
    what: "the master secret replaced by another one",
    harm: (folder) => writeFileSync(join(folder, "master-secret"), new Uint8Array(32).fill(1)),
    sentence: WRONG_SECRET,
    isForAll: true,
  },
  {
    what: "the master secret cut",
    harm: (folder) => truncateSync(join(folder, "master-secret"), 31),
    sentence: WRONG_SECRET,
    isForAll: true,
  },
  {
    what: "the audio folder unmounted",
    harm: (folder) => {
      renameSync(join(folder, "audio"), join(folder, "unmounted"));
      mkdirSync(join(folder, "audio"));
    },
    sentence:
      "The audio folder in DATA_DIR (F) has none of the library's N files: is its disk mounted? If they are gone for good: dubplate quarantine accept",
  },
  {
    what: "the database replaced by an older one",
    harm: (folder, { olderDatabase }) => replaceDatabase(folder, olderDatabase),
  },
  { what: "the folder's own marker removed", harm: (folder) => rmSync(join(folder, "store.json")) },
  {
    what: "the marker damaged",
    harm: (folder) => writeFileSync(join(folder, "store.json"), '{"id":'),
  },
];

/** Puts the folder's name and the numbers into a sentence. */
export function sentenceFor({ sentence = "" }: Broken, folder: string, number: string | number): string {
  return sentence
    .replace("(F)", `(${folder})`)
    .replace("knows N", `knows ${number}`)
    .replace("'s N", `'s ${number}`);
}
