/** @jsxRuntime automatic @jsxImportSource preact */
import { Cover } from "../cover.tsx";
import { Icon } from "../icons.tsx";
import { clock } from "../waveform.ts";
import type { PlayerTrack } from "./model.ts";

/** What the script reads of a track. */
export function trackData(track: PlayerTrack) {
  const [first, second] = track.sources;
  return {
    "data-track": track.id,
    "data-src": first?.path,
    "data-type": second && first?.type,
    "data-else": second?.path,
    "data-wave": track.waveformPath,
    "data-seconds": track.durationSec === null ? undefined : String(Math.round(10 * track.durationSec) / 10),
    "data-gain": track.gainDb === 0 ? undefined : String(track.gainDb),
    "data-title": track.title,
    "data-artist": track.artist ?? undefined,
    "data-picture": track.picture,
  };
}

/** The tracks of a playlist in order. */
export function TrackList({ tracks }: { tracks: readonly PlayerTrack[] }) {
  return (
    <ol class="tracks" aria-label="Tracks">
      {tracks.map((track, index) => (
        <Row key={index} track={track} number={index + 1} />
      ))}
    </ol>
  );
}

function Row({ track, number }: { track: PlayerTrack; number: number }) {
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
      </span>
      <span class="track-time">{track.durationSec !== null && clock(track.durationSec)}</span>
      {track.downloadPath && (
        <a class="control" href={track.downloadPath} aria-label={`Download ${track.title}`}>
          <Icon name="download" />
        </a>
      )}
      <PlainPlayer track={track} />
    </li>
  );
}

/** What plays a track where there is no JavaScript; the server then counts by what it sends. */
export function PlainPlayer({ track: { title, sources } }: { track: PlayerTrack }) {
  const plain = (path: string) => `${path}&plain`;
  // One is tried whatever the browser thinks of its type.
  const [only] = sources.length === 1 ? sources : [];
  return (
    <noscript>
      {/* biome-ignore lint/a11y/useMediaCaption: it is music, and nobody wrote down what is sung in it */}
      <audio controls preload="none" src={only && plain(only.path)} aria-label={title}>
        {!only && sources.map(({ path, type }) => <source key={path} src={plain(path)} type={type} />)}
      </audio>
    </noscript>
  );
}
