/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { rowFilters, rowOrder, rowsQuery } from "../../../shared/addresses.ts";
import { type Target, tracksText } from "../../actions/bulk.ts";
import { type Chosen, SelectionBar } from "../../actions/selection-bar.tsx";
import { trackRuns } from "../../actions/track-keys.ts";
import { openTrack } from "../../actions/track-menu.ts";
import { playFrom, type TrackRow, trackRows, whereOf } from "../../actions/tracks.ts";
import { library } from "../../api/library.ts";
import { queue } from "../../player/state.ts";
import { dragTracks } from "../../playlists/drag.ts";
import { listPlace, place, setListSearch, useKept } from "../../router.ts";
import { FirstStepsAbove } from "../../start/first-steps.tsx";
import { NewsAbove } from "../../start/news.tsx";
import { showDialog } from "../../ui/dialog.tsx";
import { useActions } from "../../ui/keys.ts";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { createArrangement } from "../../ui/table/columns.ts";
import { ColumnsDialog } from "../../ui/table/columns-dialog.tsx";
import { Grid } from "../../ui/table/grid.tsx";
import type { Rows } from "../../ui/table/rows.ts";
import { createSelection, NOTHING, type Selected, type Selection } from "../../ui/table/selection.ts";
import { columnsNow } from "./columns.tsx";
import { EmptyLibrary, NothingFound } from "./empty.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { filtersOf } from "./filters.ts";
import "./library.css";
import { OnePerSong, useOnePerSong } from "./one-per-song.tsx";
import { Rail } from "./rail.tsx";
import { rowParts } from "./row-parts.tsx";

const arrangement = createArrangement("library");
/** Every track of the account, as a table of any length. */
export default function LibraryScreen() {
  const { search } = listPlace.value;
  useOnePerSong(search);
  const list = useList(search);
  const { rows, selection, active, playAt } = list;
  const total = rows.total.value;
  const isFiltered = search.has("q") || filtersOf(search).length > 0;
  const isEmpty = total === 0 && !isFiltered;
  const chosen: Chosen = {
    count: selection.count.value,
    total: total ?? 0,
    target: () => targetOf(search, selection),
    read: () => chosenRows(rows, selection),
    all: selection.all,
    clear: selection.clear,
  };
  useActions({
    // With something loaded the player has this key.
    ...(queue.value.current === undefined && !!total && { playPause: () => playAt(active.peek()) }),
    ...trackRuns(chosen, () => rows.row(active.peek())),
  });
  const openColumns = () =>
    showDialog((close) => (
      <ColumnsDialog columns={columnsNow()} arrangement={arrangement} onClose={close}>
        <OnePerSong />
      </ColumnsDialog>
    ));
  return (
    <Screen
      heading="Library"
      kind="list"
      note={total === undefined || isEmpty ? undefined : tracksText(total)}
    >
      <FirstStepsAbove />
      <NewsAbove />
      {!isEmpty && <FilterBar onColumns={openColumns} />}
      {isEmpty ? <EmptyLibrary /> : <Tracks {...list} search={search} />}
      <SelectionBar chosen={chosen} />
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
  // A selection of one list may not be meant for another.
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

/** The table, or what is shown in its place. */
function Tracks({ rows, selection, active, scrollTop, parts, playAt, search }: TracksProps) {
  const jump = useSignal<number | undefined>(undefined);
  const role = library.value;
  const columns = useMemo(columnsNow, [role]);
  if (rows.error.value !== undefined && rows.total.value === undefined)
    return <Problem error={rows.error.value} onRetry={rows.refresh} />;
  if (rows.total.value === 0) return <NothingFound />;
  return (
    <div class="list-with-rail">
      <Rail
        search={search}
        total={rows.total.value ?? 0}
        onJump={(position) => {
          jump.value = position;
        }}
      />
      <Grid<TrackRow>
        label="Tracks"
        rows={rows}
        columns={columns}
        parts={parts}
        arrangement={arrangement}
        selection={selection}
        sort={{ value: rowOrder(search), change: (sort) => setListSearch({ sort }) }}
        active={active}
        scrollTop={scrollTop}
        takesFocus={place.peek().by === "back"}
        onOpen={openTrack}
        onPlay={playAt}
        onDrag={(event, row) => {
          const selected = { count: selection.count.peek(), read: () => chosenRows(rows, selection) };
          dragTracks(event, row, selection.has(row.id) ? selected : undefined);
        }}
        jump={jump}
      />
    </div>
  );
}

/** Reads the selected rows in the order of the list: all of it where they are not among the rows read. @throws ApiError. */
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
