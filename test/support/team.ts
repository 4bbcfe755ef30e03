import { members, type PersonId, people, type Role } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import { beginSession } from "../../src/modules/people/people/service.ts";
import type { TestApp } from "./app.ts";

/** Makes a person a member of a library, and signs them in there. */
export function addMember(
  { deps }: Pick<TestApp, "deps">,
  accountId: string,
  { role, splits = false, listening = false }: { role: Role; splits?: boolean; listening?: boolean },
): { personId: PersonId; memberId: string; token: string } {
  const at = deps.now();
  const personId = newId("usr") as PersonId;
  const memberId = newId("mem");
  const person = { id: personId, email: `${personId}@example.com`, name: `The ${role}`, createdAt: at };
  deps.db.insert(people).values(person).run();
  const switches = { seesSplits: splits, seesListening: listening };
  deps.db
    .insert(members)
    .values({ id: memberId, accountId, personId, role, ...switches, joinedAt: at })
    .run();
  const client = { ip: "test", userAgent: null };
  return { personId, memberId, token: beginSession(deps, person, client, { accountId }).token };
}
