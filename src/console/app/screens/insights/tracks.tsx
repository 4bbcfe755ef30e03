/** @jsxRuntime automatic @jsxImportSource preact */
import { can } from "../../api/library.ts";
import { href } from "../../first-data.ts";
import { play } from "../../player/player.ts";
import { clock } from "../../player/time.ts";
import { place } from "../../router.ts";
import { IconButton } from "../../ui/button.tsx";
import { Curve } from "../../ui/curve.tsx";
import { counted, grouped, percent } from "../../ui/numbers.ts";
import { PlainTable } from "../../ui/plain-table.tsx";
import { change, type Track } from "./insights.ts";

/** So long before the place where listeners stopped, it is played. */
const LEAD_SEC = 10;
const COLUMNS = ["Track", "Plays", "How far", "To the end", "Most stop at"] as const;

/** Which tracks were played, how far people listen, and where they stop. */
export function TopTracks({ tracks, isCompared }: { tracks: readonly Track[]; isCompared: boolean }) {
  return (
    <section class="insight-part">
      <h2>Top tracks</h2>
      <PlainTable label="Top tracks" columns={COLUMNS} figures={["Plays", "To the end"]}>
        {tracks.map((track) => (
          <tr key={track.trackId}>
            <th scope="row">
              <a class="tap" href={href(`/library/tracks/${track.trackId}?tab=activity`)}>
                {track.title}
              </a>
              {track.artist !== null && <span class="soft insight-artist">{track.artist}</span>}
            </th>
            <td class="figure" data-label="Plays">
              {can("read:shares") ? (
                <a href={href(`/library/tracks/${track.trackId}?tab=links`)}>{grouped(track.plays)}</a>
              ) : (
                grouped(track.plays)
              )}
              <Change track={track} isCompared={isCompared} />
            </td>
            <td data-label="How far">
              <HowFar track={track} />
            </td>
            <td class="figure" data-label="To the end">
              {track.listeners > 0 ? `${grouped(track.finished)} of ${grouped(track.listeners)}` : "–"}
            </td>
            <td data-label="Most stop at">
              <Stop track={track} />
            </td>
          </tr>
        ))}
      </PlainTable>
    </section>
  );
}

function Change({ track: { plays, playsBefore }, isCompared }: { track: Track; isCompared: boolean }) {
  const words = isCompared ? change(plays, playsBefore) : undefined;
  return words === undefined ? null : <span class="soft insight-beside">{words}</span>;
}

/** How much of the track listeners hear, and which parts of it. */
function HowFar({ track: { heardShare, curve, listeners } }: { track: Track }) {
  if (heardShare === null) return <>Not known</>;
  return (
    <span
      class="insight-far"
      title={`${counted(listeners, "listener")}; the curve shows which parts they heard`}
    >
      <Curve shares={curve} />
      {percent(heardShare)}
    </span>
  );
}

/** The place where most listeners stopped, and a button to hear what comes before it. */
function Stop({ track: { trackId, title, artist, stop, listeners } }: { track: Track }) {
  if (stop === null) return <>–</>;
  const fromSec = Math.max(0, stop.atSec - LEAD_SEC);
  return (
    <span class="insight-stop">
      <IconButton
        label={`Play ${title} from ${clock(fromSec)}`}
        icon="play"
        title="Hear what made them stop"
        run={() =>
          play({
            tracks: [{ id: trackId, title, artist, cover: null }],
            index: 0,
            source: { key: place.peek().path },
            fromSec,
          })
        }
      />
      {clock(stop.atSec)}
      <span class="soft">
        {grouped(stop.listeners)} of {grouped(listeners)}
      </span>
    </span>
  );
}
