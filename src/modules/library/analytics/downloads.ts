import { type Db, transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { createKeeping } from "../../../kernel/keeping.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import { recordActivity } from "./record.ts";
import { findTrackOfVersion } from "./record-queries.ts";

/** The file that an answer carries, and the client it goes to: an address, which tells clients apart. */
export type ServedFile = { versionId: string; client: string };

/** Above this number the oldest downloads are forgotten; a repeat of one counts again. */
const MAX_REMEMBERED = 20_000;

/**
 * Creates the counter of downloads: one per file, client and hour, when the client asked for the whole file or its
 * first part. Past downloads are kept in memory only, so no address is stored.
 *
 * @param onDownload Called for each that counts, with the version's id. What it throws never stops a download.
 */
export function createDownloadCounter(
  { db, now, log }: Pick<Deps, "db" | "now" | "log">,
  onDownload: (versionId: string) => void = () => undefined,
) {
  const isFirstInHour = firstInHour();
  const keeping = createKeeping({ db, log }, "A download could not be counted");
  /** Counts the answer if it is a download, and returns it. */
  return (request: Request, response: Response, { versionId, client }: ServedFile): Response => {
    const at = now();
    if (!isDownload(request, response) || !isFirstInHour(`${versionId} ${client}`, at)) return response;
    // The file is already on its way: a disk too full to count the download must not stop it.
    keeping.attempt(() => recordDownload(db, versionId, at));
    keeping.attempt(() => onDownload(versionId));
    return response;
  };
}

function isDownload({ method, headers: asked }: Request, { status, headers }: Response): boolean {
  if (method !== "GET") return false;
  // Another server answers, so what the client asked for decides.
  if (status === 302) return asked.get("range")?.startsWith("bytes=0-") ?? true;
  return status === 200 || (status === 206 && headers.get("content-range")?.startsWith("bytes 0-") === true);
}

/** Returns a function that is true for a name not seen in the past hour. */
function firstInHour(): (name: string, at: number) => boolean {
  const metAt = new Map<string, number>();
  return (name, at) => {
    const last = metAt.get(name);
    if (last !== undefined && at - last < HOUR_MS) return false;
    metAt.delete(name); // keeps the map in order of time
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
