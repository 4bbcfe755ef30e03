import type { FactRange, FactWish } from "../../../../brief/fact-wish.ts";
import type { Ordering } from "../../../../brief/ordering.ts";
import type { FactName, FactOrder } from "../../../../kernel/facts.ts";
import { factOf, factOfOrder, factOrderCalled } from "../../../../kernel/facts.ts";
import type { Condition, Passes } from "../filters/eligibility.ts";
import { type Library, marksOf } from "../filters/library.ts";
import { slotOf } from "../index/mirror.ts";
import { seqsAtEdge } from "./edges.ts";
import { FACT_SOURCES } from "./sources.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** Returns what the prose says of stored facts as conditions, under the names that `removed` has for them. */
export function factConditions(library: Library, wishes: readonly FactWish[] = []): Condition[] {
  const groups = Map.groupBy(wishes, (wish) => wish.either ?? wish);
  return [...groups.values()].map((group) => {
    const met = group.map((wish) => meets(library, wish));
    return { ...(group[0] && { name: group[0].fact }), passes: (slot) => met.some((passes) => passes(slot)) };
  });
}

function meets(library: Library, wish: FactWish): Passes {
  const { isNot, seqs } = metAtEdge(library, wish) ?? metBy(library, wish);
  const marks = marksOf(library, seqs);
  const wanted = isNot ? 0 : 1;
  return (slot) => marks[slot] === wanted;
}

const PEOPLE = "SELECT value FROM json_each($people)";

/** Returns the tracks that meet a wish, or those that do not. */
function metBy(
  library: Library,
  { fact, isNot, range, time, person }: FactWish,
): { isNot: boolean; seqs: number[] } {
  const { amounts, times = amounts, names = times } = FACT_SOURCES[fact];
  const isEvent = factOf(fact).kind === "event";
  const rows = person ? names : time ? times : amounts;
  const isUpTo = isEvent && range !== undefined && includesNone(range);
  const asked = isUpTo ? contrary(range) : range;
  const where = placesOf(time, person);
  const having = asked ? limitsOf(isEvent ? "sum(amount)" : "max(amount)", asked) : ["sum(amount) > 0"];
  const sql = `SELECT json_group_array(seq) AS list FROM (SELECT seq FROM (${rows.replaceAll("?1", "$owner")})
    WHERE ${["true", ...where].join(" AND ")} GROUP BY seq HAVING ${["true", ...having].join(" AND ")})`;
  const values = { $owner: library.shard.ownerId, ...placeValues(time, person), ...limitValues(asked) };
  const row = library.db.$client.query<{ list: string }, [Record<string, string | number>]>(sql).get(values);
  return { isNot: isNot !== isUpTo, seqs: JSON.parse(row?.list ?? "[]") as number[] };
}

/** What begins or ends with an instrument, or not, is told of tracks alone that were heard whole. */
function metAtEdge(
  library: Library,
  { fact, isNot, person }: FactWish,
): { isNot: boolean; seqs: number[] } | undefined {
  if ((fact !== "beginsWith" && fact !== "endsWith") || !person) return undefined;
  const met = seqsAtEdge(library, fact, person);
  if (!isNot) return { isNot, seqs: met };
  const heardWhole = metBy(library, { fact, isNot: false });
  return { isNot: false, seqs: [...new Set(heardWhole.seqs).difference(new Set(met))] };
}

function placesOf(time: FactWish["time"], person: FactWish["person"]): string[] {
  return [
    ...(typeof time?.from === "number" ? ["at >= $from"] : []),
    ...(typeof time?.to === "number" ? ["at < $to"] : []),
    ...(person
      ? [
          `${person.isExcepted ? "NOT " : ""}(coalesce(who IN (${PEOPLE}), 0) OR coalesce(also IN (${PEOPLE}), 0))`,
        ]
      : []),
  ];
}

function placeValues(time: FactWish["time"], person: FactWish["person"]): Record<string, string | number> {
  return {
    ...(typeof time?.from === "number" && { $from: time.from }),
    ...(typeof time?.to === "number" && { $to: time.to }),
    ...(person && { $people: JSON.stringify(person.stored) }),
  };
}

/** A track without any has no row, so "fewer than five" is asked as "not five or more". */
const includesNone = ({ least = 0, above = -1 }: FactRange): boolean => least <= 0 && above < 0;

/** What a number up to a limit excludes. */
const contrary = ({ most, below }: FactRange): FactRange =>
  below !== undefined ? { least: below } : { above: most ?? 0 };

function limitsOf(value: string, { above, least, most, below }: FactRange): string[] {
  return [
    ...(above === undefined ? [] : [`${value} > $above`]),
    ...(least === undefined ? [] : [`${value} >= $least`]),
    ...(most === undefined ? [] : [`${value} <= $most`]),
    ...(below === undefined ? [] : [`${value} < $below`]),
  ];
}

function limitValues(range: FactRange | undefined): Record<string, number> {
  return Object.fromEntries(Object.entries(range ?? {}).map(([name, value]) => [`$${name}`, value]));
}

/** Returns the values by which the prose orders tracks, by slot, NaN where a track has none; undefined for another order. */
export function factValues(library: Library, ordering: Ordering | null): Float64Array | undefined {
  if (!ordering || !factOrderCalled(ordering.by)) return undefined;
  const { fact, isTime } = factOfOrder(ordering.by as FactOrder);
  const isEvent = fact.kind === "event";
  // What never happened happened no times, and has no last time.
  const values = new Float64Array(library.shard.length).fill(isEvent && !isTime ? 0 : Number.NaN);
  const value = isTime ? "max(at)" : isEvent ? "sum(amount)" : "max(amount)";
  for (const [seq, found] of valuesOf(library, orderRows(ordering, fact.name, isTime), value, ordering)) {
    const slot = slotOf(library.mirror, library.shard, seq);
    if (slot !== -1) values[slot] = found;
  }
  return values;
}

function orderRows({ time, person }: Ordering, fact: FactName, isTime: boolean): string {
  const { amounts, times = amounts, names = times } = FACT_SOURCES[fact];
  if (person) return names;
  return isTime || time ? times : amounts;
}

function valuesOf(
  { db, shard }: Library,
  rows: string,
  value: string,
  { time, person }: Ordering,
): [seq: number, value: number][] {
  const sql = `SELECT json_group_array(json_array(seq, value)) AS list FROM
    (SELECT seq, ${value} AS value FROM (${rows.replaceAll("?1", "$owner")})
     WHERE ${["true", ...placesOf(time, person)].join(" AND ")} GROUP BY seq)`;
  const values = { $owner: shard.ownerId, ...placeValues(time, person) };
  const row = db.$client.query<{ list: string }, [Record<string, string | number>]>(sql).get(values);
  return JSON.parse(row?.list ?? "[]") as [number, number][];
}
