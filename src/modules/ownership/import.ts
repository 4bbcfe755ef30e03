import { Database, SQLiteError } from "bun:sqlite";
import { copyFileSync, existsSync, lstatSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join, normalize } from "node:path";
import { setTimeout } from "node:timers/promises";
import { copyAccountRows, copyRecordingKeys, type RowsPath } from "../../../db/account-rows.ts";
import { openDb, transact } from "../../../db/client.ts";
import { SCHEMA_VERSION } from "../../../db/migrations.ts";
import { temporaryDir } from "../../blobs/paths.ts";
import { blobPath, discardStaged, originalsOf, type StagedFile, stageFile } from "../../blobs/store.ts";
import { audit } from "../../kernel/audit.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { findAccount } from "../accounts/service.ts";
import { recoverListening, requestAnalysis } from "../analysis/service.ts";
import { locatePicture, placePicture } from "../artwork/service.ts";
import { addWordsOf } from "../catalog/service.ts";
import { requestSounds } from "../sounds/service.ts";
import { requestLearning } from "../tags/service.ts";
import { attach, type MovedFile, movedFiles, ROWS_FILE } from "./moved-rows.ts";

type ImportDeps = Pick<Deps, "db" | "now" | "settings">;

const IN: RowsPath = { from: "moved", to: "main" };
const MAX_FILE_BYTES = Number.MAX_SAFE_INTEGER;
/** Each has 256 keys to write. */
const RECORDINGS_AT_ONCE = 10;
/** As long as SQLite lets a process sleep that waits for the lock: in a shorter pause it might not wake up. */
const PAUSE_MS = 100;

/** What an import did. */
export type ImportedAccount = {
  accountId: string;
  email: string;
  /** False: the account was here already, and only what was missing of its files was added. */
  isNew: boolean;
  tracks: number;
  /** Files that were not here yet. */
  files: number;
  bytes: number;
};

/**
 * Takes in an account that {@link exportAccount} wrote for a move, with its ids: files first, each compared with its hash,
 * then all rows in one transaction, then what recordings are found by in small steps. It can be repeated after it was
 * interrupted, and adds nothing twice. Audited.
 *
 * @param onFile Told after each file how many are done, and how many there are.
 * @throws DomainError `validation_failed` when the folder is no such export, when files of it are missing or damaged, or
 *   when another account here has its address, its name or one of its ids. No row has changed then.
 */
export async function importAccount(
  deps: ImportDeps,
  folder: string,
  onFile: (done: number, total: number) => void = () => undefined,
): Promise<ImportedAccount> {
  const { $client } = deps.db;
  const copy = prepareRows(deps, folder);
  try {
    attach($client, copy);
    const account = movedAccount($client);
    const isNew = checkFree(deps, account);
    const taken = await takeFiles(deps, folder, onFile);
    if (isNew) insertRows(deps, account.id);
    for (let after: number | undefined = Number.MIN_SAFE_INTEGER; after !== undefined; ) {
      after = transact(deps.db, () =>
        copyRecordingKeys($client, IN, account.id, after ?? 0, RECORDINGS_AT_ONCE),
      );
      if (after !== undefined) await setTimeout(PAUSE_MS);
    }
    return { accountId: account.id, email: account.email, isNew, tracks: account.tracks, ...taken };
  } finally {
    detach($client);
    rmSync(copy, { force: true });
  }
}

