import { asc, eq } from "drizzle-orm";
import { shares } from "../../../../db/schema.ts";
import {
  type ExportLists,
  type ExportSource,
  makersOf,
  type Plain,
  plain,
} from "../../../kernel/exported.ts";
import { publicPageUrl } from "./service.ts";

export const lists: ExportLists = {
  links: linksOf,
};

function linksOf({ db, accountId, settings }: ExportSource): Plain[] {
  const makerOf = makersOf(db);
  const own = db.select().from(shares).where(eq(shares.ownerId, accountId)).orderBy(asc(shares.id));
  return own.all().map((row) => ({
    ...plain(row, ["token", "passwordHash"]),
    url: publicPageUrl({ settings }, row.entity, row.token),
    hasPassword: row.passwordHash !== null,
    madeBy: makerOf(row.madeBy),
  }));
}
