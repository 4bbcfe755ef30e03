import { and, count, desc, eq, isNotNull, isNull, lt } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { type LibraryId, type PersonId, pocketSent, pockets } from "../../../../db/schema.ts";
import { joinMaker, type Maker, makerColumns } from "../../people/team/service.ts";

export type DeviceRow = typeof pockets.$inferSelect;

export function insertDevice(tx: Db, row: typeof pockets.$inferInsert): void {
  tx.insert(pockets).values(row).run();
}

const isLive = isNull(pockets.withdrawnAt);

/** Finds a device of a library whose copies were not withdrawn. */
export function findDevice(db: Db, accountId: LibraryId, id: string): DeviceRow | undefined {
  return db
    .select()
    .from(pockets)
    .where(and(eq(pockets.accountId, accountId), eq(pockets.id, id), isLive))
    .get();
}

/** Returns the devices of a library, also those whose copies were withdrawn, the newest first. */
export function listDevices(db: Db, accountId: LibraryId): DeviceRow[] {
  return db
    .select()
    .from(pockets)
    .where(eq(pockets.accountId, accountId))
    .orderBy(desc(pockets.createdAt), desc(pockets.id))
    .all();
}

/** Returns how many devices of a person keep music of a library. */
export function countDevices(db: Db, accountId: LibraryId, personId: PersonId): number {
  const isTheirs = and(eq(pockets.accountId, accountId), eq(pockets.personId, personId));
  return db.select({ total: count() }).from(pockets).where(and(isTheirs, isLive)).get()?.total ?? 0;
}

type Change = Partial<Pick<DeviceRow, "wants" | "tracks" | "bytes" | "syncedAt" | "withdrawnAt">>;

export function updateDevice(tx: Db, id: string, change: Change): void {
  tx.update(pockets).set(change).where(eq(pockets.id, id)).run();
}

/** What a device's question about itself needs to know. */
export type DeviceProof = {
  accountId: LibraryId;
  tokenHash: Uint8Array;
  withdrawnAt: number | null;
  isAccountActive: 0 | 1;
} & Maker;

const proofOfDevice = prepared((db) =>
  db.$client.prepare<DeviceProof, [string]>(`
    SELECT p.account_id AS accountId, p.token_hash AS tokenHash, p.withdrawn_at AS withdrawnAt,
      a.active AS isAccountActive, ${makerColumns("p.person_id")}
    FROM pockets p JOIN accounts a ON a.id = p.account_id ${joinMaker("p.account_id", "p.person_id")}
    WHERE p.id = (SELECT ?)`),
);

export function findDeviceProof(db: Db, id: string): DeviceProof | null {
  return proofOfDevice(db).get(id);
}

/** Deletes devices whose copies were withdrawn before a time: they have deleted them, or may no longer play them. */
export function deleteWithdrawn(db: Db, before: number): void {
  db.delete(pockets)
    .where(and(isNotNull(pockets.withdrawnAt), lt(pockets.withdrawnAt, before)))
    .run();
}

export function deleteSent(db: Db, before: number): void {
  db.delete(pocketSent).where(lt(pocketSent.at, before)).run();
}

/** True when a device sent this before. */
export function isSent(db: Db, accountId: LibraryId, id: string): boolean {
  return (
    db.$client.query("SELECT 1 FROM pocket_sent WHERE account_id = ? AND id = ?").get(accountId, id) !== null
  );
}

export function insertSent(tx: Db, row: typeof pocketSent.$inferInsert): void {
  tx.insert(pocketSent).values(row).run();
}

/** A playlist or an album with the tracks of it that can be kept, in order. */
export type KeptList = { id: string; name: string; trackIds: string };

const listsById = prepared((db) =>
  db.$client.prepare<KeptList, [string, string]>(
    `SELECT p.id, p.name, (SELECT json_group_array(e.track_id ORDER BY e.position, e.id) FROM playlist_tracks e
       JOIN tracks t ON t.id = e.track_id JOIN versions v ON v.id = t.active_version_id
       WHERE e.playlist_id = p.id AND t.deleted_at IS NULL AND t.in_inbox = 0 AND v.visible = 1) AS trackIds
     FROM json_each(?1) i CROSS JOIN playlists p ON p.id = i.value
     WHERE p.owner_id = ?2 AND p.deleted_at IS NULL ORDER BY i.key`,
  ),
);

/** Returns those of the playlists and albums that the library has. */
export function selectLists(db: Db, accountId: LibraryId, ids: readonly string[]): KeptList[] {
  return listsById(db).all(JSON.stringify(ids), accountId);
}

const hiddenById = prepared((db) =>
  db.$client.prepare<{ trackId: string; title: string }, [string, string, string, number]>(
    `SELECT t.id AS trackId, coalesce(t.title, t.name) AS title FROM
       (SELECT e.track_id AS id FROM json_each(?1) i CROSS JOIN playlists p ON p.id = i.value
          JOIN playlist_tracks e ON e.playlist_id = p.id WHERE p.owner_id = ?3 AND p.deleted_at IS NULL
        UNION SELECT value FROM json_each(?2)) w
     CROSS JOIN tracks t ON t.id = w.id JOIN versions v ON v.id = t.active_version_id
     WHERE t.owner_id = ?3 AND t.deleted_at IS NULL AND t.in_inbox = 0 AND v.visible = 0
     ORDER BY t.title_fold, t.id LIMIT ?4`,
  ),
);

/** Returns those of the tracks, and of the tracks in the playlists and albums, that are not kept because they are hidden. */
export function selectHidden(
  db: Db,
  accountId: LibraryId,
  { listIds, trackIds }: { listIds: readonly string[]; trackIds: readonly string[] },
  limit: number,
): { trackId: string; title: string }[] {
  return hiddenById(db).all(JSON.stringify(listIds), JSON.stringify(trackIds), accountId, limit);
}

/** A track with the version that plays, as a device keeps it. */
export type KeptTrack = {
  id: string;
  name: string;
  title: string | null;
  artist: string | null;
  cover: string | null;
  versionId: string;
  versionOrder: number;
  label: string | null;
  fileName: string;
  sha256: string;
  sizeBytes: number;
  mediaType: string;
  createdAt: number;
  durationSec: number | null;
  integratedLufs: number | null;
  truePeakDbtp: number | null;
  isAnalysed: 0 | 1;
};

const tracksById = prepared((db) =>
  db.$client.prepare<KeptTrack, [string, string]>(
    `SELECT t.id, t.name, t.title, t.artist, t.cover, v.id AS versionId, v.version_order AS versionOrder, v.label,
       v.name AS fileName, v.sha256, v.size_bytes AS sizeBytes, v.media_type AS mediaType, v.created_at AS createdAt,
       coalesce(a.duration_sec, t.duration_sec) AS durationSec, a.integrated_lufs AS integratedLufs,
       a.true_peak_dbtp AS truePeakDbtp, a.version_id IS NOT NULL AS isAnalysed
     FROM json_each(?1) i CROSS JOIN tracks t ON t.id = i.value JOIN versions v ON v.id = t.active_version_id
     LEFT JOIN analyses a ON a.version_id = v.id
     WHERE t.owner_id = ?2 AND t.deleted_at IS NULL AND t.in_inbox = 0 AND v.visible = 1 ORDER BY i.key`,
  ),
);

/** Returns those of the tracks that can be kept: visible, and outside the bin and the inbox. */
export function selectTracks(db: Db, accountId: LibraryId, ids: readonly string[]): KeptTrack[] {
  return tracksById(db).all(JSON.stringify(ids), accountId);
}
