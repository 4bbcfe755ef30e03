import type { Db } from "../../../../../db/client.ts";
import { heardPlaces } from "../../../../../db/schema.ts";
import type { HeardPassages } from "../../../../ears/places.ts";
import { EARS_VERSION } from "../../../../ears/tags.ts";

/** Stores what was heard in each passage of a track; null for one without music. */
export function putHeardPassages(tx: Db, trackId: string, heard: HeardPassages | null): void {
  const { stepSec, likelihoods } = heard ?? { stepSec: 0, likelihoods: new Uint8Array() };
  const row = { version: EARS_VERSION, stepSec, likelihoods: Buffer.from(Bun.deflateSync(likelihoods)) };
  deleteHeardPassages(tx, trackId);
  tx.insert(heardPlaces)
    .values({ trackId, ...row })
    .run();
}

/** Deletes what was heard in each passage of a track. */
export function deleteHeardPassages({ $client }: Db, trackId: string): void {
  $client.query("DELETE FROM heard_places WHERE track_id = ?").run(trackId);
}

type Row = { trackId: string; stepSec: number; likelihoods: Uint8Array };

/** Returns what was heard in each passage of tracks, by their ids; those that were not heard whole are left out. */
export function selectHeardPassages(
  { $client }: Db,
  trackIds: readonly string[],
): Map<string, HeardPassages> {
  const rows = $client
    .query<Row, [string, string]>(
      `SELECT track_id AS trackId, step_sec AS stepSec, likelihoods
       FROM json_each(?) list CROSS JOIN heard_places ON track_id = list.value
       WHERE version = ? AND step_sec > 0`,
    )
    .all(JSON.stringify(trackIds), EARS_VERSION);
  return new Map(
    rows.map(({ trackId, stepSec, likelihoods }) => [
      trackId,
      { stepSec, likelihoods: Bun.inflateSync(Uint8Array.from(likelihoods)) },
    ]),
  );
}
