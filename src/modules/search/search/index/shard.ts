import type { LibraryId } from "../../../../../db/schema.ts";
import { WITNESS_FIELDS } from "../../../../kernel/made.ts";
import { MEASURES, type Measured, type WitnessField } from "../../../../kernel/measures.ts";
import { addNames, createVocabulary, type Vocabulary } from "../names/vocabulary.ts";
import { NO_KEY } from "./codes.ts";
import { levelCode } from "./levels.ts";
import { addPosting, createPostings, grown, type Postings } from "./postings.ts";
import { TAG_IDS } from "./tag-numbers.ts";
import { addVector, createSpace, type VectorSpace } from "./vector-space.ts";
import { voiceCode } from "./voice.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** What a search reads about one track. */
export type TrackRecord = Measured & {
  seq: number;
  createdAt: number;
  /** The tempo by which others count it, in BPM; null when most agree. */
  otherBpm: number | null;
  /** Code from `keyCode`. */
  key: number;
  /** Number from `languageNumber`, or `UNREAD_LYRICS`. */
  language: number;
  voice: 0 | 1 | null;
  /** 0 to 1; null when not measured. */
  voiceLikelihood: number | null;
  /** Categories that the owner tagged: bits by their place in the taxonomy. */
  written: number;
  /** The least track number of its family, or `NO_FAMILY`. */
  family: number;
  /** What it is in its family, see `memberCode`. */
  member: number;
  /** Numbers of taxonomy tags, with their trust, 1 to 255. */
  tags: readonly { number: number; trust: number }[];
  /** A vector of length 1; undefined for a track without a direction. */
  vector: { version: string; unit: Float32Array } | undefined;
  /** Title, artist and other names, a line each. */
  names: string;
};

/**
 * The analysed tracks of one account, column by column. A slot is written once: when a track changes, its slot dies and
 * the track is added again. {@link isWorn} says when there are enough dead slots to clear away.
 */
export type Shard = {
  readonly ownerId: LibraryId;
  /** The newest change of the library that the shard includes. */
  revision: number;
  /** The newest name beside the tracks whose words the vocabulary has; 0 without any. */
  newestName: number;
  /** Slots in use, dead ones included. */
  length: number;
  alive: number;
  /** The shard's extent when it was last written to a file or read from one. */
  kept: Extent | undefined;
  columns: Columns;
  /** By tag number. */
  readonly tags: (Postings | undefined)[];
  /** By version and dimensions. */
  readonly spaces: Map<string, SpaceOfShard>;
  /** The words of the names of these tracks and of their playlists and comments, and of some that are gone. */
  vocabulary: Vocabulary;
  /** Buffers for sums over the slots, by purpose. They are shared: a search ends before the next one begins. */
  readonly buffers: Map<string, Float32Array<ArrayBuffer>>;
};

/** The number of slots in use, and of live ones among them. */
export type Extent = { length: number; alive: number };

/** How measures are kept: numbers, NaN where unknown, or codes from `levelCode`. */
const KEPT = { float64: Float64Array, float32: Float32Array, byte: Uint8Array } as const;

type MeasureColumns = {
  [Row in (typeof MEASURES)[number] as Row["field"]]: InstanceType<(typeof KEPT)[Row["kept"]]>;
};

/** One value per slot; NaN in a column of floats means unknown. */
export type Columns = MeasureColumns &
  Record<WitnessField, Float32Array<ArrayBuffer>> & {
    seq: Uint32Array<ArrayBuffer>;
    createdAt: Float64Array<ArrayBuffer>;
    otherBpm: Float64Array<ArrayBuffer>;
    language: Uint16Array<ArrayBuffer>;
    written: Uint16Array<ArrayBuffer>;
    family: Uint32Array<ArrayBuffer>;
    /** Code from `memberCode`. */
    member: Uint16Array<ArrayBuffer>;
    key: Uint8Array<ArrayBuffer>;
    /** Code from `voiceCode`. */
    voice: Uint8Array<ArrayBuffer>;
    isAlive: Uint8Array<ArrayBuffer>;
  };

/** Comparable vectors, with the slot of each. */
export type SpaceOfShard = { space: VectorSpace; slotOfRow: Uint32Array<ArrayBuffer>; alive: number };

const FIRST_CAPACITY = 64;
const WORN_SHARE = 0.25;
const WORN_LEAST = 2000;

/** Returns an empty shard for an account, with room for `capacity` tracks before it must grow. */
export function createShard(ownerId: LibraryId, revision: number, capacity = FIRST_CAPACITY): Shard {
  return {
    ownerId,
    revision,
    newestName: 0,
    length: 0,
    alive: 0,
    kept: undefined,
    columns: columnsOf(capacity),
    tags: new Array(TAG_IDS.length),
    spaces: new Map(),
    vocabulary: createVocabulary(),
    buffers: new Map(),
  };
}

/** Returns a buffer with one number per slot, each set to `value`. The same purpose gets the same buffer every time. */
export function bufferOf(shard: Shard, purpose: string, value: number): Float32Array {
  let buffer = shard.buffers.get(purpose);
  if (!buffer || buffer.length < shard.length) {
    buffer = new Float32Array(shard.columns.seq.length);
    shard.buffers.set(purpose, buffer);
  }
  return buffer.subarray(0, shard.length).fill(value);
}

