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
    const called = text.trim();
    const stored = names.get(fold(called)) ?? inCase(called, names);
    return stored && { name: called, stored: [...stored] };
  };
}

/** What Polish and Russian alone put behind the stem of a name: "przez Anę", "Аной". "Marie" is not Mario. */
const CASES = /^(?:ą|ę|owi|а|я|у|ю|ом|ем|е|ы|и|ой|ей|ою)$/;
const ENDING = /^(?:a|ia|а|я|й|и|ь)$/;
const LEAST_STEM = 2;
const MOST_ENDING = 3;

/** Returns whom a name with the ending of a case calls. */
function inCase(text: string, names: ReadonlyMap<string, Set<string>>): Set<string> | undefined {
  if (!/^\p{Lu}\p{L}+$/u.test(text)) return undefined;
  const written = text.toLowerCase();
  for (let end = 0; end <= MOST_ENDING; end++) {
    const stem = written.slice(0, written.length - end);
    if (stem.length < LEAST_STEM || (end > 0 && !CASES.test(written.slice(stem.length)))) continue;
    const meant = [...names].filter(
      ([name]) => name.startsWith(fold(stem)) && isEnding(name.slice(fold(stem).length), end),
    );
    if (meant.length === 1) return meant[0]?.[1];
  }
  return undefined;
}

const isEnding = (ending: string, cut: number): boolean => (ending === "" ? cut > 0 : ENDING.test(ending));

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
