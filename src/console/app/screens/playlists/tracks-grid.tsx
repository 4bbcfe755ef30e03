/** @jsxRuntime automatic @jsxImportSource preact */
// biome-ignore-all lint/a11y/useSemanticElements: rows have places of their own, which those of a table cannot
import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { openRename } from "../../actions/rename.tsx";
import { type Chosen, SelectionBar } from "../../actions/selection-bar.tsx";
import { trackRuns } from "../../actions/track-keys.ts";
import { shareTracks } from "../../actions/track-menu.ts";
import { can, canChange } from "../../api/library.ts";
import { removeFrom } from "../../playlists/change.ts";
import { dragTracks } from "../../playlists/drag.ts";
import type { Card, Row } from "../../playlists/types.ts";
import { useKept } from "../../router.ts";
import { openShare } from "../../share/open.tsx";
import { useActions } from "../../ui/keys.ts";
import { dropClass } from "../../ui/move-handle.tsx";
import { useDrag } from "../../ui/use-drag.ts";
import { useRowWindow } from "../../ui/window-rows.ts";
import { playRows } from "./play-rows.ts";
import { type RowRuns, TrackRow } from "./track-row.tsx";
import { useOrder } from "./use-order.ts";

const COLUMNS = {
  playlist: ["Select", "Title", "BPM", "Key", "Length", "Actions"],
  album: ["Select", "Number", "Title", "BPM", "Key", "Loudness", "Length", "Actions"],
} as const;

/** Columns whose cells need no heading that shows. */
const HEADLESS: readonly string[] = ["Actions", "Select", "Number"];

/** Page up and page down. */
const PAGE_ROWS = 10;

type GridProps = { playlist: Card; rows: readonly Row[]; onRename: () => void };

/** The tracks of a playlist, in an order that can be changed. Only the rows that show are drawn. */
export function TracksGrid({ playlist, rows, onRename }: GridProps) {
  const body = useRef<HTMLDivElement>(null);
  const { from, to, rowPx } = useRowWindow(body, rows.length);
  const order = useOrder(playlist.id, rows, body);
  const { active, at, move } = order;
  const { drag, begin } = useDrag(body, rows.length, rowPx, (drop) => void move(drop.from, drop.to));
  const selected = useKept<readonly number[]>("selected", []);
  const chosenRows = rows.filter(({ placeId }) => selected.value.includes(placeId));
  const chosen = chosenOf(rows, chosenRows, selected);
  const runs = runsOf(playlist, rows, selected);
  const isOurs = canChange(playlist);
  const remove = useListKeys({ playlist, rows, onRename, body, order, runs, chosen, chosenRows });
  return (
    <>
      <div
        class={`tracks ${playlist.kind}-tracks ${chosen.count > 0 ? "is-selecting" : ""}`}
        role="grid"
        aria-label={`Tracks in ${playlist.name}`}
        aria-rowcount={rows.length + 1}
        tabIndex={-1}
      >
        <Columns kind={playlist.kind} />
        <div ref={body} class="tracks-body" role="rowgroup" style={{ height: `${rows.length * rowPx}px` }}>
          {rows.slice(from, to).map((each, offset) => (
            <TrackRow
              key={each.placeId}
              kind={playlist.kind}
              isFixed={!isOurs}
              row={each}
              index={from + offset}
              count={rows.length}
              top={(from + offset) * rowPx}
              isActive={from + offset === at}
              isSelected={selected.value.includes(each.placeId)}
              drop={dropClass(from + offset, drag.value)}
              runs={runs}
              onFocus={() => {
                active.value = each.placeId;
              }}
              onDragOut={(event) => dragTracks(event, each, chosenRows.includes(each) ? chosen : undefined)}
              onDrag={(event) => begin(event, from + offset)}
              onMove={(index) => void move(from + offset, index)}
            />
          ))}
        </div>
      </div>
      <SelectionBar
        chosen={chosen}
        name={playlist.name}
        more={isOurs ? [{ name: `Remove from ${playlist.kind}`, action: "remove", run: remove }] : []}
      />
    </>
  );
}

