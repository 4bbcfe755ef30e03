import { type Db, transact } from "../../../../db/client.ts";
import type { Shelf } from "../../../blobs/quarantine.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { eraseFile, isThere, keyOfFile, RENDITIONS_FOLDER, setFileAside } from "./files.ts";
import { isPlayedAsIs, neededEncodings } from "./need.ts";
import { listPlayable } from "./playable.ts";
import * as queries from "./queries.ts";

export {
  choosePlayable,
  listPlayable,
  listRecorded,
  type Playable,
  playableOf,
  type Recorded,
} from "./playable.ts";
export { type RenditionRow, rowsByOriginal } from "./queries.ts";

/** The job that makes the renditions of an original; payload `{ sha256 }`, which is also the unique key. */
export const TRANSCODE_JOB = "transcode";

/**
 * True when players get an original itself: small, and in a form that every browser plays, such as MP3. Whoever may listen may
 * have it.
 */
export function isPlayedItself({ db }: Pick<Deps, "db">, { sha256 }: { sha256: string }): boolean {
  const sound = queries.findSound(db, sha256);
  return sound !== undefined && isPlayedAsIs(sound);
}

/** True while what is to be played instead of an original waits to be made. */
export function isBeingPrepared(
  deps: Pick<Deps, "db" | "settings">,
  original: { sha256: string; mediaType: string },
): boolean {
  const [first] = listPlayable(deps, original);
  return first.kind === "original" && queries.hasJob(deps.db, TRANSCODE_JOB, original.sha256);
}

/** The stored renditions, as named by their rows. */
export const renditionShelf: Shelf = {
  folder: RENDITIONS_FOLDER,
  isOurs: (name) => keyOfFile(name) !== undefined,
  isNamed: (db, name) => {
    const key = keyOfFile(name);
    return queries.listRowsOf(db, key?.sha256 ?? "").some(({ encoding }) => encoding === key?.encoding);
  },
};

/**
 * Queues the making of an original's renditions; without ffmpeg it makes none. Call it in the transaction that makes
 * the original a track's audio. If there is an analysis, call it after that, which shows which renditions are needed.
 */
export function requestRendition(
  tx: Db,
  { ffmpegPath }: Pick<Deps, "ffmpegPath">,
  sha256: string,
  at: number,
): void {
  if (ffmpegPath === undefined) return;
  enqueue(tx, { name: TRANSCODE_JOB, payload: { sha256 }, uniqueKey: sha256 }, at);
}

/**
 * Moves renditions to the quarantine along with their original. Call it together with `setAside` of the originals, by the
 * same rules.
 */
export function setRenditionsAside(tx: Db, settings: Deps["settings"], sha256: string, at: number): void {
  for (const row of dropUnused(tx, sha256)) setFileAside(settings, row, at);
}

/** Deletes renditions along with their original, for an account that is erased. */
export function eraseRenditions(tx: Db, settings: Deps["settings"], sha256: string): void {
  for (const row of dropUnused(tx, sha256)) eraseFile(settings, row);
}

/** Deletes the rows of an original that no version uses, and returns them. */
function dropUnused(tx: Db, sha256: string): queries.RenditionRow[] {
  if (queries.isUsed(tx, sha256)) return [];
  const rows = queries.listRowsOf(tx, sha256);
  for (const row of rows) queries.deleteRow(tx, row);
  return rows;
}

type RecoverDeps = Pick<Deps, "db" | "now" | "settings" | "ffmpegPath">;

/** Rows that are looked at before requests get their turn. */
const SLICE = 500;

/**
 * Repairs, after a start, what a crash left half done: deletes rows without a file and rows of deleted originals. If
 * ffmpeg is available, it then queues the originals that lack renditions, because ffmpeg may have been installed
 * since. Requests are served in between. After a stop, the next start does the rest. Returns how many originals were
 * queued.
 */
export async function recoverRenditions(deps: RecoverDeps, signal?: AbortSignal): Promise<number> {
  await forgetLost(deps, signal);
  let queued = 0;
  const last = deps.ffmpegPath === undefined ? 0 : queries.lastSeq(deps.db);
  for (let seq = 0; seq < last && !signal?.aborted; seq += SLICE) {
    queued += requestMissing(deps, queries.listOriginals(deps.db, seq, seq + SLICE));
    await Bun.sleep(0);
  }
  return queued;
}

function requestMissing(
  { db, now, ffmpegPath }: RecoverDeps,
  originals: readonly queries.Original[],
): number {
  const missing = originals.filter((original) =>
    neededEncodings(original).some((one) => !original.encodings.includes(one)),
  );
  if (missing.length > 0)
    transact(db, (tx) => {
      for (const { sha256 } of missing) requestRendition(tx, { ffmpegPath }, sha256, now());
    });
  return missing.length;
}

async function forgetLost({ db, settings }: RecoverDeps, signal?: AbortSignal): Promise<void> {
  const isLost = (tx: Db, row: queries.RenditionRow) =>
    !queries.isUsed(tx, row.sha256) || !isThere(settings, row, row.sizeBytes);
  let rows = queries.listRows(db, undefined, SLICE);
  while (rows.length > 0 && !signal?.aborted) {
    const lost = rows.filter((row) => isLost(db, row));
    if (lost.length > 0)
      transact(db, (tx) => {
        // Another process may have made the file meanwhile.
        for (const row of lost.flatMap(({ sha256 }) => queries.listRowsOf(tx, sha256)))
          if (isLost(tx, row)) queries.deleteRow(tx, row);
      });
    await Bun.sleep(0);
    rows = queries.listRows(db, rows.at(-1), SLICE);
  }
}
