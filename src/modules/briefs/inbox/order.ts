import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { arrangeBrief } from "../briefs/service.ts";
import type { ArrangePack } from "./pack-shapes.ts";
import type { Song } from "./songs.ts";

/** A song, and whether it goes out. */
export type Placed = Song & { isIn: boolean };

/**
 * Says which songs go out for a brief, and in which order. Songs in neither list stay where they are ranked.
 *
 * @throws DomainError `brief_not_found`.
 */
export function arrangePack(
  deps: Pick<Deps, "db">,
  ownerId: LibraryId,
  briefId: string,
  order: ArrangePack,
): ArrangePack {
  arrangeBrief(deps, ownerId, briefId, order);
  return order;
}

/**
 * Puts ranked songs in the order that their brief's owner gave them: first what goes out, then the others. A song is known
 * by each of its versions, of which another may be the best one now.
 */
export function placed(songs: readonly Song[], { trackIds, leftOut }: ArrangePack): Placed[] {
  const places = new Map(trackIds.map((id, place) => [id, place]));
  const out = new Set(leftOut);
  const all = songs.map((song) => {
    const ids = [song.best, ...song.others].map(({ trackId }) => trackId);
    const place = ids.map((id) => places.get(id)).find((each) => each !== undefined);
    const isIn = place !== undefined || (song.best.state !== null && !ids.some((id) => out.has(id)));
    return { ...song, isIn, place: place ?? Number.POSITIVE_INFINITY };
  });
  const chosen = all.filter(({ isIn }) => isIn);
  // Two without a place are as far apart as they were ranked.
  const inOrder = chosen.toSorted((one, other) => (one.place === other.place ? 0 : one.place - other.place));
  return [...inOrder, ...all.filter(({ isIn }) => !isIn)];
}