/** Copies `account.db`, so that the export stays as it is, and brings the copy up to this schema. Returns its path. */
function prepareRows({ settings }: ImportDeps, folder: string): string {
  const source = join(folder, ROWS_FILE);
  if (!existsSync(source))
    throw refusal(
      existsSync(join(folder, "library.json"))
        ? `${folder} is an export for people: make one for another Dubplate with account export --move`
        : `${folder} is not a whole export of an account: ${ROWS_FILE} is missing`,
    );
  const copy = join(temporaryDir(settings), `${process.pid}-${crypto.randomUUID()}.part`);
  mkdirSync(temporaryDir(settings), { recursive: true, mode: 0o700 });
  copyFileSync(source, copy);
  try {
    refuseNewer(copy);
    const { $client } = openDb(copy);
    $client.run("PRAGMA journal_mode = DELETE");
    $client.close();
    return copy;
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
}

function refuseNewer(path: string): void {
  const client = new Database(path, { readonly: true });
  try {
    const schema = client.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
    if (schema > SCHEMA_VERSION)
      throw refusal(
        `This export was written by a newer Dubplate (schema ${schema}, this one knows ${SCHEMA_VERSION}): install that version`,
      );
  } finally {
    client.close();
  }
}

type MovedAccount = { id: string; email: string; username: string | null; tracks: number };

function movedAccount(client: Database): MovedAccount {
  const account = client
    .query<MovedAccount, []>(
      `SELECT id, email, username, (SELECT count(*) FROM moved.tracks) AS tracks FROM moved.accounts`,
    )
    .get();
  if (!account) throw refusal(`${ROWS_FILE} has no account`);
  return account;
}

/** Returns whether the account is new here. Asked before files are copied, and again by the constraints of the tables. */
function checkFree({ db }: ImportDeps, { id, email, username }: MovedAccount): boolean {
  if (findAccount(db, id)) return false;
  const { $client } = db;
  if ($client.query("SELECT 1 FROM accounts WHERE email = ?").get(email))
    throw refusal(`Another account here has the address ${email}: change it in one of the two places`);
  if (username !== null && $client.query("SELECT 1 FROM accounts WHERE username = ?").get(username))
    throw refusal(`Another account here has the name ${username}: change it in one of the two places`);
  const same = $client
    .query<{ id: string }, []>("SELECT id FROM tracks WHERE id IN (SELECT id FROM moved.tracks) LIMIT 1")
    .get();
  if (same) throw taken(same.id);
  return true;
}

const taken = (what: string) => refusal(`Another account here has ${what} already: nothing was taken in`);

/** Places every file that is not here yet. A part of them is no harm: what no row names waits in the quarantine. */
async function takeFiles(
  deps: ImportDeps,
  folder: string,
  onFile: (done: number, total: number) => void,
): Promise<{ files: number; bytes: number }> {
  const list = movedFiles(deps.db.$client);
  const taken = { files: 0, bytes: 0 };
  const faults: string[] = [];
  for (const [index, file] of list.entries()) {
    if (!(await isHere(deps, file))) {
      const bytes = await takeFile(deps, folder, file);
      if (bytes === undefined) faults.push(file.path);
      else {
        taken.files++;
        taken.bytes += bytes;
      }
    }
    onFile(index + 1, list.length);
  }
  const [first] = faults;
  if (first !== undefined)
    throw refusal(
      `Files of the export are missing or damaged (${faults.length}, such as ${first}): copy it again. No row was taken in`,
    );
  return taken;
}

async function isHere(
  { db, settings }: ImportDeps,
  { sha256, sizeBytes, pictureKey, pictureSize }: MovedFile,
): Promise<boolean> {
  if (sha256 === null)
    return pictureKey !== null && locatePicture(settings, pictureKey, pictureSize ?? "picture") !== undefined;
  if (!settings.bucket)
    return statSync(blobPath(settings, sha256), { throwIfNoEntry: false })?.size === sizeBytes;
  const originals = originalsOf(settings);
  return !originals.isLeaving(db, sha256) && (await originals.remoteSize(sha256)) === sizeBytes;
}

/** Returns how many bytes were taken in; undefined when the file is missing, or has other bytes than it should. */
async function takeFile(deps: ImportDeps, folder: string, file: MovedFile): Promise<number | undefined> {
  const from = join(folder, normalize(`/${file.path}`)); // never outside the folder
  if (!lstatSync(from, { throwIfNoEntry: false })?.isFile()) return undefined;
  const staged = await stageFile(deps, Bun.file(from).stream(), { maxBytes: MAX_FILE_BYTES });
  try {
    if (file.sha256 !== null && staged.sha256 !== file.sha256) return undefined;
    if (file.sha256 !== null) await originalsOf(deps.settings).keep(deps, staged);
    transact(deps.db, (tx) => place({ ...deps, db: tx }, file, staged));
    return staged.sizeBytes;
  } finally {
    await discardStaged(staged);
  }
}

function place({ db, settings }: ImportDeps, file: MovedFile, staged: StagedFile): void {
  const { sha256, pictureKey, pictureSize } = file;
  if (sha256 !== null) originalsOf(settings).place(db, staged);
  else if (pictureKey !== null) placePicture(settings, pictureKey, pictureSize ?? "picture", staged);
}

/** Inserts all rows, and asks for what they lack: words of the index, analyses that were not finished, learning. */
function insertRows(deps: ImportDeps, accountId: string): void {
  const { db, now } = deps;
  try {
    transact(db, (tx) => {
      copyAccountRows(tx.$client, IN, accountId);
      addWordsOf(tx, accountId);
      for (const id of unfinished(tx.$client, accountId)) requestAnalysis(tx, id, now());
      requestLearning(tx, accountId, now());
      requestSounds(tx, accountId, now());
      audit(tx, { actor: "operator", action: "account.import", subject: accountId }, now());
    });
  } catch (error) {
    const [, what] = /^UNIQUE constraint failed: (\S+)/.exec((error as Error).message) ?? [];
    if (error instanceof SQLiteError && what !== undefined) throw taken(`a row with the same ${what}`);
    throw error;
  }
  recoverListening(deps);
}

function unfinished(client: Database, accountId: string): string[] {
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
