import { eq } from "drizzle-orm";
import { oauthGrants } from "../../../../db/schema.ts";
import {
  type ExportLists,
  type ExportSource,
  makersOf,
  type Plain,
  plain,
} from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  programs: programsOf,
};

function programsOf({ db, accountId }: ExportSource): Plain[] {
  const makerOf = makersOf(db);
  const rows = db.select().from(oauthGrants).where(eq(oauthGrants.accountId, accountId)).all();
  return rows.map(({ personId, ...row }) => ({ ...plain(row), madeBy: makerOf(personId) }));
}
