/** @jsxRuntime automatic @jsxImportSource preact */
import { shareTracks, trackMenu } from "../../actions/track-menu.ts";
import type { TrackRow } from "../../actions/tracks.ts";
import { can } from "../../api/library.ts";
import { CoverPlay } from "../../player/cover-play.tsx";
import { tooltip } from "../../ui/actions.ts";
import { Icon } from "../../ui/icon.tsx";
import { MenuButton } from "../../ui/menu.tsx";
import type { RowParts } from "../../ui/table/row.tsx";

/** What the Library says of its rows. `playAt` plays the list from a row on. */
export const rowParts = (playAt: (index: number) => void): RowParts<TrackRow> => ({
  idOf: ({ id }) => id,
  titleOf: ({ title }) => title,
  nameOf: ({ title, artist }) => (artist ? `${title}, ${artist}` : title),
  lead: (row, index) => <CoverPlay track={row} title={row.title} onPlay={() => playAt(index)} />,
  actions: (row) => (
    <>
      {can("create:shares") && (
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
      )}
      <MenuButton label={`More actions for ${row.title}`} tabIndex={-1} items={() => trackMenu(row)} />
    </>
  ),
});