/** Adds a track and returns its slot. */
export function addTrack(shard: Shard, record: TrackRecord): number {
  const slot = shard.length++;
  shard.alive += 1;
  if (slot >= shard.columns.seq.length) growColumns(shard);
  const { columns } = shard;
  columns.seq[slot] = record.seq;
  columns.createdAt[slot] = record.createdAt;
  columns.otherBpm[slot] = record.otherBpm ?? Number.NaN;
  for (const { field, kept } of MEASURES)
    columns[field][slot] = kept === "byte" ? levelCode(record[field]) : (record[field] ?? Number.NaN);
  for (const field of WITNESS_FIELDS) columns[field][slot] = record[field] ?? Number.NaN;
  columns.language[slot] = record.language;
  columns.written[slot] = record.written;
  columns.family[slot] = record.family;
  columns.member[slot] = record.member;
  columns.key[slot] = record.key;
  columns.voice[slot] = voiceCode(record);
  columns.isAlive[slot] = 1;
  for (const { number, trust } of record.tags) {
    shard.tags[number] ??= createPostings();
    addPosting(shard.tags[number], slot, trust);
  }
  addNames(shard.vocabulary, record.names);
  if (record.vector) addToSpace(shard, slot, record.vector);
  return slot;
}

/** Removes a track. It searches all lists of tags, which is acceptable because changes are rarer than searches. */
export function removeTrack(shard: Shard, slot: number): void {
  if (shard.columns.isAlive[slot] !== 1) return;
  shard.columns.isAlive[slot] = 0;
  shard.columns.key[slot] = NO_KEY;
  shard.alive -= 1;
  for (const postings of shard.tags)
    if (postings && indexOfSlot(postings.slots, postings.length, slot) !== -1) postings.alive -= 1;
  for (const held of shard.spaces.values())
    if (indexOfSlot(held.slotOfRow, held.space.count, slot) !== -1) held.alive -= 1;
}

/** Returns true when so many slots are dead that the shard should be read again. */
export function isWorn({ length, alive }: Shard): boolean {
  const dead = length - alive;
  return dead > WORN_LEAST && dead > length * WORN_SHARE;
}

/** Returns the row of a slot in a space; -1 when the slot has no row. */
export function rowOf({ space, slotOfRow }: SpaceOfShard, slot: number): number {
  return indexOfSlot(slotOfRow, space.count, slot);
}

function addToSpace(shard: Shard, slot: number, { version, unit }: { version: string; unit: Float32Array }) {
  const name = `${version} ${unit.length}`;
  let held = shard.spaces.get(name);
  if (!held) {
    held = {
      space: createSpace(version, unit.length),
      slotOfRow: new Uint32Array(FIRST_CAPACITY),
      alive: 0,
    };
    shard.spaces.set(name, held);
  }
  const row = addVector(held.space, unit);
  if (row >= held.slotOfRow.length)
    held.slotOfRow = grown(held.slotOfRow, new Uint32Array(capacityAfter(row)));
  held.slotOfRow[row] = slot;
  held.alive += 1;
}

/** Finds a slot by binary search: slots ascend in every list, because each is added once. */
function indexOfSlot(slots: Uint32Array, length: number, slot: number): number {
  let [low, high] = [0, length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = slots[middle] as number;
    if (found === slot) return middle;
    if (found < slot) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

const capacityAfter = (length: number) => Math.ceil(length * 1.5);

function columnsOf(capacity: number): Columns {
  return {
    seq: new Uint32Array(capacity),
    createdAt: new Float64Array(capacity),
    otherBpm: new Float64Array(capacity),
    ...measureColumns(capacity, false),
    ...witnessColumns(capacity),
    family: new Uint32Array(capacity),
    language: new Uint16Array(capacity),
    written: new Uint16Array(capacity),
    member: new Uint16Array(capacity),
    key: new Uint8Array(capacity),
    voice: new Uint8Array(capacity),
    ...measureColumns(capacity, true),
    isAlive: new Uint8Array(capacity),
  };
}

/** Returns the columns of measures, those of bytes or the others: files keep wide columns before narrow ones. */
function measureColumns(capacity: number, ofBytes: boolean): MeasureColumns {
  const rows = MEASURES.filter(({ kept }) => (kept === "byte") === ofBytes);
  // Half of them; `columnsOf` has both.
  return Object.fromEntries(
    rows.map(({ field, kept }) => [field, new KEPT[kept](capacity)]),
  ) as MeasureColumns;
}

function witnessColumns(capacity: number): Record<WitnessField, Float32Array<ArrayBuffer>> {
  // `Object.fromEntries` loses the type of the keys.
  return Object.fromEntries(WITNESS_FIELDS.map((field) => [field, new Float32Array(capacity)])) as Record<
    WitnessField,
    Float32Array<ArrayBuffer>
  >;
}

function growColumns(shard: Shard): void {
  const next = columnsOf(capacityAfter(shard.columns.seq.length));
  // `Object.keys` loses the type of the keys.
  for (const name of Object.keys(next) as (keyof Columns)[]) next[name].set(shard.columns[name]);
  shard.columns = next;
}
