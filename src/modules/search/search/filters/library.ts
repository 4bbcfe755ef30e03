import type { Db } from "../../../../../db/client.ts";
import type { LibraryFilters } from "../../../../brief/library-filters.ts";
import { type Mirror, slotOf } from "../index/mirror.ts";
import type { Shard } from "../index/shard.ts";
import { ofOwner, quoted } from "../signals/text.ts";
import type { Condition, Passes } from "./eligibility.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** What conditions of an account read. */
export type Library = { db: Db; mirror: Mirror; shard: Shard };

/** How names say that a track is a version; the number goes in place of the `#`. */
const VERSION_NAMES = ["v#", "version #", "ver #", "take #"];

/** Returns what the prose says about uploads, tags and plays as conditions, under the names of `filters`. */
export function libraryConditions(library: Library, filters: LibraryFilters): Condition[] {
  const { created, tagged, played, versions } = filters;
  const conditions: Condition[] = [];
  if (created) conditions.push({ name: "created", passes: createdWithin(library.shard, created) });
  if (tagged !== undefined)
    conditions.push({ name: "tagged", passes: isAmong(library, "tag IS NULL AND tags = 0", !tagged) });
  if (played !== undefined)
    conditions.push({ name: "played", passes: isAmong(library, "plays > 0", played) });
  if (versions !== undefined) conditions.push({ name: "versions", passes: hasVersions(library, versions) });
  return conditions;
}

function createdWithin({ columns }: Shard, { from, to }: NonNullable<LibraryFilters["created"]>): Passes {
  const [first, last] = [from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY];
  return (slot) => (columns.createdAt[slot] as number) >= first && (columns.createdAt[slot] as number) < last;
}

/** Requires that a track is, or is not, among the rows that meet a condition with an index of `track_rows`. */
function isAmong(library: Library, condition: string, wanted: boolean): Passes {
  const marks = marksOf(library, seqsWhere(library, condition));
  const mark = wanted ? 1 : 0;
  return (slot) => marks[slot] === mark;
}

/** "The second version" has two versions, or a name such as "Harbour v2". */
function hasVersions(library: Library, least: number): Passes {
  const names = VERSION_NAMES.map((name) => quoted(name.replace("#", String(least)))).join(" OR ");
  const named = selectSeqs(
    library,
    "SELECT json_group_array(rowid) AS list FROM track_text WHERE track_text MATCH ?",
    ofOwner(library.shard.ownerId, `{name title} : (${names})`),
  );
  const marks = marksOf(library, [...seqsWhere(library, `versions >= ${Math.trunc(least)}`), ...named]);
  return (slot) => marks[slot] === 1;
}

/** Returns marks by slot for tracks by their numbers. */
export function marksOf({ mirror, shard }: Library, seqs: readonly number[]): Uint8Array {
  const marks = new Uint8Array(shard.length);
  for (const seq of seqs) {
    const slot = slotOf(mirror, shard, seq);
    if (slot !== -1) marks[slot] = 1;
  }
  return marks;
}

function seqsWhere(library: Library, condition: string): number[] {
  return selectSeqs(
    library,
    `SELECT json_group_array(seq) AS list FROM track_rows WHERE owner_id = ? AND ${condition}`,
    library.shard.ownerId,
  );
}

function selectSeqs({ db }: Library, sql: string, value: string): number[] {
  const row = db.$client.query<{ list: string }, [string]>(sql).get(value);
  // SQLite builds the list from integers, which is faster than returning rows.
  return JSON.parse(row?.list ?? "[]") as number[];
}
