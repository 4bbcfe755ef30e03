import type { Deps } from "../../kernel/deps.ts";
import { readDisk } from "../../kernel/disk.ts";
import { DomainError } from "../../kernel/errors.ts";
import { type Usage, usageOf } from "./queries.ts";

const GIBIBYTE = 2 ** 30;
/** What strangers may send within a day, submitted or not. */
const A_DAY = {
  client: { files: 250, bytes: 50 * GIBIBYTE },
  brief: { files: 2500, bytes: 200 * GIBIBYTE },
} as const;
/** Never taken by strangers: the database and the owner's own work need room. */
const KEPT_FREE_BYTES = 2 * GIBIBYTE;

/** Returns how many bytes the file system of a folder can still take. */
export type FreeBytes = (path: string) => number;

/** {@link FreeBytes} as the system says it. */
export const systemFreeBytes: FreeBytes = (path) => readDisk(path).freeBytes;

/**
 * Checks that another file may be sent. What was announced within the day counts, whether it came or not; of the disk, only
 * what is used: else somebody could keep everybody out by announcing alone.
 *
 * @throws DomainError `rate_limit_exceeded` for one address, `insufficient_storage` for the brief or the disk.
 */
export function checkRoom(
  { db, now, settings }: Pick<Deps, "db" | "now" | "settings">,
  freeBytes: FreeBytes,
  { client, briefId, sizeBytes }: { client: string; briefId: string; sizeBytes: number },
): void {
  const at = now();
  if (isOver(usageOf(db, "client", client, at), sizeBytes, A_DAY.client))
    throw new DomainError("rate_limit_exceeded", "That is a lot for one day: please send the rest tomorrow", {
      headers: { "retry-after": "3600" },
    });
  if (isOver(usageOf(db, "brief_id", briefId, at), sizeBytes, A_DAY.brief)) throw noRoom();
  checkDisk({ settings }, freeBytes, sizeBytes);
}

/**
 * Checks that the disk can take so many bytes more and still has what is kept free.
 *
 * @throws DomainError `insufficient_storage`.
 */
export function checkDisk(
  { settings }: Pick<Deps, "settings">,
  freeBytes: FreeBytes,
  sizeBytes: number,
): void {
  const kept = Math.max(KEPT_FREE_BYTES, settings.diskReserveBytes ?? 0);
  if (freeBytes(settings.dataDir) < sizeBytes + kept) throw noRoom();
}

const noRoom = () =>
  new DomainError("insufficient_storage", "There is no room for this file now: please try again later");

const isOver = (used: Usage, sizeBytes: number, most: Usage) =>
  used.files + 1 > most.files || used.bytes + sizeBytes > most.bytes;
