import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { type PlacedName, placesOf } from "../../../../ears/places.ts";
import { EARS_VERSION } from "../../../../ears/tags.ts";

export type Edge = "beginning" | "end";

/** Whatever plays this soon after a track begins, or this late before it ends, opens or closes it. */
const EDGE_SEC = 10;
/** Or whatever plays for this share of its introduction or its ending. */
const LEAST_SHARE = 0.5;
const TRACKS_AT_ONCE = 500;

type Row = {
  seq: number;
  stepSec: number;
  likelihoods: Uint8Array;
  lengthSec: number;
  introEndSec: number | null;
  endStartSec: number | null;
};

/** Returns the tracks that begin or end with something, of those whose names for it are given by their numbers. */
export function playingAtEdge(
  db: Db,
  ownerId: LibraryId,
  edge: Edge,
  named: ReadonlyMap<number, ReadonlySet<PlacedName>>,
): number[] {
  const seqs = [...named.keys()];
  const found: number[] = [];
  for (let at = 0; at < seqs.length; at += TRACKS_AT_ONCE)
    for (const row of selectEdges(db, ownerId, seqs.slice(at, at + TRACKS_AT_ONCE)))
      if ([...(named.get(row.seq) ?? [])].some((name) => playsAt(row, name, edge))) found.push(row.seq);
  return found;
}

function playsAt(row: Row, name: PlacedName, edge: Edge): boolean {
  const { stepSec, lengthSec, introEndSec, endStartSec } = row;
  const heard = { stepSec, likelihoods: Bun.inflateSync(Uint8Array.from(row.likelihoods)) };
  const places = placesOf(heard, name, lengthSec);
  const [from, to] = edge === "beginning" ? [0, introEndSec ?? 0] : [endStartSec ?? lengthSec, lengthSec];
  const within = places.reduce(
    (sum, { fromSec, toSec }) => sum + Math.max(0, Math.min(toSec, to) - Math.max(fromSec, from)),
    0,
  );
  if (to > from && within >= LEAST_SHARE * (to - from)) return true;
  return edge === "beginning"
    ? (places[0]?.fromSec ?? lengthSec) <= EDGE_SEC
    : (places.at(-1)?.toSec ?? 0) >= lengthSec - EDGE_SEC;
}

function selectEdges({ $client }: Db, ownerId: LibraryId, seqs: readonly number[]): Row[] {
  return $client
    .query<Row, [string, string, string]>(
      `SELECT t.seq, p.step_sec AS stepSec, p.likelihoods, a.duration_sec AS lengthSec,
              CASE a.structure ->> '$.sections[0].kind' WHEN 'intro'
                THEN a.structure ->> '$.sections[0].endSec' END AS introEndSec,
              CASE a.structure ->> '$.sections[#-1].kind' WHEN 'end'
                THEN a.structure ->> '$.sections[#-1].startSec' END AS endStartSec
       FROM json_each(?) list CROSS JOIN tracks t ON t.seq = list.value
       CROSS JOIN heard_places p ON p.track_id = t.id AND p.version = ? AND p.step_sec > 0
       CROSS JOIN analyses a ON a.version_id = t.analysis_version_id
       WHERE t.owner_id = ? AND t.deleted_at IS NULL`,
    )
    .all(JSON.stringify(seqs), EARS_VERSION, ownerId);
}
