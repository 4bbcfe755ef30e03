import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { PersonActor, SessionActor } from "../../../kernel/actor.ts";
import { audit } from "../../../kernel/audit.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { requireText } from "../../../kernel/text.ts";
import * as people from "../people/service.ts";
import type { CurrentLibrary, OwnLibrary } from "../people/shapes.ts";
import { namedRooms } from "../rooms/service.ts";
import { addOwner, listLibraries, requireLibraryPlace } from "../team/service.ts";
import * as queries from "./queries.ts";

type LibraryDeps = Pick<Deps, "db" | "now">;

/** The library of a request, and all that its person has. */
type Libraries = { library: CurrentLibrary | null; libraries: OwnLibrary[] };

/** Returns the library that a request is in, with what its member may there (null: in none), and all libraries of the person. */
export function librariesOf(deps: Pick<Deps, "db" | "now">, actor: PersonActor | SessionActor): Libraries {
  const currentId = "memberId" in actor ? actor.accountId : null;
  const rows = listLibraries(deps, actor.personId);
  const libraries = rows.map((row) => ({ ...row, isCurrent: row.id === currentId }));
  const current = libraries.find(({ isCurrent }) => isCurrent);
  if (!("memberId" in actor) || !current) return { library: null, libraries };
  const { scopes, powers } = actor.allowed;
  const { id, name } = current;
  const reach = actor.rooms ? "rooms" : "library";
  const rooms = namedRooms(deps.db, actor.rooms ?? []);
  return {
    library: { id, name, role: actor.role, scopes: [...scopes], powers: [...powers], reach, rooms },
    libraries,
  };
}

/** True when a person may found another library: with open registration everybody, otherwise the operator alone. */
export function mayFound(
  { db, settings }: Pick<Deps, "db" | "settings">,
  { personId }: PersonActor,
): boolean {
  return settings.registrationOpen || people.findPerson(db, personId)?.operator === true;
}

/**
 * Founds another library for a person, who owns it. Its credits come from the setting. Audited.
 *
 * @throws DomainError `registration_closed` on a server without open registration, but for the operator; `validation_failed` when
 *   the name is blank; `team_full` in the twenty-first library.
 */
export function foundLibrary(
  deps: LibraryDeps & Pick<Deps, "settings">,
  actor: PersonActor | SessionActor,
  { name }: { name: string },
): OwnLibrary {
  const { now, settings } = deps;
  const { personId } = actor;
  return transact(deps.db, (tx) => {
    if (!mayFound({ db: tx, settings }, actor))
      throw new DomainError(
        "registration_closed",
        "Only the operator founds libraries on this server: ask them for one",
      );
    requireLibraryPlace(tx, personId);
    const id = newId("usr");
    const at = now();
    const row = { id, name: requireText("name", name), createdAt: at };
    queries.insertAccount(tx, { ...row, credits: settings.searchCreditsDefault });
    addOwner(tx, id, personId, at);
    // In the log of the new library, not of the one that the request is in.
    audit(tx, { actor: personId, action: "account.create", subject: id, accountId: id }, at);
    return ownLibrary(within(deps, tx), actor, id);
  });
}

/**
 * Makes one of a person's libraries the one that their session is in from now on, where a request names none.
 *
 * @throws DomainError `not_a_member`.
 */
export function chooseLibrary(
  deps: LibraryDeps,
  actor: PersonActor | SessionActor,
  { id }: { id: string },
): OwnLibrary {
  return transact(deps.db, (tx) => {
    const chosen = ownLibrary(within(deps, tx), actor, id);
    people.setLibraryOfSession(tx, actor, chosen.id);
    return { ...chosen, isCurrent: true };
  });
}

/** Gives the library another name. Audited. @throws DomainError `validation_failed` when it is blank. */
export function renameLibrary(
  deps: LibraryDeps,
  actor: SessionActor,
  { name }: { name: string },
): OwnLibrary {
  const { accountId, personId } = actor;
  return transact(deps.db, (tx) => {
    const detail = { name: requireText("name", name) };
    queries.updateAccount(tx, accountId, detail);
    audit(tx, { actor: personId, action: "library.rename", subject: accountId, detail }, deps.now());
    return ownLibrary(within(deps, tx), actor, accountId);
  });
}

function ownLibrary(deps: LibraryDeps, actor: PersonActor | SessionActor, id: LibraryId): OwnLibrary {
  const found = librariesOf(deps, actor).libraries.find((each) => each.id === id);
  if (found) return found;
  throw new DomainError("not_a_member", "You are not in this library");
}
