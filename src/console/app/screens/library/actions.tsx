/** @jsxRuntime automatic @jsxImportSource preact */
import { addToQueue, playNext } from "../../player/player.ts";
import { openPicker } from "../../playlists/open.tsx";
import { go, listPlace } from "../../router.ts";
import { openShare } from "../../share/open.tsx";
import { Dialog, showDialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { change, download } from "./changes.ts";
import { toPlay } from "./playing.ts";
import type { TrackRow } from "./rows.ts";

const only = ({ id }: TrackRow) => ({ ids: [id] });

/** Opens a track beside the list, or over the whole window. */
export function open({ id }: { id: string }, isWhole = false, tab?: string): void {
  const { path, search } = listPlace.value;
  const to = tab === undefined ? `/library/tracks/${id}` : `/library/tracks/${id}?tab=${tab}`;
  if (isWhole) go(to);
  else go(to, { beside: search.size > 0 ? `${path}?${search}` : path });
}

/** Opens the dialog that makes links to a track. */
export const share = ({ id, title }: TrackRow): void => void openShare([{ entity: "track", id, title }]);

/** Asks for another title. */
export function rename(row: TrackRow): void {
  showDialog((close) => (
    <Dialog label={`Rename ${row.title}`} onClose={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const title = String(new FormData(event.currentTarget).get("title")).trim();
          close();
          if (title !== "" && title !== row.title)
            void change(only(row), { details: { title } }, () => `Renamed to ${title}`);
        }}
      >
        <Field label="Title" name="title" value={row.title} maxLength={200} required autofocus />
        <div class="dialog-actions">
          <button type="button" class="button quiet" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="button">
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  ));
}

/** Moves a track into the bin. */
export const remove = (row: TrackRow): void =>
  void change(only(row), { delete: true }, (count) => `${count} deleted`);

/** Has a track analysed again. */
export const analyseAgain = (row: TrackRow): void =>
  void change(only(row), { retag: true }, () => `${row.title} will be analysed again`);

/** Shows a track in the library that sharing and search see, or hides it. */
export function setVisible(row: TrackRow, visible: boolean): void {
  void change(only(row), { visible }, (count) => `${count} ${visible ? "shown" : "hidden"}`);
}

/** Everything that can be done with a row. */
export function menuOf(row: TrackRow): readonly MenuItem[] {
  return [
    { name: "Open", action: "open", run: () => open(row) },
    { name: "Play next", action: "playNext", run: () => playNext([toPlay(row)]) },
    { name: "Add to queue", run: () => addToQueue([toPlay(row)]) },
    { name: "Add to playlist…", action: "addToPlaylist", run: () => openPicker([row]) },
    { name: "More like this", run: () => go(`/library/search?like=${row.id}`) },
    { name: "Share…", action: "share", run: () => share(row) },
    null,
    { name: "New version…", action: "versions", run: () => open(row, false, "versions") },
    { name: "Rename", action: "rename", run: () => rename(row) },
    {
      name: row.visible ? "Hide from library" : "Show in library",
      run: () => setVisible(row, !row.visible),
    },
    { name: "Analyse again", run: () => analyseAgain(row) },
    { name: "Download", run: () => download(row.id) },
    null,
    { name: "Delete", action: "remove", isDanger: true, run: () => remove(row) },
  ];
}
