/** @jsxRuntime automatic @jsxImportSource preact */
import { Cover } from "../cover.tsx";
import { Icon, type IconName } from "../icons.tsx";
import { clock, WAVE_BARS, wavePath, waveX } from "../waveform.ts";
import type { PlayerComment, PlayerTrack } from "./model.ts";
import { PENDING } from "./words.ts";

type PanelProps = {
  /** The first track. */
  track: PlayerTrack;
  /** Waveform of that track. */
  waveform: Uint8Array | undefined;
  comments: readonly PlayerComment[];
  /** `stage`: part of the page; `dock`: at the lower edge of the window, for several tracks. */
  place: "stage" | "dock";
};

/** The controls of the player. Without JavaScript only the waveform shows. */
export function Panel({ track, waveform, comments, place }: PanelProps) {
  const isDock = place === "dock";
  return (
    <section class={`panel ${place}${track.isPending ? " pending" : ""}`} aria-label="Player" id="player">
      <div class="transport needs-script">
        {isDock && <Control id="previous" icon="previous" label="Previous track" />}
        <button type="button" class="play toggle" id="play" aria-label="Play">
          <Icon name="play" />
          <Icon name="pause" />
        </button>
        {isDock && <Control id="next" icon="next" label="Next track" />}
      </div>
      {isDock && (
        <div class="now needs-script">
          <span id="now-cover">
            <Cover seed={track.id} src={track.thumbnail} />
          </span>
          <span class="now-words">
            <span class="now-title" id="now-title">
              {track.title}
            </span>
            <span class="now-artist" id="now-artist">
              {track.artist}
            </span>
          </span>
        </div>
      )}
      <Wave track={track} waveform={waveform} comments={comments} />
      <p class="time needs-script">
        <span id="elapsed">0:00</span>
        <span class="time-of" aria-hidden="true">
          /
        </span>
        <span id="total">{track.durationSec === null ? "" : clock(track.durationSec)}</span>
      </p>
      <div class="tools needs-script">
        {isDock && (
          <>
            <button type="button" class="match" id="match" aria-pressed="true" aria-describedby="gain">
              Match loudness
            </button>
            <span class="gain" id="gain" />
          </>
        )}
        <button type="button" class="control" id="mute" aria-label="Mute" aria-pressed="false">
          <Icon name="sound" />
          <Icon name="silent" />
        </button>
        <input
          type="range"
          class="volume"
          id="volume"
          aria-label="Volume"
          min="0"
          max="1"
          step="0.05"
          value="1"
          autocomplete="off"
        />
      </div>
      <p class="player-message" id="player-message" role="status">
        {track.isPending && PENDING}
      </p>
    </section>
  );
}

function Control({ id, icon, label }: { id: string; icon: IconName; label: string }) {
  return (
    <button type="button" class="control" id={id} aria-label={label}>
      <Icon name={icon} />
    </button>
  );
}

/** The waveform with the part already played, the marks of the comments, and an input that seeks. */
function Wave({ track, waveform, comments }: Omit<PanelProps, "place">) {
  const path = wavePath(
    new Int8Array(waveform?.buffer ?? new ArrayBuffer(0), waveform?.byteOffset ?? 0, waveform?.length ?? 0),
  );
  const picture = {
    viewBox: `0 0 ${2 * WAVE_BARS} 100`,
    preserveAspectRatio: "none",
  } as const;
  const duration = track.durationSec ?? 0;
  const marks = comments
    .filter(({ trackId }) => trackId === track.id)
    .flatMap(({ positionSec }) => (positionSec === null ? [] : (waveX(positionSec, duration) ?? [])));
  return (
    <div class="wave" id="wave">
      <svg class="wave-base" aria-hidden="true" {...picture}>
        <path d={path} class="wave-path" id="wave-path" />
      </svg>
      <svg class="wave-played needs-script" aria-hidden="true" {...picture}>
        <path d={path} class="wave-path" id="wave-path-played" />
      </svg>
      <svg class="wave-marks" aria-hidden="true" {...picture}>
        <path d={marks.map((x) => `M${x} 97h.01`).join("")} id="wave-marks" />
      </svg>
      <input
        type="range"
        class="needs-script"
        id="seek"
        aria-label="Position"
        aria-valuetext={`0:00 of ${clock(duration)}`}
        min="0"
        max={String(Math.max(1, duration))}
        step="0.1"
        value="0"
        autocomplete="off"
      />
      <div class="wave-dots needs-script" id="wave-dots" />
    </div>
  );
}
