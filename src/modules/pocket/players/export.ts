import { players } from "../../../../db/schema.ts";
import { type ExportLists, madeRowsOf } from "../../../kernel/exported.ts";

/** Names and times, without secrets. */
export const lists: ExportLists = { musicApps: madeRowsOf(players, players.accountId) };
