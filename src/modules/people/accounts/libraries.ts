import type { PersonActor, SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { CurrentLibrary, OwnLibrary } from "../people/shapes.ts";
import { listLibraries } from "../team/service.ts";

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
  const { id, name, role } = current;
  return { library: { id, name, role, scopes: [...scopes], powers: [...powers] }, libraries };
}
