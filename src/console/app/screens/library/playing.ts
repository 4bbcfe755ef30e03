import { rowsQuery } from "../../../shared/addresses.ts";
import { play, toggle } from "../../player/player.ts";
import type { PlayerTrack } from "../../player/queue.ts";
import { currentTrackId } from "../../player/state.ts";
import { listPlace } from "../../router.ts";
import type { Rows } from "../../ui/table/rows.ts";
import type { TrackRow } from "./rows.ts";

/** Tracks of the list that go into the queue at once; the player reads on by itself. */
const AHEAD = 100;

/** Returns a row as the player knows it. */
export const toPlay = ({ id, title, artist, cover }: TrackRow): PlayerTrack => ({ id, title, artist, cover });

/** Plays the library from a row on, in the order it shows; pauses or goes on where the row plays already. */
export function playFrom(rows: Rows<TrackRow>, row: TrackRow): void {
  if (currentTrackId.peek() === row.id && toggle()) return;
  const at = rows.indexOf(row.id) ?? 0;
  const tracks = [toPlay(row)];
  for (let index = at + 1; index <= at + AHEAD; index++) {
    const next = rows.at(index);
    if (!next) break;
    tracks.push(toPlay(next));
  }
  const { path, search } = listPlace.peek();
  const query = rowsQuery(search);
  query.delete("limit");
  play({
    tracks,
    index: 0,
    source: {
      key: `${path}?${search}`,
      more: { query: String(query), position: at + tracks.length },
    },
  });
}
