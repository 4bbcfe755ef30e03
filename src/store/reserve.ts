import { existsSync, rmSync, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DataDir } from "../blobs/paths.ts";
import { type Disk, readDisk } from "../kernel/disk.ts";

const RESERVE_BYTES = 16 * 1024 * 1024;
/** On a small disk, the reserve is this share of it. */
const RESERVE_SHARE = 1 / 8;
const PIECE_BYTES = 64 * 1024;

/** The file that is deleted to make room on a full disk. */
const reservePath = ({ dataDir }: DataDir) => join(dataDir, "reserve");

/** Returns the size of a disk's reserve in bytes. */
function reserveBytes({ totalBytes }: Disk): number {
  return Math.min(RESERVE_BYTES, Math.floor(totalBytes * RESERVE_SHARE));
}

/** Returns how many bytes are missing for the reserve and a checkpoint of the database; 0 when there is room. */
export function missingRoom(settings: DataDir): number {
  const disk = readDisk(settings.dataDir);
  const has = statSync(reservePath(settings), { throwIfNoEntry: false })?.size ?? 0;
  return Math.max(0, 2 * reserveBytes(disk) - has - disk.freeBytes);
}

/** Deletes the reserve to make room on a full disk. Returns false when it was already gone. */
export function giveReserve(settings: DataDir): boolean {
  const isThere = existsSync(reservePath(settings));
  rmSync(reservePath(settings), { force: true });
  return isThere;
}

/** Makes the reserve if the disk has room for two. Its bytes are random, because some disks do not store zeros. */
export async function keepReserve(settings: DataDir): Promise<void> {
  const path = reservePath(settings);
  const disk = readDisk(settings.dataDir);
  const bytes = reserveBytes(disk);
  if (existsSync(path) || disk.freeBytes < 2 * bytes) return;
  const aside = `${path}.${process.pid}.part`;
  try {
    const file = await open(aside, "w", 0o600);
    try {
      const piece = crypto.getRandomValues(new Uint8Array(PIECE_BYTES));
      for (let written = 0; written < bytes; written += PIECE_BYTES) await file.write(piece);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch {
    // The disk filled up meanwhile. The next hourly run tries again.
    await rm(aside, { force: true });
  }
}
