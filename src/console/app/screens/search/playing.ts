import { play } from "../../player/player.ts";
import { currentTrackId } from "../../player/state.ts";
import { place } from "../../router.ts";
import type { Hit } from "./search.ts";

/** True for the track that plays or is paused. */
export const isCurrent = (id: string): boolean => currentTrackId.value === id;

/** Plays results from one of them on. */
export function playFrom(hits: readonly Hit[], index: number): void {
  const { path, search } = place.peek();
  play({
    tracks: hits.map(({ id, title, artists }) => ({
      id,
      title,
      artist: artists.length > 0 ? artists.join(", ") : null,
      cover: null,
    })),
    index,
    source: { key: `${path}?${search}` },
  });
}
