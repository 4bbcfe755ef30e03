import { asc, eq, getTableColumns } from "drizzle-orm";
import { shareAnswers, shares } from "../../../../db/schema.ts";
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
  answers: answersOf,
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

/** What recipients of links said to tracks. */
function answersOf({ db, accountId }: ExportSource): Plain[] {
  return db
    .select(getTableColumns(shareAnswers))
    .from(shareAnswers)
    .innerJoin(shares, eq(shares.id, shareAnswers.shareId))
    .where(eq(shares.ownerId, accountId))
    .orderBy(asc(shareAnswers.id))
    .all()
    .map((row) => plain(row));
}
