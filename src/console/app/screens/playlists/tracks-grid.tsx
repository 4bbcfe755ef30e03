/** @jsxRuntime automatic @jsxImportSource preact */
// biome-ignore-all lint/a11y/useSemanticElements: rows have places of their own, which those of a table cannot
import { useRef } from "preact/hooks";
import { play } from "../../player/player.ts";
import { removeFrom } from "../../playlists/change.ts";
import { openPicker } from "../../playlists/open.tsx";
import type { Card, Row } from "../../playlists/types.ts";
import { go, place } from "../../router.ts";
import type { Shared } from "../../share/create.ts";
import { openShare } from "../../share/open.tsx";
import { useActions } from "../../ui/keys.ts";
import { useRowWindow } from "../../ui/window-rows.ts";
import { type RowRuns, TrackRow } from "./track-row.tsx";
import { useDrag } from "./use-drag.ts";
import { useOrder } from "./use-order.ts";

const COLUMNS = ["Title", "BPM", "Key", "Length", "Actions"] as const;

/** The tracks of a playlist, in an order that can be changed. Only the rows that show are drawn. */
export function TracksGrid({ playlist, rows }: { playlist: Card; rows: readonly Row[] }) {
  const body = useRef<HTMLDivElement>(null);
  const { from, to, rowPx } = useRowWindow(body, rows.length);
  const { active, at, focusRow, move, moveActive } = useOrder(playlist.id, rows, body);
  const { drag, begin } = useDrag(body, rows.length, rowPx, (drop) => void move(drop.from, drop.to));
  const runs = runsOf(playlist, rows);
  const row = rows[at];
  const isHere = () => body.current?.contains(document.activeElement) ?? false;
  const onRow = (run: (row: Row) => unknown) => () => (row && isHere() ? run(row) : undefined);
  useActions({
    previousRow: () => focusRow(isHere() ? at - 1 : at),
    nextRow: () => focusRow(isHere() ? at + 1 : at),
    firstRow: () => focusRow(0),
    lastRow: () => focusRow(rows.length - 1),
    moveUp: onRow(() => moveActive(-1)),
    moveDown: onRow(() => moveActive(1)),
    remove: onRow(runs.remove),
    addToPlaylist: onRow(runs.add),
    share: () => openShare([row && isHere() ? trackOf(row) : playlistOf(playlist)]),
  });
  return (
    <div
      class="tracks"
      role="grid"
      aria-label={`Tracks in ${playlist.name}`}
      aria-rowcount={rows.length + 1}
      tabIndex={-1}
    >
      <Columns />
      <div ref={body} class="tracks-body" role="rowgroup" style={{ height: `${rows.length * rowPx}px` }}>
        {rows.slice(from, to).map((each, offset) => (
          <TrackRow
            key={each.placeId}
            row={each}
            index={from + offset}
            count={rows.length}
            top={(from + offset) * rowPx}
            isActive={from + offset === at}
            drop={dropOf(from + offset, drag.value)}
            runs={runs}
            onFocus={() => {
              active.value = each.placeId;
            }}
            onDrag={(event) => begin(event, from + offset)}
            onMove={(index) => void move(from + offset, index)}
          />
        ))}
      </div>
    </div>
  );
}

function Columns() {
  return (
    <div class="tracks-head" role="row" aria-rowindex={1} tabIndex={-1}>
      {COLUMNS.map((name) => (
        <span key={name} role="columnheader" tabIndex={-1} class={`cell-${name.toLowerCase()}`}>
          {name === "Actions" ? <span class="sr-only">{name}</span> : name}
        </span>
      ))}
    </div>
  );
}

/** What can be done with a track of the playlist. */
function runsOf(playlist: Card, rows: readonly Row[]): RowRuns {
  const before = rows.map(({ id }) => id);
  return {
    play: (row) =>
      play({ tracks: rows, index: rows.indexOf(row), source: { key: `/library/playlists/${playlist.id}` } }),
    open: ({ id }, isWhole) =>
      go(`/library/tracks/${id}`, isWhole ? {} : { beside: place.value.path + searchOf() }),
    add: (row) => openPicker([row]),
    share: (row) => openShare([trackOf(row)]),
    remove: (row) => removeFrom(playlist.id, row, before),
  };
}

function searchOf(): string {
  const { search } = place.value;
  return search.size > 0 ? `?${search}` : "";
}

const trackOf = ({ id, title }: Row): Shared => ({ entity: "track", id, title });
const playlistOf = ({ id, name }: Card): Shared => ({ entity: "playlist", id, title: name });

/** How a row shows what is dragged. */
function dropOf(index: number, drag: { from: number; to: number } | null): string {
  if (!drag) return "";
  if (index === drag.from) return "dragged";
  if (index !== drag.to) return "";
  return drag.to > drag.from ? "drop-after" : "drop-before";
}
