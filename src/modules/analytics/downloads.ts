import { type Db, transact } from "../../../db/client.ts";
import type { Deps } from "../../kernel/deps.ts";
import { createKeeping } from "../../kernel/keeping.ts";
import { HOUR_MS } from "../../kernel/time.ts";
import { recordActivity } from "./record.ts";
import { findTrackOfVersion } from "./record-queries.ts";

/** Which file an answer carries, and to whom: an address, which tells clients apart. */
export type ServedFile = { versionId: string; client: string };

/** Beyond it the oldest are forgotten, and then counted once more. */
const MAX_REMEMBERED = 20_000;

/**
 * Makes the counter of downloads: one for each file and client in an hour, when the whole file or its first part was
 * asked for. Who has had what is remembered in memory alone: no address is written down.
 */
export function createDownloadCounter({ db, now, log }: Pick<Deps, "db" | "now" | "log">) {
  const isFirstInHour = firstInHour();
  const keeping = createKeeping({ db, log }, "A download could not be counted");
  /** Counts the answer if it is one to count, and gives it back. */
  return (request: Request, response: Response, { versionId, client }: ServedFile): Response => {
    const at = now();
    if (!isDownload(request, response) || !isFirstInHour(`${versionId} ${client}`, at)) return response;
    // The file is on its way, and a disk too full to count it must not take it back.
    keeping.attempt(() => recordDownload(db, versionId, at));
    return response;
  };
}

function isDownload({ method }: Request, { status, headers }: Response): boolean {
  if (method !== "GET") return false;
  return status === 200 || (status === 206 && headers.get("content-range")?.startsWith("bytes 0-") === true);
}

/** Tells whether a name was not met in the hour before. */
function firstInHour(): (name: string, at: number) => boolean {
  const metAt = new Map<string, number>();
  return (name, at) => {
    const last = metAt.get(name);
    if (last !== undefined && at - last < HOUR_MS) return false;
    metAt.delete(name); // so that the map stays in the order of time
    metAt.set(name, at);
    for (const oldest of metAt.keys()) {
      if (metAt.size <= MAX_REMEMBERED) break;
      metAt.delete(oldest);
    }
    return true;
  };
}

function recordDownload(db: Db, versionId: string, at: number): void {
  const track = findTrackOfVersion(db, versionId);
  if (!track) return;
  const { ownerId, trackId: entityId } = track;
  const actor = { type: "visitor", name: null } as const;
  transact(db, (tx) =>
    recordActivity(tx, { ownerId, entity: "track", entityId, metric: "downloads", actor }, at),
  );
}
