import { transact } from "../../../../../db/client.ts";
import { diffRows, type RowSet, readRows } from "../../../../../db/row-images.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { newId } from "../../../../kernel/ids.ts";
import { MINUTE_MS } from "../../../../kernel/time.ts";
import { mergeComposers, tracksOfComposer } from "../../composers/service.ts";
import { UNDO_MINUTES } from "../bulk/shapes.ts";
import { keepRows } from "../undo-rows.ts";
import type { MergedComposers } from "./shapes.ts";

/** How long a merge can be undone. */
const UNDO_MS = UNDO_MINUTES * MINUTE_MS;

/**
 * Makes two composers one, so that it can be undone.
 *
 * @throws DomainError `composer_not_found`; `validation_failed` for one composer twice.
 */
export function mergeAndKeep(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  keptId: string,
  goneId: string,
): MergedComposers {
  return transact(db, (tx) => {
    const sets: RowSet[] = [
      ...[keptId, goneId].map((value) => ({ table: "composers", column: "id", value })),
      ...tracksOfComposer(tx, goneId).map((value) => ({
        table: "track_shareholders",
        column: "track_id",
        value,
      })),
    ];
    const before = readRows(tx, sets);
    const [undoId, createdAt] = [newId("undo"), now()];
    const differences = mergeComposers(tx, { ownerId, keptId, goneId }, createdAt);
    const rows = diffRows(before, readRows(tx, sets), () => true);
    keepRows(tx, { id: undoId, accountId: ownerId, createdAt, until: createdAt + UNDO_MS }, keptId, {
      rows,
    });
    return { id: keptId, undoId, differences };
  });
}
