import { asc, eq, getTableColumns } from "drizzle-orm";
import { mailStops, mails, mailWishes } from "../../../../db/schema.ts";
import {
  type ExportLists,
  type ExportSource,
  makersOf,
  type Plain,
  plain,
  rowsOf,
} from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  mails: mailsOf,
  stops: rowsOf(mailStops, mailStops.accountId),
  wishes: rowsOf(mailWishes, mailWishes.accountId),
};

/** To whom the library wrote, and what became of it: never what the mails say, which opens links. */
function* mailsOf({ db, accountId }: ExportSource): Iterable<Plain> {
  const makerOf = makersOf(db);
  const { body: _, ...columns } = getTableColumns(mails);
  const own = db.select(columns).from(mails).where(eq(mails.accountId, accountId)).orderBy(asc(mails.seq));
  for (const { madeBy, ...row } of own.all())
    yield { ...plain(row, ["seq", "accountId", "dedupe"]), madeBy: makerOf(madeBy) };
}
