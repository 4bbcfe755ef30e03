import { prepared } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { NamedPerson } from "./shapes.ts";

/** Name of everybody who is no longer in the library. */
const FORMER = "Former member";

const namesOfMembers = prepared((db) =>
  db.$client.prepare<NamedPerson, [string, string, number]>(
    `SELECT p.id, p.name FROM json_each(?1) i
     JOIN members m ON m.account_id = ?2 AND m.person_id = i.value AND ifnull(m.ends_at > ?3, 1)
     JOIN people p ON p.id = m.person_id`,
  ),
);

/** Returns those of the people who are in a library, by id, as they are called now. */
export function membersAmong(
  { db, now }: Pick<Deps, "db" | "now">,
  accountId: LibraryId,
  ids: readonly (string | null)[],
): Map<string, NamedPerson> {
  const asked = [...new Set(ids)].filter((id) => id !== null);
  const found = asked.length === 0 ? [] : namesOfMembers(db).all(JSON.stringify(asked), accountId, now());
  return new Map(found.map((person) => [person.id, person]));
}

/**
 * Returns a function from a person's id to the person as a library sees them: by name, or as a former member when they are no longer
 * in it. Null stays null: nobody, or the operator.
 *
 * @param ids Everyone whom the function will be asked about.
 */
export function peopleIn(
  deps: Pick<Deps, "db" | "now">,
  accountId: LibraryId,
  ids: readonly (PersonId | null)[],
): (id: PersonId | null) => NamedPerson | null {
  const members = membersAmong(deps, accountId, ids);
  return (id) => (id === null ? null : (members.get(id) ?? { id, name: FORMER }));
}

/** Returns one person as {@link peopleIn} does. */
export function personIn(
  deps: Pick<Deps, "db" | "now">,
  accountId: LibraryId,
  id: PersonId | null,
): NamedPerson | null {
  return peopleIn(deps, accountId, [id])(id);
}
