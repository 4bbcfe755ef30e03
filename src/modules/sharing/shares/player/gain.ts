import type { Db } from "../../../../../db/client.ts";
import { loudnessAsWhole, matchedGain } from "../../../../kernel/loudness.ts";
import { findPlaylist, listLoudness } from "../page-queries.ts";
import type { ShareRow } from "../queries.ts";

/** Returns the gain of every song of an album, whose songs stay louder and softer as they were mastered; undefined: it is none. */
export function albumGain(
  db: Db,
  { entity, ownerId, entityId }: Pick<ShareRow, "entity" | "ownerId" | "entityId">,
): number | undefined {
  const isAlbum = entity === "playlist" && findPlaylist(db, ownerId, entityId)?.kind === "album";
  return isAlbum ? matchedGain(loudnessAsWhole(listLoudness(db, entityId))) : undefined;
}
