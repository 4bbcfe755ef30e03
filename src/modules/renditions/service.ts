import { type Db, transact } from "../../../db/client.ts";
import { enqueue } from "../../jobs/queue.ts";
import type { Deps } from "../../kernel/deps.ts";
import { fileMadeAt, listFiles, removeFile, renditionPath } from "./files.ts";
import { needsRendition } from "./need.ts";
import * as queries from "./queries.ts";

/** The job that makes a rendition of an original; payload `{ sha256 }`, which is the unique key too. */
export const TRANSCODE_JOB = "transcode";

/** What is played in the place of an original. */
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
  const madeAt = row && fileMadeAt(settings, sha256, row.sizeBytes);
  if (!row || madeAt === undefined) return undefined;
  return {
    path: renditionPath(settings, sha256),
    mediaType: row.mediaType,
    sizeBytes: row.sizeBytes,
    madeAt,
  };
}

/** Deletes a rendition with its original: call it where `removeBlobIfUnreferenced` is called, and as that says. */
export function removeRenditionIfUnreferenced(tx: Db, settings: Deps["settings"], sha256: string): void {
  if (queries.isUsed(tx, sha256)) return;
  queries.deleteRow(tx, sha256);
  removeFile(settings, sha256);
}

/**
 * Puts right, at the start, what a crash left half done: files without a row and rows without a file go, as do
 * renditions of originals that are gone. With ffmpeg, what has no rendition and needs one is then promised one: ffmpeg
 * may have been installed since. Call it after the job queue has recovered. Returns how many were promised.
 */
export function recoverRenditions({
  db,
  now,
  settings,
  ffmpegPath,
}: Pick<Deps, "db" | "now" | "settings" | "ffmpegPath">): number {
  return transact(db, (tx) => {
    sweep(tx, settings);
    if (ffmpegPath === undefined) return 0;
    const missing = queries.listWithoutRendition(tx).filter(needsRendition);
    for (const { sha256 } of missing) requestRendition(tx, { ffmpegPath }, sha256, now());
    return missing.length;
  });
}

function sweep(tx: Db, settings: Deps["settings"]): void {
  queries.deleteUnused(tx);
  const rows = new Map(queries.listRows(tx).map((row) => [row.sha256, row]));
  const files = new Set(listFiles(settings));
  for (const sha256 of files) if (!rows.has(sha256)) removeFile(settings, sha256);
  for (const { sha256, sizeBytes } of rows.values())
    if (fileMadeAt(settings, sha256, sizeBytes) === undefined) queries.deleteRow(tx, sha256);
}
