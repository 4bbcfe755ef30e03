import { statfsSync } from "node:fs";
import { DomainError } from "./errors.ts";
import type { Settings } from "./settings.ts";

/** Free and total space of a file system. */
export type Disk = { freeBytes: number; totalBytes: number };

/** Returns the free and total space of a folder's file system. */
export function readDisk(path: string): Disk {
  const { bavail, blocks, bsize } = statfsSync(path);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

const DEFAULT_RESERVE_BYTES = 1e9;
const DEFAULT_RESERVE_SHARE = 0.05;

type RoomSettings = Pick<Settings, "dataDir" | "diskReserveBytes">;

/**
 * Returns how many more bytes files may take, at least 0. The rest is reserved, so that the database always has room.
 */
export function roomForFiles({ dataDir, diskReserveBytes }: RoomSettings): number {
  const { freeBytes, totalBytes } = readDisk(dataDir);
  // Some network file systems do not report their size.
  if (totalBytes === 0) return Number.POSITIVE_INFINITY;
  const reserve = diskReserveBytes ?? Math.min(DEFAULT_RESERVE_BYTES, totalBytes * DEFAULT_RESERVE_SHARE);
  return Math.max(0, freeBytes - reserve);
}

/** Checks that the disk has room for a file of this size. @throws DomainError `insufficient_storage`. */
export function requireRoom(settings: RoomSettings, sizeBytes: number): void {
  const room = roomForFiles(settings);
  if (room === 0 || sizeBytes > room) throw noRoom();
}

/** Returns the refusal for a full disk. */
export function noRoom(cause?: unknown): DomainError {
  const message = "The server's disk is full: try again later, or tell the operator";
  return new DomainError("insufficient_storage", message, { cause });
}
