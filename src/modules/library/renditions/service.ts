import { type Db, transact } from "../../../../db/client.ts";
import type { Shelf } from "../../../blobs/quarantine.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { eraseFile, isThere, keyOfFile, RENDITIONS_FOLDER, setFileAside } from "./files.ts";
import { neededEncodings } from "./need.ts";
import * as queries from "./queries.ts";

export { choosePlayable, listPlayable } from "./playable.ts";

/** The job that makes the renditions of an original; payload `{ sha256 }`, which is also the unique key. */
export const TRANSCODE_JOB = "transcode";

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

/**
 * Repairs, at startup, what a crash left half done: deletes rows without a file and rows of deleted originals. If
 * ffmpeg is available, it then queues the originals that lack renditions, because ffmpeg may have been installed
 * since. Call it after the job queue has recovered. Returns how many originals were queued.
 */
export function recoverRenditions({
  db,
  now,
  settings,
  ffmpegPath,
}: Pick<Deps, "db" | "now" | "settings" | "ffmpegPath">): number {
  return transact(db, (tx) => {
    forgetLost(tx, settings);
    if (ffmpegPath === undefined) return 0;
    const missing = queries
      .listOriginals(tx)
      .filter((original) => neededEncodings(original).some((one) => !original.encodings.includes(one)));
    for (const { sha256 } of missing) requestRendition(tx, { ffmpegPath }, sha256, now());
    return missing.length;
  });
}

function forgetLost(tx: Db, settings: Deps["settings"]): void {
  queries.deleteUnused(tx);
  for (const row of queries.listRows(tx))
    if (!isThere(settings, row, row.sizeBytes)) queries.deleteRow(tx, row);
}
