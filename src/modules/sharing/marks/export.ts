import { markedCopies } from "../../../../db/schema.ts";
import { type ExportLists, rowsOf } from "../../../kernel/exported.ts";

/** Who got which marked copy. Codes and keys are secrets: only a move takes them along. */
export const lists: ExportLists = {
  markedCopies: rowsOf(markedCopies, markedCopies.accountId),
};
