import type { Database } from "bun:sqlite";
import { closeSync, openSync, renameSync } from "node:fs";
import {
  copyAccountRows,
  copyRecordingKeys,
  MOVED_AWAY,
  type RowsPath,
} from "../../../../db/account-rows.ts";
import { openDb } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { flush } from "../../../blobs/move.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { ArtworkPart } from "../../library/artwork/service.ts";
import { openMovedKeys } from "../../sharing/marks/service.ts";
import type { ExportFile } from "./export-files.ts";

/** The rows of an account in an export that another Dubplate takes in: a database of our schema. */
export const ROWS_FILE = "account.db";
/** The table of its files. */
export const FILES_TABLE = "moved_files";
export const CREATE_FILES = `CREATE TABLE ${FILES_TABLE} (path TEXT PRIMARY KEY, sha256 TEXT, picture_key TEXT, picture_size TEXT) STRICT`;
/** Recordings per step into a file that no other process has open. */
const RECORDINGS_AT_ONCE = 1000;
const OUT: RowsPath = { from: "main", to: "moved" };

/** A file of an export, as `account.db` lists it. */
export type MovedFile = {
  path: string;
  /** Lower-case hex, of an original. */
  sha256: string | null;
  /** Of an original. */
  sizeBytes: number | null;
  pictureKey: string | null;
  pictureSize: ArtworkPart | null;
};

/** An `account.db` that is being written. */
export type RowsFile = {
  /** Copies the rows of an account. Call it in a transaction. */
  copy: (accountId: LibraryId) => void;
  /** How many passkeys are among the rows. */
  passkeys: () => number;
  /** Ids of the mails that have not gone: they stay behind as cancelled. */
  mailsLeft: () => string[];
  /** Lists the files, but for those with problems, flushes everything, and gives the file its name. */
  end: (files: readonly ExportFile[], problems: readonly { path: string }[]) => void;
};

/** Begins an `account.db` at `path`, which gets this name at its end. */
export function beginRows({ db, secrets }: Pick<Deps, "db" | "secrets">, path: string): RowsFile {
  const { $client } = db;
  const partial = `${path}.partial`;
  closeSync(openSync(partial, "wx", 0o600));
  const made = openDb(partial).$client;
  made.run("PRAGMA journal_mode = DELETE"); // one file in the end
  made.run(CREATE_FILES);
  made.close();
  attach($client, partial);
  return {
    copy: (accountId) => {
      copyAccountRows($client, OUT, accountId);
      openMovedKeys($client, secrets);
      for (let after: number | undefined = Number.MIN_SAFE_INTEGER; after !== undefined; )
        after = copyRecordingKeys($client, OUT, accountId, after, RECORDINGS_AT_ONCE);
    },
    passkeys: () => countPasskeys($client),
    mailsLeft: () => mailsLeft($client),
    end: (files, problems) => {
      listFiles($client, files, new Set(problems.map((problem) => problem.path)));
      $client.run("DETACH moved");
      flush(partial);
      renameSync(partial, path);
    },
  };
}

function listFiles(client: Database, files: readonly ExportFile[], withProblems: ReadonlySet<string>): void {
  const insert = client.prepare<void, [string, string | null, string | null, string | null]>(
    "INSERT INTO moved.moved_files VALUES (?, ?, ?, ?)",
  );
  try {
    client.transaction(() => {
      for (const { path, sha256 = null, picture } of files)
        if (!withProblems.has(path)) insert.run(path, sha256, picture?.key ?? null, picture?.size ?? null);
    })();
  } finally {
    insert.finalize();
  }
}

/** Said wherever passkeys go along: a passkey is bound to the name of the host that it was made for. */
export const PASSKEYS_MOVE =
  "Passkeys work there only if PUBLIC_URL has the same host name; under another one people sign in with their passwords and add new ones";

/** How many passkeys the attached `account.db` has. */
export function countPasskeys(client: Database): number {
  return client.query<{ n: number }, []>("SELECT count(*) AS n FROM moved.passkeys").get()?.n ?? 0;
}

/** The mails in the attached `account.db` that had not gone. */
export function mailsLeft(client: Database): string[] {
  return client
    .query<{ id: string }, [string]>("SELECT id FROM moved.mails WHERE state = 'cancelled' AND answer = ?")
    .all(MOVED_AWAY)
    .map(({ id }) => id);
}

/** Says how many mails had not gone when their library moved. */
export const mailsCancelled = (count: number): string =>
  `Cancelled ${count === 1 ? "a mail that was" : `${count} mails that were`} waiting: send ${count === 1 ? "it" : "them"} again from the new server`;

/** Makes the database at `path` reachable as `moved`. */
export function attach(client: Database, path: string): void {
  client.query("ATTACH ? AS moved").run(path);
}

/** Lists the files of the attached `account.db`. */
export function movedFiles(client: Database): MovedFile[] {
  return client
    .query<MovedFile, []>(
      `SELECT path, sha256, picture_key AS pictureKey, picture_size AS pictureSize,
         (SELECT size_bytes FROM moved.versions v WHERE v.sha256 = f.sha256 LIMIT 1) AS sizeBytes
       FROM moved.moved_files f ORDER BY path`,
    )
    .all();
}
