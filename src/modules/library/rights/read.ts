import type { Db } from "../../../../db/client.ts";
import { toGtin, toIsrc, toIswc } from "../../../kernel/identifiers.ts";
import { toIso } from "../../../kernel/time.ts";
import * as queries from "./queries.ts";
import type { IdentifierProblem, TrackRights } from "./shapes.ts";

/** Returns what is known of a track's rights. The caller must be allowed to see the track. */
export function rightsOfTrack(db: Db, trackId: string): TrackRights {
  const [row] = queries.selectRights(db, [trackId]);
  if (!row) throw new Error(`No track ${trackId}`);
  return toRights(row);
}

/** Returns {@link rightsOfTrack} where something was written. */
export function findRights(db: Db, trackId: string): TrackRights | undefined {
  const [row] = queries.selectRights(db, [trackId]);
  return row && row.updatedAt !== null ? toRights(row) : undefined;
}

/** Returns {@link rightsOfTrack} for many tracks, by their ids. */
export function rightsOfTracks(db: Db, trackIds: readonly string[]): Map<string, TrackRights> {
  return new Map(queries.selectRights(db, trackIds).map((row) => [row.trackId, toRights(row)]));
}

function toRights({ trackId: _, isrc, aiUse, updatedAt, ...row }: queries.StoredRights): TrackRights {
  return {
    ...row,
    aiUse: JSON.parse(aiUse),
    updatedAt: updatedAt === null ? null : toIso(updatedAt),
    problems: problemsOf({ ...row, isrc }),
  };
}

function problemsOf({ isrc, iswc, upc }: Pick<queries.StoredRights, "isrc" | "iswc" | "upc">) {
  const isWrong = (text: string | null, read: (text: string) => string | undefined) =>
    text !== null && text.trim() !== "" && read(text) === undefined;
  const wrong: [IdentifierProblem, boolean][] = [
    ["bad_isrc", isWrong(isrc, toIsrc)],
    ["bad_iswc", isWrong(iswc, toIswc)],
    ["bad_upc", isWrong(upc, toGtin)],
  ];
  return wrong.flatMap(([problem, isSo]) => (isSo ? [problem] : []));
}
