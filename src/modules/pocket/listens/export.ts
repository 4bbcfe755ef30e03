import { listens } from "../../../../db/schema.ts";
import { type ExportLists, rowsOf } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  listens: rowsOf(listens, listens.accountId),
};
