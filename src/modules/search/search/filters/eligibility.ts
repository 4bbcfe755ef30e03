import type { Db } from "../../../../../db/client.ts";
import { isSameKey } from "../../../../kernel/musical-key.ts";
import { keyOfCode, languageNumber, UNREAD_LYRICS } from "../index/codes.ts";
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
  /** How many of the account's tracks each constraint keeps out by itself. */
  readonly removed: Readonly<Record<string, number>>;
};

/** One hard constraint, under the name that answers have for it; without a name it is not counted. */
export type Passes = (slot: number) => boolean;
export type Condition = { name?: string } & (
  | { passes: Passes }
  /** The slots that do not pass, among others that are none. */
  | { without: ReadonlySet<number> }
);

/**
 * Returns the account's tracks that meet every constraint and are not excluded. An unknown value never passes.
 *
 * @param excluded Slots.
 * @param more Conditions beside those of the filter.
 */
export function eligibleOf(
  db: Db,
  shard: Shard,
  filter: Filter,
  excluded: ReadonlySet<number>,
  more: readonly Condition[] = [],
): Eligible {
  const conditions = [...conditionsOf(shard.columns, filter, excluded), ...more];
  if (conditions.length === 0 && filter.language === undefined) return everyTrack(shard);
  const marks = shard.columns.isAlive.slice(0, shard.length);
  const removed: Record<string, number> = {};
  for (const { name, ...condition } of conditions) {
    const count =
      "without" in condition
        ? unmarkSome(marks, shard, condition.without)
        : unmark(marks, shard, condition.passes);
    if (name !== undefined) removed[name] = count;
  }
  if (filter.language !== undefined) {
    const wanted = languageNumber(filter.language);
    keepLanguage(db, shard, marks, wanted);
    const count = countOtherLanguages(db, shard, marks, wanted);
    if (count !== undefined) removed.language = count;
  }
  return { slots: slotsOf(marks), marks, removed };
}

/** Unmarks the tracks that do not pass. Returns how many of the account's tracks those are, marked before or not. */
function unmark(marks: Uint8Array, { columns }: Shard, passes: Passes): number {
  let count = 0;
  for (let slot = 0; slot < marks.length; slot++) {
    if (columns.isAlive[slot] !== 1 || passes(slot)) continue;
    marks[slot] = 0;
    count++;
  }
  return count;
}

function unmarkSome(marks: Uint8Array, { columns }: Shard, slots: ReadonlySet<number>): number {
  let count = 0;
  for (const slot of slots) {
    if (columns.isAlive[slot] !== 1) continue;
    marks[slot] = 0;
    count++;
  }
  return count;
}

const everyTracks = new WeakMap<Shard, Eligible>();

/** Most searches have no constraints: the list of live tracks is kept until the shard changes. */
function everyTrack(shard: Shard): Eligible {
  const known = everyTracks.get(shard);
  // No slot is written twice: with equal counts of slots and of live slots, the list is unchanged.
  if (known?.marks.length === shard.length && known.slots.length === shard.alive) return known;
  const marks = shard.columns.isAlive.slice(0, shard.length);
  const every = { slots: slotsOf(marks), marks, removed: {} };
  everyTracks.set(shard, every);
  return every;
}

function conditionsOf(columns: Columns, filter: Filter, excluded: ReadonlySet<number>): Condition[] {
  const { bpmRange, durationRange, hasVocals, key } = filter;
  const conditions: Condition[] = [];
  if (bpmRange) {
    const [one, other] = [within(columns.bpm, bpmRange), within(columns.otherBpm, bpmRange)];
    conditions.push({ name: "bpmRange", passes: (slot) => one(slot) || other(slot) });
  }
  if (durationRange)
    conditions.push({ name: "durationRange", passes: within(columns.durationSec, durationRange) });
  if (hasVocals !== undefined) {
    const wanted = hasVocals ? 1 : 0;
    conditions.push({ name: "hasVocals", passes: (slot) => columns.voice[slot] === wanted });
  }
  if (key) {
    const matches = Uint8Array.from({ length: 256 }, (_, code) => {
      const other = keyOfCode(code);
      return other && isSameKey(key, other) ? 1 : 0;
    });
    conditions.push({ name: "key", passes: (slot) => matches[columns.key[slot] as number] === 1 });
  }
  if (excluded.size > 0) conditions.push({ name: "excludeTrackIds", without: excluded });
  return conditions;
}

/** Requires a value in a range; NaN is never in a range. */
function within(values: Float64Array, [min, max]: readonly [number, number]): Passes {
  return (slot) => (values[slot] as number) >= min && (values[slot] as number) <= max;
}

function keepLanguage(db: Db, shard: Shard, marks: Uint8Array, wanted: number): void {
  readLyrics(db, shard, slotsOf(marks));
  for (let slot = 0; slot < marks.length; slot++)
    if (marks[slot] === 1 && shard.columns.language[slot] !== wanted) marks[slot] = 0;
}

/** Beyond this many, lyrics are not read only to count them. */
const MOST_LYRICS = 2000;

/** Counts the tracks in other languages; undefined where that would take too long and tracks are left. */
function countOtherLanguages(db: Db, shard: Shard, marks: Uint8Array, wanted: number): number | undefined {
  const { isAlive, language } = shard.columns;
  const every = everyTrack(shard).slots;
  const unread = every.reduce((sum, slot) => sum + (language[slot] === UNREAD_LYRICS ? 1 : 0), 0);
  if (unread > MOST_LYRICS && marks.includes(1)) return undefined;
  readLyrics(db, shard, every);
  let count = 0;
  for (let slot = 0; slot < marks.length; slot++)
    if (isAlive[slot] === 1 && language[slot] !== wanted) count++;
  return count;
}

function slotsOf(marks: Uint8Array): Uint32Array {
  let count = 0;
  for (let slot = 0; slot < marks.length; slot++) count += marks[slot] as number;
  const slots = new Uint32Array(count);
  let at = 0;
  for (let slot = 0; slot < marks.length; slot++) if (marks[slot] === 1) slots[at++] = slot;
  return slots;
}
