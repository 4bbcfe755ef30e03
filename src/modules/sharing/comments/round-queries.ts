import { type Db, prepared } from "../../../../db/client.ts";
import { isInRound, ROUND_NOTES, type VersionRow } from "../../library/catalog/service.ts";

/** A note of a round. */
export type RoundNote = {
  id: string;
  /** 1 when it was made on the version of the round. */
  isFresh: 0 | 1;
  isAnswered: 0 | 1;
};

const notes = prepared((db) =>
  db.$client.prepare<RoundNote, [string, string]>(
    `SELECT n.id, n.versionId IS v.id AS isFresh, n.isAnswered
     FROM versions v JOIN ${ROUND_NOTES} n ON n.trackId = ?1 AND ${isInRound("n", "v")}
     LEFT JOIN comment_places p ON p.comment_id = n.id AND p.version_id = v.id
     WHERE v.id = ?2 ORDER BY p.how IS 'gone', ifnull(p.at_sec, n.positionSec), n.createdAt, n.id`,
  ),
);

/** Returns every note of a version's round: those on the whole track, those at a place, those whose passage is not in it. */
export function listRoundNotes(db: Db, { id, trackId }: Pick<VersionRow, "id" | "trackId">): RoundNote[] {
  return notes(db).all(trackId, id);
}

const before = prepared((db) =>
  db.$client.prepare<Pick<VersionRow, "id" | "label" | "versionOrder">, [string, number]>(
    `SELECT id, label, version_order AS versionOrder FROM versions WHERE track_id = ?1 AND version_order < ?2
     ORDER BY version_order DESC LIMIT 1`,
  ),
);

/** Returns the version before one in the history of its track. */
export function findVersionBefore(db: Db, { trackId, versionOrder }: VersionRow) {
  return before(db).get(trackId, versionOrder) ?? undefined;
}

const loudness = prepared((db) =>
  db.$client.prepare<{ lufs: number | null }, [string]>(
    "SELECT integrated_lufs AS lufs FROM analyses WHERE version_id = ?1",
  ),
);

/** Returns how loud a version is, LUFS; null when it is silent or was never analysed. */
export function findLoudness(db: Db, versionId: string): number | null {
  return loudness(db).get(versionId)?.lufs ?? null;
}
