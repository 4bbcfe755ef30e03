/** @jsxRuntime automatic @jsxImportSource preact */
// biome-ignore-all lint/a11y/useSemanticElements: rows have places of their own, which those of a table cannot

import { trackTitle } from "../../../shared/names.ts";
import { openTrack, trackMenu } from "../../actions/track-menu.ts";
import { href } from "../../first-data.ts";
import { CoverPlay } from "../../player/cover-play.tsx";
import { currentTrackId } from "../../player/state.ts";
import { clock } from "../../player/time.ts";
import type { Card, Row } from "../../playlists/types.ts";
import { KeptMark } from "../../pocket/kept-mark.tsx";
import { MenuButton } from "../../ui/menu.tsx";
import { MoveHandle } from "../../ui/move-handle.tsx";
import { tenths } from "../../ui/numbers.ts";
import { useLongPress } from "../../ui/table/row.tsx";

/** What can be done with a row. */
export type RowRuns = { readonly [run in "play" | "remove" | "select"]: (row: Row) => unknown };

type Props = {
  kind: Card["kind"];
  /** The list cannot be changed by this person. */
  isFixed: boolean;
  row: Row;
  index: number;
  count: number;
  /** Pixels from the top of the list. */
  top: number;
  /** True for the one row that Tab comes to. */
  isActive: boolean;
  isSelected: boolean;
  drop: string;
  runs: RowRuns;
  onFocus: () => void;
  /** The row is about to be dragged out of the list. */
  onDragOut: (event: DragEvent) => void;
  onDrag: (event: PointerEvent) => void;
  onMove: (to: number) => void;
};

/** A track in a playlist. */
export function TrackRow(props: Props) {
  const { kind, row, index, top, isActive, isSelected, drop, runs, onFocus } = props;
  const title = trackTitle({ title: null, name: row.title });
  const isCurrent = currentTrackId.value === row.id;
  const tabIndex = isActive ? 0 : -1;
  const press = useLongPress(() => runs.select(row));
  return (
    <div
      role="row"
      class={`track-row ${drop} ${isCurrent ? "is-current" : ""}`}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-label={row.artist ? `${title}, ${row.artist}` : title}
      data-place={row.placeId}
      tabIndex={tabIndex}
      style={{ transform: `translateY(${top}px)` }}
      onFocusIn={onFocus}
      draggable
      onDragStart={props.onDragOut}
      {...press.handlers}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return;
        const isFirstPlay = event.key === " " && currentTrackId.value === undefined;
        if (event.key !== "Enter" && !isFirstPlay) return;
        event.preventDefault();
        if (isFirstPlay) runs.play(row);
        else openTrack(row, event.shiftKey);
      }}
    >
      <span role="gridcell" tabIndex={-1} class="cell-select">
        <input
          type="checkbox"
          aria-label={`Select ${title}`}
          tabIndex={tabIndex}
          checked={isSelected}
          onChange={() => runs.select(row)}
        />
      </span>
      {kind === "album" && (
        <span role="gridcell" tabIndex={-1} class="cell-number">
          {index + 1}
        </span>
      )}
      <span role="gridcell" tabIndex={-1} class="cell-title">
        <CoverPlay track={row} title={title} tabIndex={tabIndex} onPlay={() => runs.play(row)} />
        <span class="track-words">
          <a class="tap" href={href(`/library/tracks/${row.id}`)} tabIndex={tabIndex}>
            {title}
          </a>
          <span class="soft">{[row.artist, !row.visible && "Hidden"].filter(Boolean).join(" · ")}</span>
          <KeptMark trackId={row.id} />
        </span>
      </span>
      <span role="gridcell" tabIndex={-1} class="cell-bpm">
        {row.bpm === null ? "" : Math.round(row.bpm)}
      </span>
      <span role="gridcell" tabIndex={-1} class="cell-key">
        {row.key ?? ""}
      </span>
      {kind === "album" && <LoudnessCell row={row} />}
      <span role="gridcell" tabIndex={-1} class="cell-length">
        {row.durationSec === null ? "" : clock(row.durationSec)}
      </span>
      <RowActions {...props} title={title} tabIndex={tabIndex} />
    </div>
  );
}

/** How loud the song is, and by how much it is louder than the one before. */
function LoudnessCell({ row: { integratedLufs, stepLu } }: { row: Row }) {
  return (
    <span role="gridcell" tabIndex={-1} class="cell-loudness">
      {integratedLufs !== null && tenths(integratedLufs)}
      {stepLu !== null && (
        <span class="soft" title="Compared with the song before">
          {` (${stepLu > 0 ? "+" : ""}${tenths(stepLu)})`}
          <span class="sr-only"> LU compared with the song before</span>
        </span>
      )}
    </span>
  );
}

function RowActions(props: Props & { title: string; tabIndex: number }) {
  const { kind, isFixed, row, index, count, title, tabIndex, runs, onDrag, onMove } = props;
  const track = { ...row, title };
  return (
    <span role="gridcell" tabIndex={-1} class="cell-actions">
      {!isFixed && (
        <MoveHandle
          title={title}
          index={index}
          count={count}
          tabIndex={tabIndex}
          onDrag={onDrag}
          onMove={onMove}
        />
      )}
      <MenuButton
        label={`More actions for ${title}`}
        tabIndex={tabIndex}
        items={() =>
          trackMenu(
            track,
            isFixed ? [] : [{ name: `Remove from ${kind}`, action: "remove", run: () => runs.remove(track) }],
          )
        }
      />
    </span>
  );
}
