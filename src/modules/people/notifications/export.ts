import { notifications } from "../../../../db/schema.ts";
import { type ExportLists, rowsOf } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  notifications: rowsOf(notifications, notifications.accountId),
};
