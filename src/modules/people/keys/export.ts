import { apiKeys } from "../../../../db/schema.ts";
import { type ExportLists, type ExportSource, type Plain, plain, rowsOf } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  keys: rowsOf(apiKeys, apiKeys.accountId),
  usage: usageOf,
};

/** Requests with the account's keys, read row by row too. */
function* usageOf({ db, accountId }: ExportSource): Iterable<Plain> {
  const rows = db.$client
    .query<Plain, [string]>(
      `SELECT id, key_id AS keyId, route, method, status, duration_ms AS durationMs, ip, at FROM usage_records
       WHERE account_id = ? ORDER BY at, id`,
    )
    .iterate(accountId);
  for (const row of rows) yield plain(row);
}
