import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { cutPage, type Page, type PageRequest } from "../../../kernel/paging.ts";
import { titleOf } from "../catalog/service.ts";
import { listMixes } from "./mixes.ts";

/** A track that sounds like a mix of an older one, and whose owner has not said yet whether it is a version of it. */
export type MixOffer = {
  id: string;
  name: string;
  title: string | null;
  otherId: string;
  otherName: string;
  otherTitle: string | null;
  /** Of the sound, 0 to 1. */
  similarity: number;
  isSameMix: boolean;
  offeredAt: number;
  /** Which version of the other track it would be, counted from 1. */
  version: number;
};

type Names = { id: string; name: string; title: string | null; createdAt: number };
/** A track that is offered as a version of another, and what both are called. */
type Offered = { trackId: string; title: string; otherTitle: string };
type NewOffer = { trackId: string; otherId: string; ownerId: LibraryId; at: number };

/**
 * Offers a track that was analysed for the first time as a version of the likest older one, and newer ones as versions of it: each
 * track is offered once. Nothing is offered of the Inbox, of files that the other track has, and of pairs that were declined.
 * Call it inside a transaction. Returns what is offered.
 */
export function offerMixes(tx: Db, ownerId: LibraryId, trackId: string, at: number): Offered[] {
  const own = namesOf(tx).get({ ownerId, trackId });
  if (!own) return [];
  // Those that are newer may have been analysed meanwhile: each is offered as one of the likest track that is older than it.
  const newer = listMixes(tx, ownerId, trackId).filter((mix) => isOlder(own, mix));
  return [own, ...newer].flatMap((track) => offerToLikest(tx, ownerId, track, at));
}

/** Offers a track as a version of the likest older one that it may be a version of. */
function offerToLikest(tx: Db, ownerId: LibraryId, newer: Names, at: number): Offered[] {
  for (const older of listMixes(tx, ownerId, newer.id)) {
    if (!isOlder(older, newer)) continue;
    const { similarity, isSameMix } = older;
    const pair = { trackId: newer.id, otherId: older.id, ownerId, at };
    if (insert(tx).run({ ...pair, similarity, isSameMix: Number(isSameMix) }).changes > 0)
      return [{ trackId: newer.id, title: titleOf(newer), otherTitle: titleOf(older) }];
  }
  return [];
}

const isOlder = (one: Names, other: Names): boolean =>
  one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);

/** Remembers that two tracks are not versions of one, whichever of them is the older: nobody asks again. */
export function declineMix(tx: Db, { trackId, otherId, ownerId, at }: NewOffer): void {
  decline(tx).run({ trackId, otherId, ownerId, at });
}

/** Lets what was offered as a version of one track be offered as one of another, which has the versions of the first now. */
export function moveOffers(tx: Db, from: string, to: string): void {
  move(tx).run({ from, to });
}

/** Gives the offers of an account, and its answers, to another one. */
export function transferMixOffers(tx: Db, from: string, to: string): void {
  transfer(tx).run({ from, to });
}

/** Returns a page of what an account is asked, the newest first. @throws DomainError `validation_failed` for a foreign cursor. */
export function listMixOffers(db: Db, ownerId: LibraryId, page: PageRequest): Page<MixOffer> {
  const { items, paging } = cutPage(
    page,
    `mix offers ${ownerId}`,
    ({ key, id }, limit) => select(db).all({ ownerId, key: Number(key), id, limit }),
    ({ offeredAt }) => offeredAt,
  );
  return { items: items.map((row) => ({ ...row, isSameMix: Boolean(row.isSameMix) })), paging };
}

/** Returns how many tracks an account is asked about. */
export const countMixOffers = (db: Db, ownerId: LibraryId): number => count(db).get({ ownerId })?.count ?? 0;

