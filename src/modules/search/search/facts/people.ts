import type { Db } from "../../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../../db/schema.ts";
import { type FindPerson, ME } from "../../../../brief/fact-wish.ts";
import type { FactName } from "../../../../kernel/facts.ts";
import { fold } from "../../../../kernel/text.ts";
import { FACT_SOURCES } from "./sources.ts";

/**
 * Returns who is meant by a name: somebody called so, by the first name or by the part of an address before its @.
 *
 * @param askedBy Whom "me" means.
 */
export function findPersonIn(
  db: Db,
  ownerId: LibraryId,
  { hidden = [], askedBy }: { hidden?: readonly FactName[] | undefined; askedBy?: PersonId | undefined },
): FindPerson {
  const known = new Map<FactName, ReadonlyMap<string, Set<string>>>();
  return (fact, text) => {
    // Whoever may not see a fact does not learn from it whose name is known.
    if (hidden.includes(fact)) return undefined;
    if (text === ME) return askedBy && { name: ME, stored: calledThemselves(db, askedBy) };
    let names = known.get(fact);
    if (!names) {
      names = namesOf(db, ownerId, fact);
      known.set(fact, names);
    }
    const stored = names.get(fold(text.trim()));
    return stored && { name: text.trim(), stored: [...stored] };
  };
}

function calledThemselves({ $client }: Db, personId: PersonId): string[] {
  const row = $client
    .query<{ name: string | null; email: string | null }, [string]>(
      "SELECT name, email FROM people WHERE id = ?",
    )
    .get(personId);
  return [row?.name, row?.email].filter((name) => typeof name === "string");
}

/** Returns the names that a fact knows, by each way to call them. */
function namesOf(db: Db, ownerId: LibraryId, fact: FactName): Map<string, Set<string>> {
  const { amounts, times = amounts, names = times } = FACT_SOURCES[fact];
  const called = new Map<string, Set<string>>();
  const rows = db.$client
    .query<{ who: string | null; also: string | null }, [string]>(`SELECT DISTINCT who, also FROM (${names})`)
    .all(ownerId);
  for (const { who, also } of rows)
    for (const stored of [who, also])
      if (stored !== null)
        for (const call of callsOf(stored, fact))
          called.set(call, (called.get(call) ?? new Set()).add(stored));
  return called;
}

const LISTS: readonly FactName[] = ["playlists", "albums"];

function callsOf(stored: string, fact: FactName): string[] {
  const whole = fold(stored.trim());
  // The first word of a list's name is no name.
  if (LISTS.includes(fact)) return [whole];
  const [first = ""] = whole.split(/[\s@]/);
  return [...new Set([whole, first])].filter((call) => call !== "");
}
