import { asc, eq } from "drizzle-orm";
import { families } from "../../../../db/schema.ts";
import { type ExportLists, type ExportSource, type Plain, plain } from "../../../kernel/exported.ts";
import { listPlaces } from "./queries.ts";

export const lists: ExportLists = {
  families: familiesOf,
};

function* familiesOf({ db, accountId }: ExportSource): Iterable<Plain> {
  const own = db.select().from(families).where(eq(families.ownerId, accountId));
  for (const row of own.orderBy(asc(families.createdAt), asc(families.id)).all())
    yield { ...plain(row), members: listPlaces(db, row.id).map((place) => plain(place, ["familyId"])) };
}
