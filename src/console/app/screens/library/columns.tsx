/** @jsxRuntime automatic @jsxImportSource preact */
import { clock } from "../../../../pages/waveform.ts";
import { analyseAgain, these } from "../../actions/bulk.ts";
import type { TrackRow } from "../../actions/tracks.ts";
import { can, isAllowed, type Offered } from "../../api/library.ts";
import { href } from "../../first-data.ts";
import { KeptMark } from "../../pocket/kept-mark.tsx";
import { go, listPlace } from "../../router.ts";
import { day } from "../../ui/dates.ts";
import { grouped } from "../../ui/numbers.ts";
import type { Column } from "../../ui/table/columns.ts";

/** The columns of the Library that the role allows to see. */
export const columnsNow = (): Column<TrackRow>[] => COLUMNS.filter(isAllowed);

/** The columns of the Library; `sort` is the order's name in the address. */
const COLUMNS: readonly (Column<TrackRow> & Offered)[] = [
  {
    id: "title",
    name: "Title",
    width: 190,
    grows: 2,
    leaves: 0,
    sort: "name",
    cell: (row) => <TitleCell row={row} />,
  },
  {
    id: "album",
    name: "Album",
    width: 88,
    grows: 1,
    leaves: 6,
    cell: (row) => <AlbumCell row={row} />,
  },
  {
    id: "version",
    name: "Version",
    width: 80,
    grows: 1,
    leaves: 3,
    sort: "versions",
    firstSort: "descending",
    cell: (row) => <VersionCell row={row} />,
  },
  {
    id: "bpm",
    name: "BPM",
    width: 48,
    leaves: 4,
    isFigure: true,
    sort: "bpm",
    cell: ({ bpm }) => bpm !== null && Math.round(bpm),
  },
  { id: "key", name: "Key", width: 76, leaves: 2, sort: "key", cell: ({ key }) => key },
  {
    id: "length",
    name: "Length",
    width: 60,
    leaves: 1,
    isFigure: true,
    sort: "duration",
    cell: ({ durationSec }) => durationSec !== null && clock(durationSec),
  },
  {
    id: "tags",
    name: "Tags",
    width: 110,
    grows: 1,
    leaves: 5,
    sort: "tags",
    firstSort: "descending",
    cell: (row) => <TagsCell row={row} />,
  },
  {
    id: "plays",
    need: "read:analytics",
    name: "Plays",
    width: 48,
    leaves: 7,
    isFigure: true,
    sort: "plays",
    firstSort: "descending",
    cell: ({ plays }) => <span class={plays === 0 ? "soft" : ""}>{grouped(plays)}</span>,
  },
  {
    id: "added",
    name: "Added",
    width: 96,
    leaves: 8,
    isFigure: true,
    sort: "created_at",
    firstSort: "descending",
    cell: ({ createdAt }) => <time dateTime={createdAt}>{day(createdAt)}</time>,
  },
];

/** The title, which opens the track beside the list; below it artist and state. */
function TitleCell({ row }: { row: TrackRow }) {
  const path = `/library/tracks/${row.id}`;
  return (
    <div class="title-cell">
      <a
        class="title-link tap"
        href={href(path)}
        tabIndex={-1}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          go(path, { beside: listPlace.peek().address });
        }}
      >
        {row.title}
      </a>
      <span class="title-below">
        {row.artist && <span class="title-artist">{row.artist}</span>}
        <Facts row={row} />
        <State row={row} />
        {!row.visible && <span class="mark row-state">Hidden</span>}
        <KeptMark trackId={row.id} />
        {row.setSize !== undefined && (
          <a
            class="mark row-state"
            href={href(`${path}?tab=set`)}
            tabIndex={-1}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
              event.preventDefault();
              go(`${path}?tab=set`, { beside: listPlace.peek().address });
            }}
          >
            Set of {row.setSize}
          </a>
        )}
      </span>
    </div>
  );
}

/** The albums that the track is on; otherwise the album that its file names. */
function AlbumCell({ row: { album, albums } }: { row: TrackRow }) {
  if (albums.length === 0) return album !== null && <span class="soft">{album}</span>;
  return (
    <span title={albums.map(({ name }) => name).join(", ")}>
      {albums.map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ", "}
          <a class="tap" href={href(`/library/albums/${id}`)} tabIndex={-1}>
            {name}
          </a>
        </span>
      ))}
    </span>
  );
}

/** A long label takes two lines; the tooltip has all of it. */
function VersionCell({ row: { activeLabel, versions } }: { row: TrackRow }) {
  if (versions < 2 && activeLabel === null) return null;
  const label = activeLabel ?? "Original";
  return (
    <span class="version-cell" title={versions > 1 ? `${label} of ${versions}` : label}>
      {label}
      {versions > 1 && <span class="soft"> of {versions}</span>}
    </span>
  );
}

/** On telephones, where there is no room for columns. */
function Facts({ row: { durationSec, bpm } }: { row: TrackRow }) {
  const facts = [durationSec !== null && clock(durationSec), bpm !== null && `${Math.round(bpm)} BPM`];
  return <span class="title-facts">{facts.filter(Boolean).join(" · ")}</span>;
}

/** Where the analysis is, while it is not done. */
function State({ row }: { row: TrackRow }) {
  if (row.status === "pending") return <span class="mark row-state">Waiting</span>;
  if (row.status === "processing") return <span class="mark row-state row-state-busy">Analysing</span>;
  if (row.status === "completed") return null;
  return (
    <>
      <span class="mark bad row-state" title={row.reason ?? ""}>
        {row.reason ? `Failed: ${row.reason}` : "Failed"}
      </span>
      {can("update:tracks") && (
        <button
          type="button"
          class="link-button"
          tabIndex={-1}
          onClick={() => void analyseAgain(these([row]))}
        >
          Try again
        </button>
      )}
    </>
  );
}

/** As many tags as fit; the cell cuts the rest, and its tooltip has all. Suggested tags are outlined. */
function TagsCell({ row: { genres, moods, heard } }: { row: TrackRow }) {
  const tags = [...genres, ...moods];
  const words = [...tags, heard.length > 0 && `Heard, not confirmed: ${heard.join(", ")}`].filter(Boolean);
  return (
    <span class="tags-cell" title={words.join(", ")}>
      {tags.map((tag, at) => (
        <span key={at} class="tag">
          {tag}
        </span>
      ))}
      {heard.length > 0 && <span class="sr-only">Heard, not confirmed:</span>}
      {heard.map((tag) => (
        <span key={`${tag} heard`} class="tag tag-heard">
          {tag}
        </span>
      ))}
    </span>
  );
}
