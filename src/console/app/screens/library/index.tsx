/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { memory } from "../../memory.ts";
import { makeReady, playNext, toggle as togglePlay } from "../../player/player.ts";
import { currentTrackId, isPlaying } from "../../player/state.ts";
import { openPicker } from "../../playlists/open.tsx";
import { listPlace, setListSearch, useKept } from "../../router.ts";
import { tooltip } from "../../ui/actions.ts";
import { CoverPicture } from "../../ui/cover-picture.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useActions } from "../../ui/keys.ts";
import { MenuButton } from "../../ui/menu.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Grid } from "../../ui/table/grid.tsx";
import { isSelected, NOTHING, type Selected, setRows, toggle } from "../../ui/table/selection.ts";
import { ChooseButtons } from "../../uploads/choose.tsx";
import { menuOf, open, remove, rename, share } from "./actions.tsx";
import { change } from "./changes.ts";
import { columnsOf, shownBefore } from "./columns.tsx";
import { ColumnsButton } from "./columns-dialog.tsx";
import { clearFilters, FilterLine, isFiltered } from "./filters.tsx";
import { playFrom, toPlay } from "./playing.ts";
import { libraryRows, type TrackRow } from "./rows.ts";
import { SelectionBar, whereOf } from "./selection-bar.tsx";
import "./library.css";

const NUMBERS = new Intl.NumberFormat();

/** The whole library as a table that is filtered, sorted, selected from and changed. */
export default function LibraryScreen() {
  const { search } = listPlace.value;
  const address = search.toString();
  const rows = useMemo(() => libraryRows(search), [address]);
  const selected = useKept<Selected>("selected", NOTHING);
  const active = useKept<string | undefined>("active", undefined);
  const shown = useSignal(shownBefore());
  useEffect(() => rows.show(), [rows]);
  // The rows of before stay until those of another filter or order are there.
  const before = useRef({ rows, address });
  if (rows.total.value !== undefined) before.current = { rows, address };
  const seen = before.current;
  const total = seen.rows.total.value;
  useRowActions(seen.rows, selected, active);
  const setShown = (ids: readonly string[]) => {
    shown.value = ids;
    memory.set("library.columns", ids);
  };
  const isEmpty = total === 0;
  return (
    <Screen
      heading="Library"
      kind="list"
      note={total === undefined ? "" : NUMBERS.format(total)}
      tools={<ColumnsButton shown={shown.value} onChange={setShown} />}
    >
      {!(isEmpty && !isFiltered(search)) && <FilterLine />}
      {rows.error.value !== undefined && total === undefined && (
        <Problem error={rows.error.value} onRetry={rows.reload} />
      )}
      {isEmpty && (isFiltered(search) ? <NothingFits /> : <Nothing />)}
      {total !== undefined && total > 0 && (
        <Grid
          key={seen.address}
          label="Tracks"
          rows={seen.rows}
          rowPx={rowHeightPx()}
          columns={columnsOf(shown.value)}
          sort={search.get("sort") ?? "-created_at"}
          onSort={(sort) => setListSearch({ sort })}
          nameOf={nameOf}
          selected={selected}
          active={active}
          onOpen={(row, isWhole) => open(row, isWhole)}
          lead={(row) => <Lead row={row} rows={seen.rows} selected={selected} active={active} />}
          tail={(row) => <Tail row={row} />}
          rowClass={(row) =>
            `${row.visible ? "" : "is-hidden"} ${currentTrackId.value === row.id ? "is-playing" : ""}`
          }
        />
      )}
      <SelectionBar selected={selected} rows={seen.rows} total={total ?? 0} />
    </Screen>
  );
}

const nameOf = ({ title, artist }: TrackRow) => `${title}, ${artist ?? "unknown artist"}`;

/** The height of a row, which the style sheet decides: fingers need more of it. */
function rowHeightPx(): number {
  const { documentElement } = document;
  const rem = Number.parseFloat(getComputedStyle(documentElement).fontSize);
  return Number.parseFloat(getComputedStyle(documentElement).getPropertyValue("--row")) * rem;
}