const namesOf = prepared((db: Db) =>
  db.$client.prepare<Names, { ownerId: LibraryId; trackId: string }>(
    `SELECT id, name, title, created_at AS createdAt FROM tracks
     WHERE id = $trackId AND owner_id = $ownerId AND deleted_at IS NULL AND in_inbox = 0`,
  ),
);

const insert = prepared((db: Db) =>
  db.$client.prepare<unknown, NewOffer & { similarity: number; isSameMix: number }>(
    `INSERT INTO mix_offers (track_id, other_id, owner_id, similarity, is_same_mix, offered_at)
     SELECT $trackId, $otherId, $ownerId, $similarity, $isSameMix, $at
     WHERE NOT EXISTS (SELECT 1 FROM mix_offers WHERE track_id = $trackId AND (declined_at IS NULL OR other_id = $otherId))
       AND NOT EXISTS (SELECT 1 FROM mix_offers WHERE track_id = $otherId AND other_id = $trackId)
       AND NOT EXISTS (SELECT 1 FROM family_members a JOIN family_members b ON b.family_id = a.family_id
         WHERE a.track_id = $trackId AND b.track_id = $otherId)
       AND NOT EXISTS (SELECT 1 FROM tracks t JOIN versions v ON v.id = t.active_version_id
         JOIN versions o ON o.sha256 = v.sha256 AND o.track_id = $otherId WHERE t.id = $trackId)`,
  ),
);

const decline = prepared((db: Db) =>
  db.$client.prepare<unknown, NewOffer>(
    `INSERT INTO mix_offers (track_id, other_id, owner_id, similarity, is_same_mix, offered_at, declined_at)
     SELECT newer.id, older.id, $ownerId, 0, 0, $at, $at FROM tracks newer JOIN tracks older
     WHERE newer.id IN ($trackId, $otherId) AND older.id IN ($trackId, $otherId)
       AND (newer.created_at, newer.id) > (older.created_at, older.id)
     ON CONFLICT (track_id, other_id) DO UPDATE SET declined_at = $at`,
  ),
);

const move = prepared((db: Db) =>
  db.$client.prepare<unknown, { from: string; to: string }>(
    "UPDATE OR IGNORE mix_offers SET other_id = $to WHERE other_id = $from AND track_id <> $to AND declined_at IS NULL",
  ),
);

const transfer = prepared((db: Db) =>
  db.$client.prepare<unknown, { from: string; to: string }>(
    "UPDATE mix_offers SET owner_id = $to WHERE owner_id = $from",
  ),
);

const OPEN = `FROM mix_offers o JOIN tracks t ON t.id = o.track_id JOIN tracks m ON m.id = o.other_id
  WHERE o.owner_id = $ownerId AND o.declined_at IS NULL
    AND t.owner_id = $ownerId AND t.deleted_at IS NULL AND t.in_inbox = 0
    AND m.owner_id = $ownerId AND m.deleted_at IS NULL AND m.in_inbox = 0
    AND NOT EXISTS (SELECT 1 FROM family_members a JOIN family_members b ON b.family_id = a.family_id
      WHERE a.track_id = o.track_id AND b.track_id = o.other_id)`;

type Row = Omit<MixOffer, "isSameMix"> & { isSameMix: number };
const select = prepared((db: Db) =>
  db.$client.prepare<Row, { ownerId: LibraryId; key: number; id: string; limit: number }>(
    `SELECT t.id, t.name, t.title, m.id AS otherId, m.name AS otherName, m.title AS otherTitle, o.similarity,
       o.is_same_mix AS isSameMix, o.offered_at AS offeredAt, m.next_version_order + 1 AS version
     ${OPEN} AND (o.offered_at, o.track_id) < ($key, $id) ORDER BY o.offered_at DESC, o.track_id DESC LIMIT $limit`,
  ),
);
const count = prepared((db: Db) =>
  db.$client.prepare<{ count: number }, { ownerId: LibraryId }>(`SELECT count(*) AS count ${OPEN}`),
);
