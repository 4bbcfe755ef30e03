/** @jsxRuntime automatic @jsxImportSource preact */
import { tooltip } from "../ui/actions.ts";
import { IconButton } from "../ui/button.tsx";
import { CoverPicture } from "../ui/cover-picture.tsx";
import { showDialog } from "../ui/dialog.tsx";
import { useActions } from "../ui/keys.ts";
import { BarWave } from "./bar-wave.tsx";
import { PlayerButtons, Times } from "./play-button.tsx";
import { seek, setLoop, step, toggle, toggleMute } from "./player.ts";
import { PlayerSheet } from "./player-sheet.tsx";
import { QueueDialog } from "./queue-dialog.tsx";
import { durationSec, elapsedSec, isMatched, isMuted, queue, trouble, volume } from "./state.ts";
import { TrackLink } from "./track-link.tsx";

const STEP_SEC = 5;

const TROUBLE: Readonly<Record<NonNullable<typeof trouble.value>, string>> = {
  slow: "Waiting for the music: the connection is slow.",
  lost: "The connection was lost. Playback resumes when it is back.",
  over: "This track can no longer be played.",
  unplayable: "Your browser cannot play this file.",
};

/** The bar at the lower edge: what plays, everywhere in the console. */
export function PlayerBar() {
  usePlayerKeys();
  const { current } = queue.value;
  const isEmpty = current === undefined;
  return (
    <section class="player" aria-label="Player" data-empty={isEmpty}>
      <PlayerButtons />
      <NowPlaying />
      <BarWave />
      <Times />
      <div class="player-tools">
        <button
          type="button"
          class="toggle"
          aria-pressed={isMatched.value}
          title={tooltip("matchLoudness")}
          onClick={() => {
            isMatched.value = !isMatched.value;
          }}
        >
          Match loudness
        </button>
        <Volume />
        <IconButton
          label="Queue"
          icon="queue"
          aria-haspopup="dialog"
          title={tooltip("queue")}
          run={openQueue}
        />
      </div>
      {trouble.value && (
        <p class="player-trouble" role="status">
          {TROUBLE[trouble.value]}
        </p>
      )}
    </section>
  );
}

function NowPlaying() {
  const { current } = queue.value;
  if (!current) return <div class="now now-empty">Nothing is playing</div>;
  return (
    <div class="now">
      <button
        type="button"
        class="now-open"
        aria-label="Open the player"
        onClick={() => showDialog((close) => <PlayerSheet onClose={close} />)}
      >
        <CoverPicture seed={current.id} cover={current.cover} />
      </button>
      <div class="now-words">
        <TrackLink class="now-title" track={current} />
        <span class="now-artist">{current.artist}</span>
      </div>
    </div>
  );
}

function Volume() {
  const isSilent = isMuted.value || volume.value === 0;
  return (
    <div class="volume">
      <IconButton
        label="Mute"
        icon={isSilent ? "silent" : "sound"}
        aria-pressed={isMuted.value}
        title={tooltip("mute")}
        run={toggleMute}
      />
      <input
        type="range"
        aria-label="Volume"
        min="0"
        max="1"
        step="0.05"
        value={volume.value}
        aria-valuetext={`${Math.round(100 * volume.value)} %`}
        onInput={({ currentTarget }) => {
          volume.value = Number(currentTarget.value);
        }}
      />
    </div>
  );
}

const openQueue = () => showDialog((close) => <QueueDialog onClose={close} />);

/** The player's keys, wherever one is. */
function usePlayerKeys(): void {
  const hasTrack = queue.value.current !== undefined;
  const ifLoaded = <Run,>(run: Run) => (hasTrack ? run : undefined);
  useActions({
    playPause: ifLoaded(toggle),
    back: ifLoaded(() => seek(elapsedSec.value - STEP_SEC)),
    forward: ifLoaded(() => seek(elapsedSec.value + STEP_SEC)),
    previousTrack: ifLoaded(() => step(-1)),
    nextTrack: ifLoaded(() => step(1)),
    tenth: ifLoaded((key?: string) => seek((durationSec.value * Number(key)) / 10)),
    mute: toggleMute,
    matchLoudness: () => {
      isMatched.value = !isMatched.value;
    },
    loopStart: ifLoaded(() => setLoop("from")),
    loopEnd: ifLoaded(() => setLoop("to")),
    queue: openQueue,
  });
}
