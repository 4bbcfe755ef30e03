import { saves } from "../../../../db/schema.ts";
import { type ExportLists, rowsOf } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  saves: rowsOf(saves, saves.accountId),
};
