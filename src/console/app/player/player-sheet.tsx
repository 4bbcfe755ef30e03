/** @jsxRuntime automatic @jsxImportSource preact */
import { CoverPicture } from "../ui/cover-picture.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { BarWave } from "./bar-wave.tsx";
import { PlayerButtons, Times } from "./play-button.tsx";
import { UpNext } from "./queue-dialog.tsx";
import { isMatched, queue, speed } from "./state.ts";
import { TrackLink } from "./track-link.tsx";

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2];

/** The player at full height: cover, wave, speed and what comes next. */
export function PlayerSheet({ onClose }: { onClose: () => void }) {
  const { current } = queue.value;
  return (
    <Dialog label="Player" kind="player-sheet" onClose={onClose}>
      {current && (
        <div class="sheet-now">
          <CoverPicture seed={current.id} cover={current.cover} />
          <TrackLink class="sheet-title tap" track={current} onClick={onClose} />
          <span class="soft">{current.artist}</span>
        </div>
      )}
      <BarWave />
      <Times />
      <PlayerButtons />
      <div class="sheet-tools">
        <button
          type="button"
          class="toggle"
          aria-pressed={isMatched.value}
          onClick={() => {
            isMatched.value = !isMatched.value;
          }}
        >
          Match loudness
        </button>
        <label class="speed">
          Speed
          <select
            value={String(speed.value)}
            onChange={({ currentTarget }) => {
              speed.value = Number(currentTarget.value);
            }}
          >
            {SPEEDS.map((each) => (
              <option key={each} value={String(each)}>
                {each}×
              </option>
            ))}
          </select>
        </label>
      </div>
      <h3>Up next</h3>
      <UpNext />
    </Dialog>
  );
}
