import { setTimeout } from "node:timers/promises";
import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { partialPath } from "../../../blobs/partial.ts";
import { erase, setAside } from "../../../blobs/quarantine.ts";
import { whileNothingHeld } from "../../../blobs/removal.ts";
import { audioShelf, originalsOf } from "../../../blobs/store.ts";
import { forgetJobs } from "../../../jobs/queue.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { LibraryError } from "../../../kernel/errors.ts";
import { deleteEventsOf } from "../../../kernel/events.ts";
import { forgetSender } from "../../briefs/briefs/service.ts";
import { deleteActivityOf } from "../../library/analytics/service.ts";
import { eraseUnshown, removeUnshown } from "../../library/artwork/service.ts";
import { deleteTracksOf, dropDeletedWords } from "../../library/catalog/service.ts";
import { eraseRenditions, setRenditionsAside } from "../../library/renditions/service.ts";
import { dropSoundsOf } from "../../library/sounds/service.ts";
import { deleteMailsOf } from "../../mail/outbox/service.ts";
import { type AccountRow, deleteAccountRow, setActive } from "../../people/accounts/service.ts";
import { deleteUsageOf } from "../../people/keys/service.ts";
import { forgetSnapshot } from "../../search/search/service.ts";
import { eraseMarked } from "../../sharing/marks/service.ts";

type DeleteDeps = Pick<Deps, "db" | "now" | "settings">;

/** Tracks and other rows per transaction: a server beside this process waits a few milliseconds for each. */
const TRACKS_AT_ONCE = 25;
const ROWS_AT_ONCE = 2000;
/** As long as SQLite lets a process sleep that waits for the lock: in a shorter pause it might not wake up. */
const PAUSE_MS = 100;
/** What nothing else is deleted with: each deletes some rows of an account, and returns how many there were. */
const DELETE_SOME = [deleteActivityOf, deleteUsageOf, deleteEventsOf, deleteMailsOf];
const MAX_TRIES = 20;

/** The numbers of things deleted with an account. `files` counts originals that no other account has. */
export type Deleted = { tracks: number; files: number };

/**
 * Deletes an account with everything that it has, in small steps beside a running server. It is disabled first, and
 * its row goes last, so that an interrupted deletion can be repeated. Audited.
 *
 * @param isErased False: files that nothing else names go to the quarantine. True: they are deleted at once, so is what
 *   the account sent to briefs of others, and the database is rewritten, for which other writers wait.
 * @throws LibraryError when files are to be deleted at once while a backup reads them. It can be repeated.
 */
export async function deleteAccount(
  deps: DeleteDeps,
  account: AccountRow,
  { isErased = false }: { isErased?: boolean } = {},
): Promise<Deleted> {
  const { db } = deps;
  const { id } = account;
  await take(deps, isErased, () => undefined); // before anything changes
  setActive(deps, { email: account.email, library: id }, false);
  const deleted = await deleteTracks(deps, id, isErased);
  for (const deleteSome of DELETE_SOME)
    await repeat(() => transact(db, (tx) => deleteSome(tx, id, ROWS_AT_ONCE)));
  if (isErased) await eraseObjects(deps);
  await take(deps, isErased, () => endAccount(deps, account, { isErased, ...deleted }));
  if (isErased) rewrite(db);
  return deleted;
}

/** Deletes the originals that are not in the data folder. The account's row is still there: it can be repeated. */
async function eraseObjects(deps: DeleteDeps): Promise<void> {
  const { heldBy } = await originalsOf(deps.settings).emptyRemote(deps, Number.POSITIVE_INFINITY);
  if (heldBy === "backup") throw backupRuns();
  if (heldBy) throw new LibraryError("Another server uses the bucket: nothing was deleted in it");
}

/** Deletes the rest of an account: its row last. */
function endAccount(deps: DeleteDeps, { id }: AccountRow, detail: Deleted & { isErased: boolean }): void {
  const { db, now } = deps;
  const { isErased } = detail;
  const images = selectImages(db, id);
  const uploads = selectUploads(db, id);
  transact(db, (tx) => {
    forgetJobs(tx, [id]);
    forgetSnapshot(tx, id);
    dropSoundsOf(tx, id);
    forgetSender(tx, id, isErased);
    if (isErased) eraseMarked(tx, deps.settings, id);
    // A server beside this process may have written down what it remembered of the account's last requests.
    for (const deleteSome of DELETE_SOME) while (deleteSome(tx, id, ROWS_AT_ONCE) > 0);
    deleteAccountRow(tx, id);
    audit(tx, { actor: "operator", action: "account.delete", subject: id, detail }, now());
  });
  removePictures(deps, images, isErased);
  removeUploads(deps, uploads, isErased);
}

