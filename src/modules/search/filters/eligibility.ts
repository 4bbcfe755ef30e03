import type { Db } from "../../../../db/client.ts";
import { isSameKey } from "../../../kernel/musical-key.ts";
import { keyOfCode, languageNumber } from "../index/codes.ts";
import type { Columns, Shard } from "../index/shard.ts";
import type { Filter } from "./constraints.ts";
import { readLyrics } from "./lyrics-language.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** The tracks that a search may return: those that meet every hard constraint. Only these are scored. */
export type Eligible = {
  /** Slots of the shard, ascending. */
  readonly slots: Uint32Array;
  /** By slot; 1 when eligible. */
  readonly marks: Uint8Array;
};

/** One hard constraint. */
type Condition = (slot: number) => boolean;

/**
 * Returns the account's tracks that meet every constraint and are not excluded. An unknown value never passes.
 *
 * @param excluded Slots.
 */
export function eligibleOf(db: Db, shard: Shard, filter: Filter, excluded: ReadonlySet<number>): Eligible {
  const conditions = conditionsOf(shard.columns, filter);
  if (conditions.length === 0 && excluded.size === 0 && filter.language === undefined)
    return everyTrack(shard);
  const marks = shard.columns.isAlive.slice(0, shard.length);
  for (const slot of excluded) marks[slot] = 0;
  for (const passes of conditions)
    for (let slot = 0; slot < marks.length; slot++) if (marks[slot] === 1 && !passes(slot)) marks[slot] = 0;
  if (filter.language !== undefined) keepLanguage(db, shard, marks, languageNumber(filter.language));
  return { slots: slotsOf(marks), marks };
}

const everyTracks = new WeakMap<Shard, Eligible>();

/** Most searches have no constraints: the list of live tracks is kept until the shard changes. */
function everyTrack(shard: Shard): Eligible {
  const known = everyTracks.get(shard);
  // No slot is written twice: with equal counts of slots and of live slots, the list is unchanged.
  if (known?.marks.length === shard.length && known.slots.length === shard.alive) return known;
  const marks = shard.columns.isAlive.slice(0, shard.length);
  const every = { slots: slotsOf(marks), marks };
  everyTracks.set(shard, every);
  return every;
}

/** Returns how many of the account's tracks each constraint excludes by itself. */
export function removedBy(
  db: Db,
  shard: Shard,
  filter: Filter,
  excluded: ReadonlySet<number>,
): Record<string, number> {
  const alone: [string, Filter][] = Object.entries(filter).map(([name, value]) => [name, { [name]: value }]);
  const left = (only: Filter, out: ReadonlySet<number>) => eligibleOf(db, shard, only, out).slots.length;
  return {
    ...Object.fromEntries(alone.map(([name, only]) => [name, shard.alive - left(only, new Set())])),
    ...(excluded.size > 0 && { excludeTrackIds: shard.alive - left({}, excluded) }),
  };
}

function conditionsOf(columns: Columns, filter: Filter): Condition[] {
  const { bpmRange, durationRange, hasVocals, key } = filter;
  const conditions: Condition[] = [];
  if (bpmRange) conditions.push(within(columns.bpm, bpmRange));
  if (durationRange) conditions.push(within(columns.durationSec, durationRange));
  if (hasVocals !== undefined) {
    const wanted = hasVocals ? 1 : 0;
    conditions.push((slot) => columns.voice[slot] === wanted);
  }
  if (key) {
    const matches = Uint8Array.from({ length: 256 }, (_, code) => {
      const other = keyOfCode(code);
      return other && isSameKey(key, other) ? 1 : 0;
    });
    conditions.push((slot) => matches[columns.key[slot] as number] === 1);
  }
  return conditions;
}

/** Requires a value in a range; NaN is never in a range. */
function within(values: Float64Array, [min, max]: readonly [number, number]): Condition {
  return (slot) => (values[slot] as number) >= min && (values[slot] as number) <= max;
}

function keepLanguage(db: Db, shard: Shard, marks: Uint8Array, wanted: number): void {
  readLyrics(db, shard, slotsOf(marks));
  for (let slot = 0; slot < marks.length; slot++)
    if (marks[slot] === 1 && shard.columns.language[slot] !== wanted) marks[slot] = 0;
}

function slotsOf(marks: Uint8Array): Uint32Array {
  let count = 0;
  for (let slot = 0; slot < marks.length; slot++) count += marks[slot] as number;
  const slots = new Uint32Array(count);
  let at = 0;
  for (let slot = 0; slot < marks.length; slot++) if (marks[slot] === 1) slots[at++] = slot;
  return slots;
}
