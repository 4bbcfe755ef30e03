/** @jsxRuntime automatic @jsxImportSource preact */
import { shareTracks, trackMenu } from "../../actions/track-menu.ts";
import type { TrackRow } from "../../actions/tracks.ts";
import { toggle } from "../../player/player.ts";
import { currentTrackId, isPlaying } from "../../player/state.ts";
import { tooltip } from "../../ui/actions.ts";
import { RowPicture } from "../../ui/cover-picture.tsx";
import { Icon } from "../../ui/icon.tsx";
import { MenuButton } from "../../ui/menu.tsx";
import type { RowParts } from "../../ui/table/row.tsx";

/** What the Library says of its rows. `playAt` plays the list from a row on. */
export const rowParts = (playAt: (index: number) => void): RowParts<TrackRow> => ({
  idOf: ({ id }) => id,
  titleOf: ({ title }) => title,
  nameOf: ({ title, artist }) => (artist ? `${title}, ${artist}` : title),
  lead: (row, index) => <PlayCell row={row} onPlay={() => playAt(index)} />,
  actions: (row) => (
    <>
      <button
        type="button"
        class="icon-button share-button"
        tabIndex={-1}
        aria-label={`Share ${row.title}`}
        title={tooltip("share")}
        onClick={() => void shareTracks([row])}
      >
        <Icon name="share" />
      </button>
      <MenuButton label={`More actions for ${row.title}`} tabIndex={-1} items={() => trackMenu(row)} />
    </>
  ),
});

/** The cover; above it, the button that plays. */
function PlayCell({ row, onPlay }: { row: TrackRow; onPlay: () => void }) {
  const isCurrent = currentTrackId.value === row.id;
  const isOn = isCurrent && isPlaying.value;
  return (
    <div class={`play-cell ${isCurrent ? "current" : ""}`}>
      <RowPicture seed={row.id} cover={row.cover} />
      <button
        type="button"
        class="play-cell-button"
        tabIndex={-1}
        aria-label={`${isOn ? "Pause" : "Play"} ${row.title}`}
        onClick={() => {
          if (isCurrent) toggle();
          else onPlay();
        }}
      >
        <Icon name={isOn ? "pause" : "play"} />
      </button>
    </div>
  );
}
