import type { MenuTrack } from "../../actions/track-menu.ts";
import { play } from "../../player/player.ts";
import { place } from "../../router.ts";
import type { Hit, Member } from "./search.ts";

/** Returns a result as menus and the player know tracks. */
export const toTrack = ({ id, title, artists, cover, visible }: Hit): MenuTrack => ({
  id,
  title,
  artist: artists.length > 0 ? artists.join(", ") : null,
  cover,
  visible,
});

/** Plays results from one of them on, which begins at a time. */
export function playFrom(hits: readonly Hit[], index: number, fromSec = 0): void {
  const { path, search } = place.peek();
  play({
    tracks: hits.map(toTrack),
    index,
    fromSec,
    source: { key: `${path}?${search}` },
  });
}

/** Plays other members of the set of a result, one after the other. */
export function playMembers(hit: Hit, members: readonly Member[]): void {
  const tracks = members.map(({ trackId, title }) => ({ ...toTrack(hit), id: trackId, title }));
  play({ tracks, index: 0, source: { key: `set ${members[0]?.trackId}` } });
}
