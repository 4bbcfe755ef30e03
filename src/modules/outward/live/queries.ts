import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { isForGuests } from "../../people/notifications/service.ts";
import type { Change } from "./shapes.ts";

/** A topic with more changes than this is read again. */
const MAX_IDS = 100;

const range = prepared((db) =>
  db.$client.prepare<{ latest: number; floor: number }, []>(
    `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'account_changes'), 0) AS latest,
       (SELECT seq FROM account_changes_floor) AS floor`,
  ),
);

/** Returns the number of the last change of all accounts, and of the last that is not kept any more. */
export function selectRange(db: Db): { latest: number; floor: number } {
  return range(db).get() ?? { latest: 0, floor: 0 };
}

/** Which changes are asked for, and by whom. */
type Since = { accountId: LibraryId; personId: PersonId; after: number; upTo: number };

const since = prepared((db) =>
  db.$client.prepare<{ topic: Change["topic"]; ids: string | null }, [Since]>(
    `SELECT topic, iif(count(*) > ${MAX_IDS}, NULL, json_group_array(id)) AS ids FROM account_changes c
     WHERE account_id = $accountId AND seq > $after AND seq <= $upTo
       AND (topic <> 'uploads' OR NOT EXISTS (
         SELECT 1 FROM owner_uploads u WHERE u.id = c.id AND u.made_by IS NOT NULL AND u.made_by <> $personId))
     GROUP BY topic ORDER BY max(seq)`,
  ),
);

/**
 * Returns a library's changes between two numbers, the first not included, by topic, without the uploads of other people. Reads the
 * changes of every library.
 */
export function selectChanges(db: Db, asked: Since): Change[] {
  return since(db)
    .all(asked)
    .map(({ topic, ids }) => ({ topic, ids: ids === null ? null : JSON.parse(ids) }));
}

/** As {@link Since}, for a guest of rooms that hold these tracks: JSON. */
type GuestSince = Since & { memberId: string; tracks: string };

const guestSince = prepared((db) =>
  db.$client.prepare<{ topic: Change["topic"]; ids: string | null }, [GuestSince]>(
    `WITH held AS (SELECT value AS id FROM json_each($tracks))
     SELECT topic, iif(count(*) > ${MAX_IDS}, NULL, json_group_array(id)) AS ids FROM account_changes c
     WHERE account_id = $accountId AND seq > $after AND seq <= $upTo AND CASE topic
       WHEN 'playlists' THEN EXISTS (
         SELECT 1 FROM room_members r WHERE r.member_id = $memberId AND r.playlist_id = c.id)
       WHEN 'team' THEN c.id = $memberId
       WHEN 'uploads' THEN EXISTS (SELECT 1 FROM owner_uploads u WHERE u.id = c.id AND u.made_by = $personId)
       WHEN 'notifications' THEN EXISTS (
         SELECT 1 FROM notifications n WHERE n.id = c.id AND ${isForGuests("n")} AND n.entity_id IN held)
       ELSE topic IN ('tracks', 'versions', 'analysis', 'tags', 'comments') AND c.id IN held
     END
     GROUP BY topic ORDER BY max(seq)`,
  ),
);

/** Returns the changes that a guest may know of: those of the tracks of their rooms, of these rooms, and of themselves. */
export function selectGuestChanges(
  db: Db,
  { tracks, ...asked }: Since & { memberId: string; tracks: readonly string[] },
): Change[] {
  return guestSince(db)
    .all({ ...asked, tracks: JSON.stringify(tracks) })
    .map(({ topic, ids }) => ({ topic, ids: ids === null ? null : JSON.parse(ids) }));
}
