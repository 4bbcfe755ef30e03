/** @jsxRuntime automatic @jsxImportSource preact */
import { Cover } from "../cover.tsx";
import { Icon } from "../icons.tsx";
import { clock } from "../waveform.ts";
import { RowApproval } from "./approval.tsx";
import { ListMore } from "./list-more.tsx";
import { RowLyrics } from "./lyrics.tsx";
import type { PlayerApproval, PlayerPitch, PlayerRows, PlayerTrack } from "./model.ts";
import { PitchRest } from "./pitch.tsx";

/** The data that the script reads about a track. */
export function trackData(track: PlayerTrack) {
  const [first, second] = track.sources;
  return {
    "data-track": track.id,
    "data-version": track.versionId,
    "data-src": first?.path,
    "data-type": second && first?.type,
    "data-else": second?.path,
    "data-wave": track.waveformPath,
    "data-seconds":
      track.durationSec === null ? undefined : String(Math.round(1000 * track.durationSec) / 1000),
    "data-gain": track.gainDb === 0 ? undefined : String(track.gainDb),
    "data-pending": track.isPending ? "" : undefined,
    "data-title": track.title,
    "data-artist": track.artist ?? undefined,
    "data-picture": track.picture,
  };
}

/** The tracks of a playlist in order, or a part of them. */
export function TrackList({
  rows,
  beginningHref,
  approval,
  pitch,
}: {
  rows: PlayerRows;
  beginningHref: string | undefined;
  approval?: PlayerApproval | undefined;
  pitch?: PlayerPitch | undefined;
}) {
  return (
    <>
      {beginningHref && (
        <p>
          <a href={beginningHref}>From the first track on</a>
        </p>
      )}
      <ol class="tracks" id="tracks" aria-label="Tracks" start={rows.firstNumber}>
        <Rows {...rows} approval={approval} pitch={pitch} />
      </ol>
    </>
  );
}

/** What else is in the set of a track. */
export function AlsoInSet({ tracks }: { tracks: readonly PlayerTrack[] }) {
  return (
    <section class="also" aria-labelledby="also">
      <h2 id="also">Also in this set</h2>
      <ol class="tracks" id="tracks" aria-labelledby="also">
        <Rows tracks={tracks} firstNumber={1} next={undefined} />
      </ol>
    </section>
  );
}

/** Only the rows, followed by the link to the next ones. */
export function Rows({ tracks, firstNumber, next, approval, pitch }: PlayerRows & Asking) {
  return (
    <>
      {tracks.map((track, index) => (
        <Row
          key={index}
          track={track}
          number={firstNumber + index}
          // A track that is there twice is asked about once.
          {...(tracks.findIndex(({ id }) => id === track.id) === index && { approval, pitch })}
        />
      ))}
      {next && <ListMore end={next}>More tracks</ListMore>}
    </>
  );
}

/** What is asked about each track of a list. */
type Asking = {
  approval?: Pick<PlayerApproval, "action" | "longest" | "reviews"> | undefined;
  pitch?: Omit<PlayerPitch, "words" | "error"> | undefined;
};

function Row({ track, number, approval, pitch }: Asking & { track: PlayerTrack; number: number }) {
  const review = approval?.reviews.get(track.id);
  return (
    <li class="track" {...trackData(track)}>
      <button type="button" class="track-play" aria-label={`Play ${number}, ${track.title}`}>
        <span class="track-number">{number}</span>
        <Icon name="play" />
        <Icon name="pause" />
      </button>
      <Cover seed={track.id} src={track.thumbnail} isLazy />
      <span class="track-words">
        <span class="track-title">{track.title}</span>
        {track.artist && <span class="track-artist">{track.artist}</span>}
        {track.kind && <span class="track-details">{track.kind}</span>}
        {track.details && <span class="track-details">{track.details}</span>}
      </span>
      <span class="track-time">
        {track.durationSec === null ? track.isPending && "Analysing" : clock(track.durationSec)}
      </span>
      {track.downloadPath && (
        <a class="control" href={track.downloadPath} aria-label={`Download ${track.title}`}>
          <Icon name="download" />
        </a>
      )}
      {approval && review && <RowApproval review={review} approval={approval} />}
      {pitch && <PitchRest trackId={track.id} pitch={pitch} />}
      {track.lyrics && <RowLyrics lyrics={track.lyrics} />}
      <PlainPlayer track={track} />
    </li>
  );
}

/** Plays a track without JavaScript; the server then counts plays by the bytes that it sends. */
export function PlainPlayer({ track: { title, sources } }: { track: PlayerTrack }) {
  const plain = (path: string) => `${path}&plain`;
  // A single source is tried even if the browser doubts its type.
  const [only] = sources.length === 1 ? sources : [];
  return (
    <noscript>
      {/* biome-ignore lint/a11y/useMediaCaption: there are no captions for the music */}
      <audio controls preload="none" src={only && plain(only.path)} aria-label={title}>
        {!only && sources.map(({ path, type }) => <source key={path} src={plain(path)} type={type} />)}
      </audio>
    </noscript>
  );
}
