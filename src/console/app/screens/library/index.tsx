/** @jsxRuntime automatic @jsxImportSource preact */
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { rowFilters, rowOrder, rowsQuery } from "../../../shared/addresses.ts";
import { deleteTracks, type Target, tracksText } from "../../actions/bulk.ts";
import { openRename } from "../../actions/rename.tsx";
import { openTag } from "../../actions/tag.tsx";
import { playFrom, type TrackRow, toPlayer, trackRows, whereOf } from "../../actions/tracks.ts";
import { playNext } from "../../player/player.ts";
import { queue } from "../../player/state.ts";
import { openPicker } from "../../playlists/open.tsx";
import { go, listPlace, place, setListSearch, useKept } from "../../router.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { useActions } from "../../ui/keys.ts";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { createArrangement } from "../../ui/table/columns.ts";
import { ColumnsDialog } from "../../ui/table/columns-dialog.tsx";
import { Grid } from "../../ui/table/grid.tsx";
import type { Rows } from "../../ui/table/rows.ts";
import { createSelection, NOTHING, type Selected, type Selection } from "../../ui/table/selection.ts";
import { toastError } from "../../ui/toast.tsx";
import { COLUMNS } from "./columns.tsx";
import { EmptyLibrary, NothingFound } from "./empty.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { filtersOf } from "./filters.ts";
import "./library.css";
import { rowParts, shareTracks } from "./row-parts.tsx";
import { SelectionBar } from "./selection-bar.tsx";

const arrangement = createArrangement("library");
/** Every track of the account, as a table of any length. */
export default function LibraryScreen() {
  const { search } = listPlace.value;
  const list = useList(search);
  const { rows, selection, active, playAt } = list;
  const total = rows.total.value;
  const isFiltered = search.has("q") || filtersOf(search).length > 0;
  const isEmpty = total === 0 && !isFiltered;
  const target = () => targetOf(search, selection);
  const playActive = () => playAt(active.peek());
  useTrackKeys({ rows, selection, active: () => rows.row(active.peek()), target, playActive });
  const openColumns = () =>
    showDialog((close) => <ColumnsDialog columns={COLUMNS} arrangement={arrangement} onClose={close} />);
  return (
    <Screen
      heading="Library"
      kind="list"
      note={total === undefined || isEmpty ? undefined : tracksText(total)}
    >
      {!isEmpty && <FilterBar onColumns={openColumns} />}
      {isEmpty ? <EmptyLibrary /> : <Tracks {...list} search={search} />}
      <SelectionBar
        rows={rows}
        selection={selection}
        target={target}
        chosen={() => chosenRows(rows, selection)}
      />
    </Screen>
  );
}

/** The rows of an address, and where in them one is. The rows of before stay until the new ones are there. */
function useList(search: URLSearchParams) {
  const wanted = trackRows(search);
  useEffect(() => wanted.show(), [wanted]);
  const before = useRef(wanted);
  if (wanted.total.value !== undefined || wanted.error.value !== undefined) before.current = wanted;
  const rows = before.current;
  const selected = useKept<Selected>("selected", NOTHING);
  const active = useKept("active", 0);
  const scrollTop = useKept("scrollTop", 0);
  const selection = useMemo(() => createSelection(selected, rows.total), [selected, rows]);
  const playAt = (index: number) => playFrom(listPlace.peek().search, rows, index);
  const parts = useMemo(() => rowParts(playAt), [rows]);
  useOnChange(rowsQuery(search).toString(), () => {
    active.value = 0;
    scrollTop.value = 0;
  });
  // What was selected of one list may not be meant of another.
  useOnChange(rowFilters(search).toString(), () => selection.clear());
  return { rows, selection, active, scrollTop, parts, playAt };
}

function useOnChange(value: string, run: () => void): void {
  const before = useRef(value);
  useLayoutEffect(() => {
    if (before.current !== value) run();
    before.current = value;
  });
}

type TracksProps = ReturnType<typeof useList> & { search: URLSearchParams };

/** The table, or what stands in its place. */
function Tracks({ rows, selection, active, scrollTop, parts, playAt, search }: TracksProps) {
  if (rows.error.value !== undefined && rows.total.value === undefined)
    return <Problem error={rows.error.value} onRetry={rows.refresh} />;
  if (rows.total.value === 0) return <NothingFound />;
  return (
    <Grid<TrackRow>
      label="Tracks"
      rows={rows}
      columns={COLUMNS}
      parts={parts}
      arrangement={arrangement}
      selection={selection}
      sort={{ value: rowOrder(search), change: (sort) => setListSearch({ sort }) }}
      active={active}
      scrollTop={scrollTop}
      takesFocus={place.peek().by === "back"}
      onOpen={({ id }, isWhole) =>
        go(`/library/tracks/${id}`, isWhole ? {} : { beside: listPlace.peek().address })
      }
      onPlay={playAt}
    />
  );
}

/** Reads the selected rows in the order of the list: all of it where they are not among what was read. @throws ApiError. */
async function chosenRows(rows: Rows<TrackRow>, selection: Selection): Promise<TrackRow[]> {
  const isChosen = (row: TrackRow) => selection.has(row.id);
  const read = rows.loaded().flatMap(({ row }) => (isChosen(row) ? [row] : []));
  if (read.length === selection.count.peek()) return read;
  return (await rows.between(0, (rows.total.peek() ?? 0) - 1)).filter(isChosen);
}

/** What a change of the selection is about: ids, or the filter when everything is selected. */
function targetOf(search: URLSearchParams, selection: Selection): Target {
  const { isAll, ids } = selection.selected.peek();
  const where = isAll ? whereOf(search, ids) : { ids: [...ids] };
  return { where, count: selection.count.peek() };
}

type KeysOf = {
  rows: Rows<TrackRow>;
  selection: Selection;
  active: () => TrackRow | undefined;
  target: () => Target;
  playActive: () => void;
};

/** The keys for tracks: they are about the selection, or without one about the active row. */
function useTrackKeys({ rows, selection, active, target, playActive }: KeysOf): void {
  const hasRows = (rows.total.value ?? 0) > 0;
  const isNothing = selection.count.value === 0;
  const meant = () => {
    const row = active();
    return isNothing && row ? { where: { ids: [row.id] }, count: 1 } : target();
  };
  /** With the selected rows, or the active one. */
  const about = (run: (rows: readonly TrackRow[]) => unknown) => () => {
    const row = active();
    const chosen = isNothing && row ? Promise.resolve([row]) : chosenRows(rows, selection);
    chosen.then(run).catch(toastError);
  };
  const one = (run: (row: TrackRow) => unknown) => () => {
    const row = active();
    if (row) run(row);
  };
  useActions({
    // With something loaded the player has this key.
    ...(queue.value.current === undefined && hasRows && { playPause: playActive }),
    ...(!isNothing && { close: selection.clear }),
    ...(hasRows && {
      share: about(shareTracks),
      addToPlaylist: about(openPicker),
      tag: () => openTag(meant()),
      rename: one(openRename),
      versions: one(({ id }) => go(`/library/tracks/${id}?tab=versions`)),
      playNext: one((row) => playNext([toPlayer(row)])),
      remove: () => deleteTracks(meant()).then(selection.clear),
    }),
  });
}
