/** @jsxRuntime automatic @jsxImportSource preact */
import { RowPicture } from "../ui/cover-picture.tsx";
import { Icon } from "../ui/icon.tsx";
import { toggle } from "./player.ts";
import { currentTrackId, isPlaying } from "./state.ts";

type CoverPlayProps = {
  track: { id: string; cover: string | null };
  title: string;
  tabIndex?: number;
  /** Plays it; the track that is loaded plays on or pauses by itself. */
  onPlay: () => void;
};

/** The cover of a row, which plays its track. */
export function CoverPlay({ track: { id, cover }, title, tabIndex = -1, onPlay }: CoverPlayProps) {
  const isCurrent = currentTrackId.value === id;
  const isOn = isCurrent && isPlaying.value;
  return (
    <button
      type="button"
      class={isCurrent ? "cover-play is-on" : "cover-play"}
      aria-label={`${isOn ? "Pause" : "Play"} ${title}`}
      tabIndex={tabIndex}
      onClick={() => (isCurrent ? toggle() : onPlay())}
    >
      <RowPicture seed={id} cover={cover} />
      <span class="cover-play-sign">
        <Icon name={isOn ? "pause" : "play"} />
      </span>
    </button>
  );
}
