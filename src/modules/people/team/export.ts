import { asc, eq } from "drizzle-orm";
import { members, people } from "../../../../db/schema.ts";
import { type ExportLists, type ExportSource, type Plain, plain } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  members: membersOf,
};

/** Who is in the library, and as what. */
function membersOf({ db, accountId }: ExportSource): Plain[] {
  const { name, email } = people;
  return db
    .select({ member: members, name, email })
    .from(members)
    .innerJoin(people, eq(people.id, members.personId))
    .where(eq(members.accountId, accountId))
    .orderBy(asc(members.joinedAt), asc(members.id))
    .all()
    .map(({ member, ...person }) => ({ ...plain(member, ["accountId", "reach", "seenAt"]), ...person }));
}
