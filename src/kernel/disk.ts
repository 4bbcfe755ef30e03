import { statfsSync } from "node:fs";
import { DomainError } from "./errors.ts";
import type { Settings } from "./settings.ts";

/** A file system: what it can still take, and what it holds in all. */
export type Disk = { freeBytes: number; totalBytes: number };

/** Returns the file system of a folder, as the system says it. */
export function readDisk(path: string): Disk {
  const { bavail, blocks, bsize } = statfsSync(path);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

const DEFAULT_RESERVE_BYTES = 1e9;
const DEFAULT_RESERVE_SHARE = 0.05;

type RoomSettings = Pick<Settings, "dataDir" | "diskReserveBytes">;

/**
 * Returns how many bytes more files may take. The rest is reserved, so that the database always has room. Never
 * negative.
 */
export function roomForFiles({ dataDir, diskReserveBytes }: RoomSettings): number {
  const { freeBytes, totalBytes } = readDisk(dataDir);
  // Some network file systems do not say how large they are.
  if (totalBytes === 0) return Number.POSITIVE_INFINITY;
  const reserve = diskReserveBytes ?? Math.min(DEFAULT_RESERVE_BYTES, totalBytes * DEFAULT_RESERVE_SHARE);
  return Math.max(0, freeBytes - reserve);
}

/** Checks that a file of so many bytes fits, and any at all. @throws DomainError `insufficient_storage`. */
export function requireRoom(settings: RoomSettings, sizeBytes: number): void {
  const room = roomForFiles(settings);
  if (room === 0 || sizeBytes > room) throw noRoom();
}

/** The refusal for want of room on the disk. */
export function noRoom(cause?: unknown): DomainError {
  const message = "The server's disk is full: try again later, or tell the operator";
  return new DomainError("insufficient_storage", message, { cause });
}
