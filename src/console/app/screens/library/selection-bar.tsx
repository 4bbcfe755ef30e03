/** @jsxRuntime automatic @jsxImportSource preact */
import { analyseAgain, deleteTracks, setVisible, type Target } from "../../actions/bulk.ts";
import { download } from "../../actions/download.ts";
import { openTag } from "../../actions/tag.tsx";
import { type TrackRow, toPlayer } from "../../actions/tracks.ts";
import { play } from "../../player/player.ts";
import { openPicker } from "../../playlists/open.tsx";
import { type ActionId, tooltip } from "../../ui/actions.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Rows } from "../../ui/table/rows.ts";
import type { Selection } from "../../ui/table/selection.ts";
import { toastError } from "../../ui/toast.tsx";
import { shareTracks } from "./row-parts.tsx";

const counts = new Intl.NumberFormat("en");

type BarProps = {
  rows: Rows<TrackRow>;
  selection: Selection;
  target: () => Target;
  /** Reads the selected rows, in the order of the list. */
  chosen: () => Promise<TrackRow[]>;
};

/** What can be done to everything that is selected. */
export function SelectionBar({ rows, selection, target, chosen }: BarProps) {
  const count = selection.count.value;
  const total = rows.total.value ?? 0;
  if (count === 0) return null;
  const withRows = (run: (rows: readonly TrackRow[]) => unknown) => () =>
    chosen().then(run).catch(toastError);
  const deeds: readonly (readonly [name: string, run: () => unknown, action?: ActionId])[] = [
    ["Play", withRows(playChosen)],
    ["Add to playlist…", withRows(openPicker), "addToPlaylist"],
    ["Tag…", () => openTag(target()), "tag"],
    ["Share…", withRows(shareTracks), "share"],
    ["Hide", () => setVisible(target(), false)],
    ["Show", () => setVisible(target(), true)],
    ["Analyse again", () => analyseAgain(target())],
    ["Download", withRows(download)],
    ["Delete", () => deleteTracks(target()).then(selection.clear), "remove"],
  ];
  return (
    <div class="selection-bar" role="toolbar" aria-label="Selection">
      <button
        type="button"
        class="icon-button selection-clear"
        aria-label="Clear selection"
        title={tooltip("close", "Clear selection")}
        onClick={selection.clear}
      >
        <Icon name="close" />
      </button>
      <span class="selection-count">{counts.format(count)} selected</span>
      {count < total && (
        <button type="button" class="button quiet small" onClick={selection.all}>
          Select all {counts.format(total)}
        </button>
      )}
      <span class="selection-deeds">
        {deeds.map(([name, run, action]) => (
          <button
            key={name}
            type="button"
            class={`button quiet small ${name === "Delete" ? "danger-text" : ""}`}
            {...(action && { title: tooltip(action, name) })}
            onClick={() => void run()}
          >
            {name}
          </button>
        ))}
      </span>
    </div>
  );
}

function playChosen(rows: readonly TrackRow[]): void {
  const source = { key: `selection ${rows.map(({ id }) => id).join(" ")}` };
  if (rows.length > 0) play({ tracks: rows.map(toPlayer), index: 0, source });
}
