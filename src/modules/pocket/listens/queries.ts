import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";

/** What somebody heard of a track. */
export type Heard = { times: number; lastAt: number };

const heardBy = prepared((db) =>
  db.$client.prepare<Heard & { trackId: string }, [string, string]>(
    `SELECT track_id AS trackId, count(*) AS times, max(at) AS lastAt FROM listens
     WHERE person_id = ?1 AND account_id = ?2 GROUP BY track_id`,
  ),
);

/** Returns what a person heard in a library, by the ids of its tracks. */
export function selectHeard(db: Db, accountId: LibraryId, personId: PersonId): ReadonlyMap<string, Heard> {
  return new Map(
    heardBy(db)
      .all(personId, accountId)
      .map(({ trackId, ...heard }) => [trackId, heard]),
  );
}

/** A listen that a player or a device reports. */
export type NewListen = {
  id: string;
  accountId: LibraryId;
  personId: PersonId;
  trackId: string;
  versionId: string;
  at: number;
  heardSec: number | null;
  through: "pocket" | "player";
  throughId: string;
};

const insert = prepared((db) =>
  db.$client.prepare<void, [Record<string, string | number | null>]>(
    `INSERT INTO listens (id, account_id, person_id, track_id, version_id, at, heard_sec, through, through_id)
     VALUES ($id, $accountId, $personId, $trackId, $versionId, $at, $heardSec, $through, $throughId)
     ON CONFLICT DO NOTHING`,
  ),
);

/** Stores a listen; false when it is known. */
export function insertListen(tx: Db, listen: NewListen): boolean {
  return insert(tx).run(listen).changes > 0;
}
