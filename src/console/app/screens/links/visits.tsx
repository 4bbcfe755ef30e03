/** @jsxRuntime automatic @jsxImportSource preact */
import { clock } from "../../player/time.ts";
import { ListenedNote } from "../../share/listened.tsx";
import { ago, wholeTime } from "../../ui/dates.ts";
import { PlainTable } from "../../ui/plain-table.tsx";
import { type HeardTrack, isAtEnd, type Listening, lengthOf, type Visit } from "./listening.ts";

const COLUMNS = ["Last here", "Heard", "Stopped at", "Plays", "Downloads", "Comments"] as const;
const MAX_TITLES = 3;

/** The table "Visits": what each visitor did. */
export function Visits({ listening }: { listening: Listening }) {
  const { visits, totals, tracks, trackCount } = listening;
  return (
    <section class="link-visits">
      <h2>Visits</h2>
      <PlainTable label="Visits" columns={COLUMNS} figures={["Plays", "Downloads", "Comments"]}>
        {visits.map((visit) => (
          <tr key={visit.visit}>
            <th scope="row" class="visit-at" title={wholeTime(visit.lastAt)}>
              {ago(visit.lastAt)}
            </th>
            <td class="visit-heard" data-label="Heard">
              {trackCount > 1 ? (
                <Titles visit={visit} tracks={tracks} />
              ) : (
                <Strip visit={visit} track={tracks[0]} />
              )}
            </td>
            <td data-label="Stopped at">{stopWords(visit, tracks)}</td>
            <td class="figure" data-label="Plays">
              {visit.plays}
            </td>
            <td class="figure" data-label="Downloads">
              {visit.downloads}
            </td>
            <td class="figure" data-label="Comments">
              {visit.comments}
            </td>
          </tr>
        ))}
      </PlainTable>
      <ListenedNote />
      {totals.visits > visits.length && (
        <p class="soft">
          The latest {visits.length} of {totals.visits} visits. The curve and the totals include all of them.
        </p>
      )}
    </section>
  );
}

function stopWords({ trackId, stoppedAtSec }: Visit, tracks: readonly HeardTrack[]): string {
  const track = tracks.find((each) => each.trackId === trackId);
  if (stoppedAtSec === null) return "–";
  return track && isAtEnd(stoppedAtSec, track) ? "The end" : clock(stoppedAtSec);
}

/** The parts of the one track that a visit heard, and how long they are. */
function Strip({ visit: { heard, listened }, track }: { visit: Visit; track: HeardTrack | undefined }) {
  const durationSec = track?.durationSec;
  if (heard.length === 0) return <>{listened ? "Not known" : "–"}</>;
  const percent = (sec: number) => `${(100 * sec) / (durationSec ?? sec)}%`;
  return (
    <>
      {clock(lengthOf(heard))}
      {durationSec && (
        <span class="visit-strip" aria-hidden="true">
          {heard.map(([from = 0, to = 0]) => (
            <span key={from} style={{ left: percent(from), width: percent(to - from) }} />
          ))}
        </span>
      )}
    </>
  );
}

/** The tracks of a playlist that a visit heard. */
function Titles({ visit, tracks }: { visit: Visit; tracks: readonly HeardTrack[] }) {
  const heard = visit.tracks.filter(({ listened }) => listened);
  const words = heard.flatMap(({ trackId, heard: parts }) => {
    const track = tracks.find((each) => each.trackId === trackId);
    return track ? [`${track.title} ${parts.length > 0 ? clock(lengthOf(parts)) : ""}`.trim()] : [];
  });
  if (words.length === 0) return <>–</>;
  const more = words.length - MAX_TITLES;
  return (
    <span title={words.join(", ")}>
      {words.slice(0, MAX_TITLES).join(", ")}
      {more > 0 && ` and ${more} more`}
    </span>
  );
}
