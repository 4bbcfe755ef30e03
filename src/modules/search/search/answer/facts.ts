import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { TaxonomyTag } from "../../../../brief/meaning.ts";
import { type HeardIn, heardInTracks, placedNameOf } from "../../../library/analysis/service.ts";
import { loadFacts } from "../index/load.ts";
import { FULL_TRUST } from "../index/postings.ts";
import type { Shard } from "../index/shard.ts";
import { TAG_IDS } from "../index/tag-numbers.ts";
import type { HitRow } from "../queries.ts";
import type { Facts } from "../signals/evidence.ts";

/** Whatever is heard earlier is there from the start. */
const FROM_START_SEC = 8;

/** Returns when a tag is first heard in a track. Nothing is read before something is asked that the ears can hear. */
function createHeardFrom(db: Db, trackIds: readonly string[]) {
  let heard: ReadonlyMap<string, readonly HeardIn[]> | undefined;
  return (trackId: string, { category, entry }: TaxonomyTag): number | undefined => {
    const name = placedNameOf({ category, name: entry.name });
    if (name === undefined) return undefined;
    heard ??= heardInTracks(db, trackIds);
    const from = heard.get(trackId)?.find((each) => each.name === name)?.places[0]?.fromSec ?? 0;
    return from >= FROM_START_SEC ? from : undefined;
  };
}

/** Reads rows of tracks with one of the queries for them, by slot. */
export function selectBySlot<Row extends { seq: number }>(
  db: Db,
  { ownerId, columns }: Shard,
  select: (db: Db, ownerId: LibraryId, seqs: readonly number[]) => Row[],
  tracks: readonly { slot: number }[],
): Map<number, Row> {
  const slotOfSeq = new Map(tracks.map(({ slot }) => [columns.seq[slot] ?? 0, slot]));
  const rows = select(db, ownerId, [...slotOfSeq.keys()]);
  return new Map(rows.map((row) => [slotOfSeq.get(row.seq) ?? -1, row]));
}

/** Reads everything that the database stores about the tracks of a page, by slot. */
export function selectFacts(
  db: Db,
  { ownerId, columns }: Shard,
  rows: ReadonlyMap<number, HitRow>,
): Map<number, Facts> {
  const seqs = [...rows.values()].map(({ seq }) => seq);
  const records = new Map(loadFacts(db, ownerId, seqs).map((record) => [record.seq, record]));
  const heardFrom = createHeardFrom(
    db,
    [...rows.values()].map(({ id }) => id),
  );
  const facts = [...rows].flatMap(([slot, row]): Facts[] => {
    const record = records.get(row.seq);
    if (!record) return [];
    const tags = record.tags.map(({ number, trust }) => ({
      id: TAG_IDS[number] ?? "",
      trust: trust / FULL_TRUST,
    }));
    return [
      {
        ...record,
        slot,
        row,
        tags,
        language: columns.language[slot] ?? 0,
        heardFrom: (tag) => heardFrom(row.id, tag),
      },
    ];
  });
  return new Map(facts.map((each) => [each.slot, each]));
}
