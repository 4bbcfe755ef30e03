import { searches } from "../../../../db/schema.ts";
import { type ExportLists, rowsOf } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  searches: rowsOf(searches, searches.accountId),
};
