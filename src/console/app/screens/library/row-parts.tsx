/** @jsxRuntime automatic @jsxImportSource preact */
import { analyseAgain, deleteTracks, setVisible, these } from "../../actions/bulk.ts";
import { download } from "../../actions/download.ts";
import { openRename } from "../../actions/rename.tsx";
import { type TrackRow, toPlayer } from "../../actions/tracks.ts";
import { addToQueue, makeReady, playNext, toggle } from "../../player/player.ts";
import { currentTrackId, isPlaying } from "../../player/state.ts";
import { openPicker } from "../../playlists/open.tsx";
import { go, listPlace } from "../../router.ts";
import { openShare } from "../../share/open.tsx";
import { tooltip } from "../../ui/actions.ts";
import { CoverPicture } from "../../ui/cover-picture.tsx";
import { Icon } from "../../ui/icon.tsx";
import { MenuButton, type MenuItem } from "../../ui/menu.tsx";
import type { RowParts } from "../../ui/table/row.tsx";

/** What the Library says of its rows. `playAt` plays the list from a row on. */
export const rowParts = (playAt: (index: number) => void): RowParts<TrackRow> => ({
  idOf: ({ id }) => id,
  titleOf: ({ title }) => title,
  nameOf: ({ title, artist }) => (artist ? `${title}, ${artist}` : title),
  lead: (row, index) => <PlayCell row={row} onPlay={() => playAt(index)} />,
  actions: (row, index) => (
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
      <MenuButton
        label={`More actions for ${row.title}`}
        tabIndex={-1}
        items={() => rowMenu(row, () => playAt(index))}
      >
        <Icon name="more" />
      </MenuButton>
    </>
  ),
});

/** The cover; above it, the button that plays. */
function PlayCell({ row, onPlay }: { row: TrackRow; onPlay: () => void }) {
  const isCurrent = currentTrackId.value === row.id;
  const isOn = isCurrent && isPlaying.value;
  return (
    <div class={`play-cell ${isCurrent ? "current" : ""}`}>
      <CoverPicture seed={row.id} cover={row.cover} />
      <button
        type="button"
        class="play-cell-button"
        tabIndex={-1}
        aria-label={`${isOn ? "Pause" : "Play"} ${row.title}`}
        onPointerEnter={() => makeReady(row.id)}
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

/** Everything that can be done to a track. */
function rowMenu(row: TrackRow, onPlay: () => void): MenuItem[] {
  const [path, target] = [`/library/tracks/${row.id}`, these([row])];
  return [
    { name: "Open", action: "open", run: () => go(path, { beside: listPlace.peek().address }) },
    { name: "Play", run: onPlay },
    { name: "Play next", action: "playNext", run: () => playNext([toPlayer(row)]) },
    { name: "Add to queue", run: () => addToQueue([toPlayer(row)]) },
    { name: "Add to playlist…", action: "addToPlaylist", run: () => openPicker([row]) },
    { name: "More like this", run: () => go(`/library/search?like=${row.id}`) },
    null,
    { name: "Share…", action: "share", run: () => shareTracks([row]) },
    { name: "New version…", action: "versions", run: () => go(`${path}?tab=versions`) },
    { name: "Rename", action: "rename", run: () => openRename(row) },
    {
      name: row.visible ? "Hide from library" : "Show in library",
      run: () => setVisible(target, !row.visible),
    },
    { name: "Analyse again", run: () => analyseAgain(target) },
    { name: "Download", run: () => download([row]) },
    null,
    { name: "Delete", action: "remove", isDanger: true, run: () => deleteTracks(target) },
  ];
}

/** Opens the dialog that makes links to tracks. */
export function shareTracks(rows: readonly TrackRow[]): Promise<void> {
  return openShare(rows.map(({ id, title }) => ({ entity: "track", id, title })));
}