type KeysOf = GridProps & {
  body: RefObject<HTMLElement | null>;
  order: ReturnType<typeof useOrder>;
  runs: RowRuns;
  chosen: Chosen;
  chosenRows: readonly Row[];
};

/** The keys of the list. Returns what removes the selected tracks, or the row that has the focus. */
function useListKeys({ playlist, rows, onRename, body, order, runs, chosen, chosenRows }: KeysOf) {
  const { at, focusRow, moveActive } = order;
  const isOurs = canChange(playlist);
  const isHere = () => body.current?.contains(document.activeElement) ?? false;
  const current = () => (isHere() ? rows[at] : undefined);
  const remove = () => {
    const row = current();
    const gone = chosenRows.length > 0 ? chosenRows : row ? [row] : [];
    if (gone.length > 0) void removeFrom(playlist.id, gone, idsOf(rows)).then(chosen.clear);
  };
  const extendBy = (by: 1 | -1) => {
    const [row, next] = [current(), rows[at + by]];
    if (!row || !next) return;
    for (const each of [row, next]) if (!chosenRows.includes(each)) runs.select(each);
    focusRow(at + by);
  };
  const one = (run: (row: Row) => unknown) => () => {
    const row = current();
    if (row) run(row);
  };
  useActions({
    ...trackRuns(chosen, current),
    previousRow: () => focusRow(isHere() ? at - 1 : at),
    nextRow: () => focusRow(isHere() ? at + 1 : at),
    firstRow: () => focusRow(0),
    lastRow: () => focusRow(rows.length - 1),
    pageUp: () => focusRow(at - PAGE_ROWS),
    pageDown: () => focusRow(at + PAGE_ROWS),
    ...(isOurs && { moveUp: one(() => moveActive(-1)), moveDown: one(() => moveActive(1)) }),
    select: one(runs.select),
    extendUp: () => extendBy(-1),
    extendDown: () => extendBy(1),
    selectAll: chosen.all,
    // The key removes places from a list, and tracks nowhere.
    remove: isOurs ? remove : undefined,
    // Without a row, these are about the playlist.
    ...(chosen.count === 0 && {
      share: () => (isHere() ? one((row) => shareTracks([row]))() : sharePlaylist(playlist)),
      rename: () => {
        if (!isHere()) return isOurs && onRename();
        return can("update:tracks") && one(openRename)();
      },
    }),
  });
  return remove;
}

function Columns({ kind }: Pick<Card, "kind">) {
  return (
    <div class="tracks-head" role="row" aria-rowindex={1} tabIndex={-1}>
      {COLUMNS[kind].map((name) => (
        <span key={name} role="columnheader" tabIndex={-1} class={`cell-${name.toLowerCase()}`}>
          {HEADLESS.includes(name) ? <span class="sr-only">{name}</span> : name}
        </span>
      ))}
    </div>
  );
}

/** What can be done with a track of the playlist. */
function runsOf(playlist: Card, rows: readonly Row[], selected: Signal<readonly number[]>): RowRuns {
  return {
    play: (row) => playRows(playlist, rows, rows.indexOf(row)),
    select: ({ placeId }) => {
      const before = selected.value;
      selected.value = before.includes(placeId)
        ? before.filter((each) => each !== placeId)
        : [...before, placeId];
    },
    remove: (row) => removeFrom(playlist.id, [row], idsOf(rows)),
  };
}

/** The selection is of places: a track may be there twice. */
function chosenOf(rows: readonly Row[], chosen: readonly Row[], selected: Signal<readonly number[]>): Chosen {
  return {
    count: chosen.length,
    total: rows.length,
    target: () => ({ where: { ids: [...new Set(idsOf(chosen))] }, count: new Set(idsOf(chosen)).size }),
    read: async () => chosen,
    all: () => {
      selected.value = rows.map(({ placeId }) => placeId);
    },
    clear: () => {
      selected.value = [];
    },
  };
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

/** Opens the dialog that makes links to a playlist. */
export const sharePlaylist = ({ id, name }: Card): Promise<void> =>
  openShare([{ entity: "playlist", id, title: name }]);
