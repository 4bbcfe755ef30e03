import { type Db, transact } from "../../../db/client.ts";
import type { Shelf } from "../../blobs/quarantine.ts";
import { enqueue } from "../../jobs/queue.ts";
import type { Deps } from "../../kernel/deps.ts";
import { isThere, originalOfFile, RENDITIONS_FOLDER, removeFile, renditionPath } from "./files.ts";
import { needsRendition } from "./need.ts";
import * as queries from "./queries.ts";

/** The job that makes a rendition of an original; payload `{ sha256 }`, which is the unique key too. */
export const TRANSCODE_JOB = "transcode";

/** The renditions, named by their rows. */
export const renditionShelf: Shelf = {
  folder: RENDITIONS_FOLDER,
  isOurs: (name) => originalOfFile(name) !== undefined,
  isNamed: (db, name) => queries.findRow(db, originalOfFile(name) ?? "") !== undefined,
};

/** What is played in the place of an original; `madeAt` is for nobody outside: other accounts may share the file. */
export type Rendition = { path: string; mediaType: string; sizeBytes: number; madeAt: number };

/**
 * Promises a rendition of an original, if one turns out to be needed; without ffmpeg there will be none. Call it in the
 * transaction that makes it the audio of a track, and after the analysis when there is one: that tells whether it is
 * needed.
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

/** Returns the rendition of an original; undefined when there is none: then the original is played. */
export function findRendition(
  { db, settings }: Pick<Deps, "db" | "settings">,
  sha256: string,
): Rendition | undefined {
  const row = queries.findRow(db, sha256);
  if (!row || !isThere(settings, sha256, row.sizeBytes)) return undefined;
  return {
    path: renditionPath(settings, sha256),
    mediaType: row.mediaType,
    sizeBytes: row.sizeBytes,
    madeAt: row.createdAt,
  };
}

/** Deletes a rendition with its original: call it where `removeBlobIfUnreferenced` is called, and as that says. */
export function removeRenditionIfUnreferenced(tx: Db, settings: Deps["settings"], sha256: string): void {
  if (queries.isUsed(tx, sha256)) return;
  queries.deleteRow(tx, sha256);
  removeFile(settings, sha256);
}

/**
 * Puts right, at the start, what a crash left half done: rows without a file go, as do those of originals
 * that are gone. With ffmpeg, what has no rendition and needs one is then promised one: ffmpeg
 * may have been installed since. Call it after the job queue has recovered. Returns how many were promised.
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
    const missing = queries.listWithoutRendition(tx).filter(needsRendition);
    for (const { sha256 } of missing) requestRendition(tx, { ffmpegPath }, sha256, now());
    return missing.length;
  });
}

function forgetLost(tx: Db, settings: Deps["settings"]): void {
  queries.deleteUnused(tx);
  for (const { sha256, sizeBytes } of queries.listRows(tx))
    if (!isThere(settings, sha256, sizeBytes)) queries.deleteRow(tx, sha256);
}
