import { asc, eq } from "drizzle-orm";
import { invitations, members, people } from "../../../../db/schema.ts";
import {
  type ExportLists,
  type ExportSource,
  makersOf,
  type Plain,
  plain,
} from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  members: membersOf,
  invitations: invitationsOf,
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

/** Who was invited, used and withdrawn invitations included; the links are nobody's to read. */
function invitationsOf({ db, accountId }: ExportSource): Plain[] {
  const makerOf = makersOf(db);
  return db
    .select()
    .from(invitations)
    .where(eq(invitations.accountId, accountId))
    .orderBy(asc(invitations.createdAt), asc(invitations.id))
    .all()
    .map(({ madeBy, ...row }) => ({ ...plain(row, ["accountId", "tokenHash"]), madeBy: makerOf(madeBy) }));
}