/**
 * Runs a step. One that deletes files waits a moment for other deletions, and does not run beside a backup.
 *
 * @throws LibraryError before the step, while a backup reads the files.
 */
async function take<Result>(deps: DeleteDeps, isErased: boolean, step: () => Result): Promise<Result> {
  if (!isErased) return step();
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const done = whileNothingHeld(deps.settings, () => ({ result: step() }));
    if (done) return done.result;
    await setTimeout(PAUSE_MS);
  }
  throw backupRuns();
}

const backupRuns = () => new LibraryError("A backup is running: run this again when it has finished");

/** Rewrites the database: pages may still have what earlier changes of the same rows left in them. */
function rewrite(db: Db): void {
  dropDeletedWords(db);
  db.$client.run("PRAGMA temp_store = FILE");
  db.$client.run("VACUUM");
}

async function deleteTracks(deps: DeleteDeps, ownerId: LibraryId, isErased: boolean): Promise<Deleted> {
  const deleted: Deleted = { tracks: 0, files: 0 };
  const step = () => {
    const remains = transact(deps.db, (tx) => {
      const found = deleteTracksOf(tx, ownerId, TRACKS_AT_ONCE);
      forgetJobs(tx, found.trackIds);
      return found;
    });
    // A separate transaction: if the first one failed to commit, its tracks would come back without their files.
    deleted.files += transact(deps.db, (tx) => removeOriginals(tx, deps, remains.sha256s, isErased));
    removePictures(deps, remains.covers, isErased);
    deleted.tracks += remains.trackIds.length;
    return remains.trackIds.length;
  };
  await repeat(() => take(deps, isErased, step));
  return deleted;
}

/** Calls `step` until it has nothing left to do, and lets other processes write in between. */
async function repeat(step: () => number | Promise<number>): Promise<void> {
  while ((await step()) > 0) await setTimeout(PAUSE_MS);
}

function removeOriginals(
  tx: Db,
  { settings, now }: DeleteDeps,
  sha256s: readonly string[],
  isErased: boolean,
): number {
  const unnamed = sha256s.filter((sha256) => !audioShelf.isNamed(tx, sha256));
  for (const sha256 of unnamed) {
    if (isErased) {
      originalsOf(settings).erase(tx, sha256);
      eraseRenditions(tx, settings, sha256);
    } else {
      originalsOf(settings).setAside(tx, sha256, now());
      setRenditionsAside(tx, settings, sha256, now());
    }
  }
  return unnamed.length;
}

function removePictures(deps: DeleteDeps, keys: readonly string[], isErased: boolean): void {
  if (isErased) eraseUnshown(deps, keys);
  else removeUnshown(deps, keys);
}

function removeUploads({ settings, now }: DeleteDeps, ids: readonly string[], isErased: boolean): void {
  for (const path of ids.map((id) => partialPath(settings, id)))
    if (isErased) erase(settings, path);
    else setAside(settings, path, now());
}

function selectImages(db: Db, ownerId: LibraryId): string[] {
  const sql = `SELECT image FROM playlists WHERE owner_id = ?1 AND image IS NOT NULL
    UNION ALL SELECT logo_key FROM brands WHERE account_id = ?1 AND logo_key IS NOT NULL`;
  return db.$client
    .query<{ image: string }, [string]>(sql)
    .all(ownerId)
    .map(({ image }) => image);
}

/** Files that the account, or visitors of its briefs, are sending. */
function selectUploads(db: Db, ownerId: LibraryId): string[] {
  return db.$client
    .query<{ id: string }, [string]>(
      `SELECT u.id FROM submission_uploads u JOIN briefs b ON b.id = u.brief_id WHERE b.owner_id = ?1
       UNION ALL SELECT id FROM owner_uploads WHERE account_id = ?1`,
    )
    .all(ownerId)
    .map(({ id }) => id);
}
