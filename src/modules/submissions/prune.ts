import { transact } from "../../../db/client.ts";
import { listPartials, partialPath, removePartial } from "../../blobs/partial.ts";
import type { Deps } from "../../kernel/deps.ts";
import { HOUR_MS } from "../../kernel/time.ts";
import * as queries from "./queries.ts";

/** An upload that was announced and never begun gives its room back after this time. */
const NEVER_BEGUN_MS = HOUR_MS;

/** Forgets uploads whose day is over, and deletes files that no upload has any more. Returns how many files went. */
export async function pruneUploads({
  db,
  now,
  settings,
}: Pick<Deps, "db" | "now" | "settings">): Promise<{ removed: number }> {
  const at = now();
  transact(db, (tx) => void queries.deleteExpired(tx, at, at - NEVER_BEGUN_MS));
  let removed = 0;
  for (const id of await listPartials(settings)) {
    // The row is always written before the file.
    if (queries.isInUse(db, id)) continue;
    if (!/^[\w-]{22}$/.test(id)) continue; // not of our making
    await removePartial(partialPath(settings, id));
    removed++;
  }
  return { removed };
}
