import type { Db } from "../../../../db/client.ts";
import { type Mirror, prepare } from "./mirror.ts";

/** Below this a first search reads an account quicker than anybody notices. */
const WORTH_WARMING = 2000;

/** Reads the libraries of the accounts that searched last, as far as there is room. A search does not wait for it. */
export async function warm(mirror: Mirror): Promise<void> {
  let room = mirror.maxTracks;
  for (const { ownerId, count } of listLarge(mirror.db)) {
    if (count > room) continue;
    room -= count;
    await prepare(mirror, ownerId);
  }
}

function listLarge({ $client }: Db): { ownerId: string; count: number }[] {
  return $client
    .query<{ ownerId: string; count: number }, [number]>(
      `SELECT owner_id AS ownerId, count(*) AS count FROM tracks WHERE analysis_version_id IS NOT NULL
       GROUP BY owner_id HAVING count(*) >= ?
       ORDER BY (SELECT max(at) FROM searches WHERE account_id = owner_id) DESC, count(*) DESC`,
    )
    .all(WORTH_WARMING);
}
