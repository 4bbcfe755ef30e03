import { eq } from "drizzle-orm";
import { apiKeys } from "../../../../db/schema.ts";
import {
  type ExportLists,
  type ExportSource,
  makersOf,
  type Plain,
  plain,
} from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  keys: keysOf,
  usage: usageOf,
};

function keysOf({ db, accountId }: ExportSource): Plain[] {
  const makerOf = makersOf(db);
  const rows = db.select().from(apiKeys).where(eq(apiKeys.accountId, accountId)).all();
  return rows.map((row) => ({ ...plain(row), madeBy: makerOf(row.madeBy) }));
}

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