type RowsOf = ReturnType<typeof libraryRows>;

/** Keys for the row that has the focus, or for the selection. */
function useRowActions(rows: RowsOf, selected: Signal<Selected>, active: Signal<string | undefined>): void {
  const row = (): TrackRow | undefined => {
    const at = active.value === undefined ? undefined : rows.indexOf(active.value);
    return at === undefined ? undefined : rows.at(at);
  };
  const hasSelection = useComputed(() => !("ids" in selected.value) || selected.value.ids.length > 0);
  const withRow = (act: (row: TrackRow) => void) => () => {
    const current = row();
    if (current) act(current);
  };
  useActions({
    select: withRow(({ id }) => toggle(selected, id)),
    playPause: () => {
      const current = row();
      if (!togglePlay() && current) playFrom(rows, current);
    },
    playNext: withRow((current) => playNext([toPlay(current)])),
    open: withRow((current) => open(current)),
    openWhole: withRow((current) => open(current, true)),
    share: withRow(share),
    addToPlaylist: withRow((current) => openPicker([current])),
    rename: withRow(rename),
    versions: withRow((current) => open(current, false, "versions")),
    remove: hasSelection.value
      ? () => {
          const where = whereOf(selected.value);
          selected.value = NOTHING;
          void change(where, { delete: true }, (count) => `${count} deleted`);
        }
      : withRow(remove),
    close: hasSelection.value
      ? () => {
          selected.value = NOTHING;
        }
      : undefined,
  });
}

type LeadProps = {
  row: TrackRow;
  rows: RowsOf;
  selected: Signal<Selected>;
  active: Signal<string | undefined>;
};

/** The box that selects a row, with Shift all rows from the one before, and the cover that plays it. */
function Lead({ row, rows, selected, active }: LeadProps) {
  const isSounding = currentTrackId.value === row.id && isPlaying.value;
  const onClick = async (event: MouseEvent) => {
    const from = active.value === undefined ? undefined : rows.indexOf(active.value);
    const to = rows.indexOf(row.id);
    if (!event.shiftKey || from === undefined || to === undefined) {
      toggle(selected, row.id);
      return;
    }
    const between = await rows.between(Math.min(from, to), Math.max(from, to));
    setRows(
      selected,
      between.map(({ id }) => id),
      true,
    );
  };
  return (
    <>
      <input
        type="checkbox"
        class="row-check"
        aria-label={`Select ${row.title}`}
        tabIndex={-1}
        checked={isSelected(selected.value, row.id)}
        // The focus would move to the row before the click tells where a range begins.
        onPointerDown={(event) => event.preventDefault()}
        onClick={(event) => void onClick(event)}
      />
      <button
        type="button"
        class="row-play"
        tabIndex={-1}
        aria-label={`${isSounding ? "Pause" : "Play"} ${row.title}`}
        onPointerDown={() => makeReady(row.id)}
        onClick={() => playFrom(rows, row)}
      >
        <CoverPicture seed={row.id} cover={row.cover} />
        <Icon name={isSounding ? "pause" : "play"} />
      </button>
    </>
  );
}

function Tail({ row }: { row: TrackRow }) {
  return (
    <>
      <button
        type="button"
        class="icon-button"
        tabIndex={-1}
        aria-label={`Share ${row.title}`}
        onClick={() => share(row)}
      >
        <Icon name="share" />
      </button>
      <MenuButton label={`More actions for ${row.title}`} tabIndex={-1} items={() => menuOf(row)}>
        <Icon name="more" />
      </MenuButton>
    </>
  );
}

function NothingFits() {
  return (
    <Empty heading="No track fits these filters">
      <button type="button" class="button secondary" onClick={clearFilters}>
        Clear filters
      </button>
      <a class="button quiet" href={`${listPlace.value.path}/search`} title={tooltip("searchField")}>
        Search by description instead
      </a>
    </Empty>
  );
}

function Nothing() {
  return (
    <Empty heading="Drop your music here">
      <p class="soft">Files or whole folders, anywhere in this window.</p>
      <ChooseButtons />
    </Empty>
  );
}
