import { oauthGrants } from "../../../../db/schema.ts";
import { type ExportLists, rowsOf } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  programs: rowsOf(oauthGrants, oauthGrants.accountId),
};
