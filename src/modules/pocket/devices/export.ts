import { pockets } from "../../../../db/schema.ts";
import { type ExportLists, madeRowsOf } from "../../../kernel/exported.ts";

/** Names and times, without secrets. */
export const lists: ExportLists = { devices: madeRowsOf(pockets, pockets.accountId) };
