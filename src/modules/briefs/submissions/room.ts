import type { Deps } from "../../../kernel/deps.ts";
import { readDisk } from "../../../kernel/disk.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { type Usage, usageOf } from "./queries.ts";
import { MAX_SENT_BY_VISITOR, MAX_SENT_TO_BRIEF } from "./shapes.ts";

/** Space that visitors never use: the database and the owner's own work need it. */
const KEPT_FREE_BYTES = 2 * 2 ** 30;

/** Returns how many bytes the file system of a folder can still take. */
export type FreeBytes = (path: string) => number;

/** {@link FreeBytes} from the operating system. */
export const systemFreeBytes: FreeBytes = (path) => readDisk(path).freeBytes;

/**
 * Checks that another file may be sent. All files announced within the day count, whether they arrived or not. On the
 * disk only used space counts; otherwise one visitor could block all others just by announcing files.
 *
 * @throws DomainError `rate_limit_exceeded` when the address is over its limit; `insufficient_storage` when the brief
 *   or the disk is.
 */
export function checkRoom(
  { db, now, settings }: Pick<Deps, "db" | "now" | "settings">,
  freeBytes: FreeBytes,
  { client, briefId, sizeBytes }: { client: string; briefId: string; sizeBytes: number },
): void {
  const at = now();
  if (isOver(usageOf(db, "client", client, at), sizeBytes, MAX_SENT_BY_VISITOR))
    throw new DomainError(
      "rate_limit_exceeded",
      "You have reached the limit for one day: please send the rest tomorrow",
      {
        headers: { "retry-after": "3600" },
      },
    );
  if (isOver(usageOf(db, "brief_id", briefId, at), sizeBytes, MAX_SENT_TO_BRIEF)) throw noRoom();
  checkDisk({ settings }, freeBytes, sizeBytes);
}

/**
 * Checks that the disk can take this many more bytes and still keep the reserved space free.
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
  new DomainError(
    "insufficient_storage",
    "There is no room for this file at the moment: please try again later",
  );

const isOver = (used: Usage, sizeBytes: number, most: Usage) =>
  used.files + 1 > most.files || used.bytes + sizeBytes > most.bytes;
