import { type Database, SQLiteError } from "bun:sqlite";
import { rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { copyAccountRows, copyRecordingKeys, type RowsPath } from "../../../../db/account-rows.ts";
import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { recoverListening, requestAnalysis } from "../../library/analysis/service.ts";
import { addWordsOf } from "../../library/catalog/service.ts";
import { requestSounds } from "../../library/sounds/service.ts";
import { requestLearning } from "../../library/tags/service.ts";
import { findAccount } from "../../people/accounts/service.ts";
import { sealMovedKeys } from "../../sharing/marks/service.ts";
import { findFault, findKeyFault } from "./check-rows.ts";
import { takeFiles } from "./import-files.ts";
import { dropForeignRows, reducePowers } from "./left-out.ts";
import { attach, countPasskeys, mailsCancelled, mailsLeft, PASSKEYS_MOVE, ROWS_FILE } from "./moved-rows.ts";
import { exportFolder, readRows } from "./read-export.ts";
import { openSeats } from "./seats.ts";

type ImportDeps = Pick<Deps, "db" | "now" | "settings" | "secrets" | "selfCommand">;

const IN: RowsPath = { from: "moved", to: "main" };
/** Each has 256 keys to write. */
const RECORDINGS_AT_ONCE = 10;
/** As long as SQLite lets a process sleep that waits for the lock: in a shorter pause it might not wake up. */
const PAUSE_MS = 100;

/** What an import did. */
export type ImportedAccount = {
  accountId: LibraryId;
  email: string;
  /** False: the account was here already, and only its missing files were added. */
  isNew: boolean;
  tracks: number;
  /** Files that were not here yet. */
  files: number;
  bytes: number;
};

/** Who is told what while an import goes on. */
type Told = {
  /** After each file: how many are done, and how many there are. */
  onFile: (done: number, total: number) => void;
  /** The things that do not come along, each as the end of a sentence. */
  onLeftOut: (what: string) => void;
  /** What is to be known of what did come along, as sentences. */
  onNote: (sentence: string) => void;
};

/**
 * Takes in an account that {@link exportAccount} wrote for a move, with its ids: files first, each compared with its hash,
 * then all rows in one transaction, then what recordings are found by in small steps. It can be repeated after it was
 * interrupted, and adds nothing twice. Audited.
 *
 * The folder may come from anyone: its rows are looked at like requests, its files like uploads, and nothing comes along
 * that an owner could not give themselves here.
 *
 * @throws DomainError `validation_failed` when the folder is no such export, when its rows or files are not what they
 *   should be, or when another account here has its address, its name or one of its ids. No row has changed then.
 */
export async function importAccount(
  deps: ImportDeps,
  named: string,
  { onFile, onLeftOut, onNote }: Told,
): Promise<ImportedAccount> {
  const { $client } = deps.db;
  const folder = exportFolder(named);
  const copy = await readRows(deps, folder);
  try {
    attach($client, copy);
    const { id, tracks } = movedAccount($client);
    const known = findAccount(deps.db, id);
    const leftOut = known ? [] : prepareRows(deps, id);
    refuse(findKeyFault($client, id));
    const taken = await takeFiles(deps, { folder, accountId: id }, onFile);
    if (!known) insertRows(deps, id);
    for (const what of leftOut) onLeftOut(what);
    if (!known && countPasskeys($client) > 0) onNote(PASSKEYS_MOVE);
    const mails = known ? 0 : mailsLeft($client).length;
    if (mails > 0) onNote(mailsCancelled(mails));
    for (let after: number | undefined = Number.MIN_SAFE_INTEGER; after !== undefined; ) {
      after = transact(deps.db, () => copyRecordingKeys($client, IN, id, after ?? 0, RECORDINGS_AT_ONCE));
      if (after !== undefined) await setTimeout(PAUSE_MS);
    }
    const email = findAccount(deps.db, id)?.email ?? "";
    return { accountId: id, email, isNew: !known, tracks, ...taken };
  } finally {
    detach($client);
    rmSync(copy, { force: true });
  }
}

function movedAccount(client: Database): { id: string; tracks: number } {
  const account = client
    .query<{ id: string; tracks: number }, []>(
      "SELECT id, (SELECT count(*) FROM moved.tracks) AS tracks FROM moved.accounts",
    )
    .get();
  if (!account) throw refusal(`${ROWS_FILE} has no account`);
  return account;
}

/** Looks at the rows of a new account, and takes from them what it cannot have here. Returns what that was. */
function prepareRows({ db, now, settings }: ImportDeps, accountId: LibraryId): string[] {
  const { $client } = db;
  const arrival = { accountId, credits: settings.searchCreditsDefault, now: now() };
  const foreign = dropForeignRows($client, accountId);
  refuse(findFault($client, arrival));
  const seats = openSeats($client, arrival);
  checkFree($client);
  refuseMissing($client);
  return [...foreign, ...seats, ...reducePowers($client, arrival)];
}

function refuse(fault: string | undefined): void {
  if (fault !== undefined)
    throw refusal(`${ROWS_FILE} is not what account export --move writes: ${fault}. Nothing was taken in`);
}

/** The hash of a file is not the file: with the hash alone, an export would get the bytes of another account. */
function refuseMissing(client: Database): void {
  const missing = client
    .query<{ name: string; n: number }, []>(
      `SELECT name, count(*) AS n FROM moved.versions
       WHERE sha256 NOT IN (SELECT sha256 FROM moved.moved_files WHERE sha256 IS NOT NULL)`,
    )
    .get();
  if (missing && missing.n > 0)
    throw refusal(
      `The export lacks the files of ${missing.n} versions: repair them on the first server (verify --repair), or delete them there, and export again. Nothing was taken in`,
    );
}

/** Asked before files are copied, and again by the constraints of the tables. */
function checkFree(client: Database): void {
  const addressed = client
    .query<{ email: string }, []>(
      "SELECT email FROM moved.people WHERE email IN (SELECT email FROM main.people)",
    )
    .get();
  if (addressed)
    throw refusal(
      `Another account here has the address ${addressed.email}: change it in one of the two places`,
    );
  const named = client
    .query<{ username: string }, []>(
      "SELECT username FROM moved.accounts WHERE username IN (SELECT username FROM main.accounts)",
    )
    .get();
  if (named)
    throw refusal(`Another account here has the name ${named.username}: change it in one of the two places`);
  const same = client
    .query<{ id: string }, []>(
      `SELECT id FROM tracks WHERE id IN (SELECT id FROM moved.tracks)
       UNION ALL SELECT id FROM people
         WHERE id IN (SELECT id FROM moved.people UNION ALL SELECT id FROM moved.accounts)
       UNION ALL SELECT id FROM accounts WHERE id IN (SELECT id FROM moved.people)
       UNION ALL SELECT entity_id FROM moved.activity_entities
         WHERE entity_id IN (SELECT id FROM tracks UNION ALL SELECT id FROM playlists) LIMIT 1`,
    )
    .get();
  if (same) throw taken(same.id);
}

const taken = (what: string) => refusal(`Another account here has ${what} already: nothing was taken in`);

/** Inserts all rows, and asks for what they lack: words of the index, analyses that were not finished, learning. */
function insertRows(deps: ImportDeps, accountId: LibraryId): void {
  const { db, now } = deps;
  try {
    transact(db, (tx) => {
      copyAccountRows(tx.$client, IN, accountId);
      sealMovedKeys(tx, deps.secrets, accountId);
      addWordsOf(tx, accountId);
      for (const id of unfinished(tx.$client, accountId)) requestAnalysis(tx, id, now());
      requestLearning(tx, accountId, now());
      requestSounds(tx, accountId, now());
      audit(tx, { actor: "operator", action: "account.import", subject: accountId }, now());
    });
  } catch (error) {
    const [, what] = /^UNIQUE constraint failed: (\S+)/.exec((error as Error).message) ?? [];
    if (error instanceof SQLiteError && what !== undefined) throw taken(`a row with the same ${what}`);
    if (error instanceof SQLiteError && /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(error.code ?? ""))
      throw refusal(
        `${ROWS_FILE} has rows that do not belong together (${error.message}). Nothing was taken in`,
      );
    throw error;
  }
  recoverListening(deps);
}

function unfinished(client: Database, accountId: LibraryId): string[] {
  return client
    .query<{ id: string }, [string]>(
      `SELECT id FROM tracks WHERE owner_id = ? AND analysis_status IN ('pending', 'processing')`,
    )
    .all(accountId)
    .map(({ id }) => id);
}

/** Releases the copy of `account.db`. It may not be attached, when that is what failed. */
function detach(client: Database): void {
  const isAttached = client.query("SELECT 1 FROM pragma_database_list WHERE name = 'moved'").get();
  if (isAttached) client.run("DETACH moved");
}

const refusal = (sentence: string) => new DomainError("validation_failed", sentence);
