import { eq } from "drizzle-orm";
import { pockets } from "../../../../db/schema.ts";
import {
  type ExportLists,
  type ExportSource,
  makersOf,
  type Plain,
  plain,
} from "../../../kernel/exported.ts";

/** Names and times, without secrets. */
export const lists: ExportLists = { devices };

function devices({ db, accountId }: ExportSource): Plain[] {
  const makerOf = makersOf(db);
  const rows = db.select().from(pockets).where(eq(pockets.accountId, accountId)).all();
  return rows.map((row) => ({ ...plain(row, ["accountId", "personId"]), madeBy: makerOf(row.personId) }));
}
