import type { Db } from "../../../../db/client.ts";
import type { RowChange } from "../../../../db/row-images.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { type Remembered, restoreSuggestions } from "./decisions.ts";
import type { TagCategory } from "./shapes.ts";
import { requestLearning } from "./verdicts.ts";

/**
 * Unlearns what the rows of a track's tags said, after they were made again what they were: the suggestions that a decision
 * made go with it, and the account's models are trained without it. Call it inside the transaction that restored the rows.
 */
export function unlearnRows(
  tx: Db,
  { ownerId, trackId, at }: { ownerId: LibraryId; trackId: string; at: number },
  rows: readonly RowChange[],
): void {
  const undone = rows.filter(({ table, before }) => table === "tag_decisions" && before === null);
  for (const { after } of undone.toReversed()) {
    const category = String(after?.category) as TagCategory; // a row of our own
    restoreSuggestions(tx, { trackId, category }, JSON.parse(String(after?.verdicts_before)) as Remembered[]);
  }
  if (rows.some(({ table }) => table === "tag_feedback")) requestLearning(tx, ownerId, at);
}
