/** @jsxRuntime automatic @jsxImportSource preact */
import { href } from "../../first-data.ts";
import { memory } from "../../memory.ts";
import type { Column } from "../../ui/table/grid-row.tsx";
import { analyseAgain } from "./actions.tsx";
import type { TrackRow } from "./rows.ts";

const MAX_CHIPS = 2;
const DAYS = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const TEMPI = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Returns a length as `3:40`. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Every column of the Library, in the order of a new browser. The title cannot be hidden. */
export const COLUMNS: readonly Column<TrackRow>[] = [
  {
    id: "title",
    width: "minmax(12rem, 2.5fr)",
    name: "Title",
    sort: "name",
    cell: (row) => <Title row={row} />,
  },
  {
    id: "version",
    width: "minmax(3.5rem, 0.75fr)",
    name: "Version",
    sort: "versions",
    isDescendingFirst: true,
    cell: ({ activeLabel, versions }) => (
      <span class="clip">
        {activeLabel ?? (versions === 1 ? "" : "Original")}
        {versions > 1 && <span class="soft"> of {versions}</span>}
      </span>
    ),
  },
  {
    id: "bpm",
    width: "3.5rem",
    name: "BPM",
    sort: "bpm",
    isFigure: true,
    cell: ({ bpm }) => (bpm === null ? "" : TEMPI.format(bpm)),
  },
  { id: "key", width: "4.75rem", name: "Key", sort: "key", cell: ({ key }) => key ?? "" },
  {
    id: "length",
    width: "3.75rem",
    name: "Length",
    sort: "duration",
    isFigure: true,
    cell: ({ durationSec }) => (durationSec === null ? "" : clock(durationSec)),
  },
  {
    id: "tags",
    width: "minmax(8.5rem, 2fr)",
    name: "Tags",
    sort: "tags",
    isDescendingFirst: true,
    cell: (row) => <Tags row={row} />,
  },
  {
    id: "plays",
    width: "3.5rem",
    name: "Plays",
    sort: "plays",
    isDescendingFirst: true,
    isFigure: true,
    cell: ({ plays }) => (plays === 0 ? "" : plays),
  },
  {
    id: "added",
    width: "6.5rem",
    name: "Added",
    sort: "created_at",
    isDescendingFirst: true,
    cell: ({ createdAt }) => <span class="clip">{DAYS.format(new Date(createdAt))}</span>,
  },
];

/** Which columns show, in which order; `COLUMNS` that are left out are hidden. */
export type Shown = readonly string[];

export const ALL_COLUMNS: Shown = COLUMNS.map(({ id }) => id);

/** Returns the columns that this browser showed last. */
export const shownBefore = (): Shown => memory.get<string[]>("library.columns") ?? ALL_COLUMNS;

/** Returns the columns to show, in their order. */
export function columnsOf(shown: Shown): Column<TrackRow>[] {
  return shown.flatMap((id) => COLUMNS.find((column) => column.id === id) ?? []);
}

/** The states in which a row says more than its measurements. */
const STATES = {
  pending: "Waiting",
  processing: "Analysing",
  failed: "Failed",
  completed: undefined,
} as const;

function Title({ row }: { row: TrackRow }) {
  const state = STATES[row.status];
  return (
    <>
      <a class="row-title" href={href(`/library/tracks/${row.id}`)} tabIndex={-1} data-opens={row.id}>
        {row.title}
      </a>
      <span class="row-under">
        {row.artist && <span class="row-artist">{row.artist}</span>}
        {state && <span class={`row-state row-state-${row.status}`}>{state}</span>}
        {row.status === "failed" && <Failure row={row} />}
        {!row.visible && <span class="row-state">Hidden</span>}
        <span class="row-facts">
          {[
            row.bpm === null ? "" : `${TEMPI.format(row.bpm)} BPM`,
            row.key ?? "",
            row.durationSec === null ? "" : clock(row.durationSec),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
    </>
  );
}

/** Why the analysis failed, and a way on. */
function Failure({ row }: { row: TrackRow }) {
  return (
    <>
      {row.reason && <span class="row-reason">{row.reason}</span>}
      <button type="button" class="link-button" tabIndex={-1} onClick={() => analyseAgain(row)}>
        Try again
      </button>
    </>
  );
}

function Tags({ row: { genres, moods } }: { row: TrackRow }) {
  const all = [...genres, ...moods];
  const more = all.length - MAX_CHIPS;
  return (
    <span class="row-tags">
      {all.slice(0, MAX_CHIPS).map((name) => (
        <span key={name} class="tag">
          {name}
        </span>
      ))}
      {more > 0 && (
        <span class="tag soft" title={all.slice(MAX_CHIPS).join(", ")}>
          +{more}
        </span>
      )}
    </span>
  );
}
