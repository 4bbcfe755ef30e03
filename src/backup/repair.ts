import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { flush, moveDurably } from "../blobs/move.ts";
import { isSha256, temporaryDir } from "../blobs/paths.ts";
import type { Finding } from "./finding.ts";
import { type BackupPlace, sharedPath } from "./open-backup.ts";
import { createPieceReader, hashFile } from "./pieces.ts";
import { type ReadBackup, sharedFiles } from "./read-backup.ts";
import { withUnpacked } from "./verify-backup.ts";

/**
 * Replaces missing and damaged files by those of a backup. Checks the bytes before it puts them in place.
 *
 * @param read Receives the number of bytes read from the backup.
 * @returns The paths of the files that are whole again.
 */
export async function repairFiles(
  dataDir: string,
  place: BackupPlace,
  faults: readonly Finding[],
  read: (bytes: number) => void,
): Promise<Set<string>> {
  const dir = temporaryDir({ dataDir });
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const paths = new Set(faults.flatMap(({ path }) => path ?? []));
  const staged = new Map(
    [...paths].map((path) => [path, join(dir, `${process.pid}-${crypto.randomUUID()}.part`)]),
  );
  try {
    const repaired = await stageSound(place, staged, read);
    for (const path of repaired) moveDurably(staged.get(path) ?? "", join(dataDir, path));
    return repaired;
  } finally {
    for (const path of staged.values()) rmSync(path, { force: true });
  }
}

/** Unpacks files to their paths in `staged`. Returns the paths of the sound ones. */
async function stageSound(
  place: BackupPlace,
  staged: ReadonlyMap<string, string>,
  read: (bytes: number) => void,
): Promise<Set<string>> {
  const damaged = new Set<string | null>();
  const watch = { report: ({ path }: Finding) => void damaged.add(path), read };
  const isWhole = await withUnpacked(
    place,
    { ...watch, placeOf: (path) => staged.get(path) },
    async (backup) => {
      if (backup.manifest.kind === "snapshot") await copyShared(place, backup, staged);
      return true;
    },
  );
  const sound = new Set<string>();
  for (const [path, at] of staged) {
    if (damaged.has(path) || !existsSync(at)) continue;
    // The name of an original is its sum. The sums of pictures are at the end of the archive.
    const name = basename(path);
    const isSound = isSha256(name) ? (await hashFile(at, createPieceReader())) === name : isWhole === true;
    if (isSound) sound.add(path);
  }
  return sound;
}

async function copyShared(
  place: BackupPlace,
  backup: ReadBackup,
  staged: ReadonlyMap<string, string>,
): Promise<void> {
  const reader = createPieceReader();
  for (const { path, sha256 } of sharedFiles(backup)) {
    const [from, to] = [sharedPath(place, path), staged.get(path)];
    if (from === undefined || to === undefined || !existsSync(from)) continue;
    copyFileSync(from, to);
    if ((await hashFile(to, reader)) === sha256) flush(to);
    else rmSync(to);
  }
}
