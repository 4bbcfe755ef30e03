import { rmSync, statSync } from "node:fs";
import { transact } from "../../db/client.ts";
import type { Deps } from "../kernel/deps.ts";
import { removeFolderMarker } from "./bucket/marker.ts";
import { listOriginals } from "./kept.ts";
import { moveDurably } from "./move.ts";
import { isNamed } from "./named.ts";
import { partialHash } from "./partial.ts";
import { blobPath } from "./paths.ts";
import { originalsOf } from "./store.ts";

type RelocateDeps = Pick<Deps, "db" | "now" | "settings">;

/** How much was moved, and which originals were not, because their bytes are wrong or missing. */
export type Relocated = { files: number; bytes: number; faulty: string[] };

/**
 * Moves the originals of the data folder to the bucket, beside a running server. A file is deleted when its object was read
 * back. If the process ends, the next call goes on.
 *
 * @throws DomainError `storage_unavailable`.
 */
export async function moveToBucket(deps: RelocateDeps): Promise<Relocated> {
  const { db, settings } = deps;
  const moved: Relocated = { files: 0, bytes: 0, faulty: [] };
  for (const { sha256 } of [...listOriginals(db)]) {
    const path = blobPath(settings, sha256);
    const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size;
    if (sizeBytes === undefined) continue;
    const isSound = (await partialHash(path)) === sha256;
    if (!isSound || !(await originalsOf(settings).copyOut(deps, { path, sha256, sizeBytes }))) {
      moved.faulty.push(sha256);
      continue;
    }
    transact(db, (tx) => {
      if (isNamed(tx, sha256)) rmSync(path);
    });
    moved.files++;
    moved.bytes += sizeBytes;
  }
  return moved;
}

/**
 * Copies the originals of the bucket to the data folder, while no server runs. The bucket stays as it is. When nothing is
 * left there that the library needs, the library no longer asks for the bucket.
 *
 * @throws DomainError `storage_unavailable`, `insufficient_storage`.
 */
export async function moveToDisk(deps: RelocateDeps): Promise<Relocated> {
  const { db, settings } = deps;
  const moved: Relocated = { files: 0, bytes: 0, faulty: [] };
  for (const { sha256, sizeBytes } of [...listOriginals(db)]) {
    const home = blobPath(settings, sha256);
    if (statSync(home, { throwIfNoEntry: false })?.size === sizeBytes) continue;
    const copy = await originalsOf(settings).fetchCopy(sha256);
    if (copy?.sha256 !== sha256) {
      moved.faulty.push(sha256);
      if (copy) rmSync(copy.path);
      continue;
    }
    moveDurably(copy.path, home);
    moved.files++;
    moved.bytes += sizeBytes;
  }
  if (moved.faulty.length === 0) removeFolderMarker(settings);
  return moved;
}
