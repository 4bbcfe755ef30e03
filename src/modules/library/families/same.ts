import { type Db, prepared } from "../../../../db/client.ts";

const familiesOf = prepared((db: Db) =>
  db.$client.prepare<{ families: number; members: number }, [string]>(
    `SELECT count(DISTINCT m.family_id) AS families, count(*) AS members
     FROM json_each(?1) l CROSS JOIN family_members m ON m.track_id = l.value`,
  ),
);

/** True when all of some tracks are kept together as one song. */
export function areOneFamily(db: Db, trackIds: readonly string[]): boolean {
  const found = familiesOf(db).get(JSON.stringify(trackIds));
  return found?.families === 1 && found.members === trackIds.length;
}
