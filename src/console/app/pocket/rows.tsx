/** @jsxRuntime automatic @jsxImportSource preact */
// biome-ignore-all lint/a11y/useSemanticElements: rows are drawn where they show, which those of a table cannot be
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { CoverPlay } from "../player/cover-play.tsx";
import { play } from "../player/player.ts";
import type { PlayerTrack } from "../player/queue.ts";
import { currentTrackId } from "../player/state.ts";
import { clock } from "../player/time.ts";
import { IconButton } from "../ui/button.tsx";
import { MenuButton, type MenuItem } from "../ui/menu.tsx";
import { scrollToRow, useRowWindow } from "../ui/window-rows.ts";
import { coverOf } from "./kept-files.ts";
import type { ListRow, TrackRow } from "./store.ts";
import { listText } from "./words.ts";
import "./pocket.css";

/** What a list of kept tracks begins to play from. */
const SOURCE = "/library/pocket";

/** Returns the tracks that are here whole, as the player takes them. */
const toPlay = (rows: readonly TrackRow[]): PlayerTrack[] =>
  rows.filter(isHere).map((row) => toPlayerTrack(row));

const isHere = ({ sound }: TrackRow) => sound !== null;

/** Returns a kept track as the player takes it. */
export const toPlayerTrack = ({ trackId, title, artist, cover }: TrackRow): PlayerTrack => ({
  id: trackId,
  title,
  artist,
  cover: coverOf(cover),
});

/** Plays kept tracks, from one of them on. */
export function playRows(key: string, rows: readonly TrackRow[], from?: TrackRow): void {
  const tracks = toPlay(rows);
  const index = from ? tracks.findIndex(({ id }) => id === from.trackId) : 0;
  if (tracks[index]) play({ tracks, index, source: { key: `${SOURCE} ${key}` } });
}

type ListsProps = {
  lists: readonly ListRow[];
  /** The tracks of a list, in its order. */
  tracksOf: (list: ListRow) => readonly TrackRow[];
  /** The list whose tracks show below. */
  chosenId: string | undefined;
  onChoose: (id: string | undefined) => void;
  /** What can be done with a list, beside playing it. */
  menu?: (list: ListRow) => readonly MenuItem[];
};

/** The playlists and albums that are kept. A press shows the tracks of one. */
export function KeptLists({ lists, tracksOf, chosenId, onChoose, menu }: ListsProps) {
  return (
    <ul class="kept-lists" aria-label="Kept playlists">
      {lists.map((list) => (
        <li key={list.id} class="kept-list">
          <IconButton label={`Play ${list.name}`} icon="play" run={() => playRows(list.id, tracksOf(list))} />
          <button
            type="button"
            class="kept-list-open"
            aria-pressed={chosenId === list.id}
            onClick={() => onChoose(chosenId === list.id ? undefined : list.id)}
          >
            <span class="kept-list-name">{list.name}</span>
            <span class="soft">{listText(tracksOf(list))}</span>
          </button>
          {menu && <MenuButton label={`More for ${list.name}`} items={() => menu(list)} />}
        </li>
      ))}
    </ul>
  );
}

type GridProps = {
  rows: readonly TrackRow[];
  /** Tells what is shown from other lists. */
  source: string;
  /** What is to be said of a track that is not here whole. */
  stateOf: (row: TrackRow) => string;
  menu: (row: TrackRow) => readonly MenuItem[];
};

/** The tracks that are kept; only rows that show are drawn. */
export function KeptTracks({ rows, source, stateOf, menu }: GridProps) {
  const body = useRef<HTMLDivElement>(null);
  const active = useSignal(0);
  const { from, to, rowPx } = useRowWindow(body, rows.length);
  const activeAt = Math.min(active.value, rows.length - 1);
  const moveTo = (index: number) => {
    if (!body.current || !rows[index]) return;
    active.value = index;
    scrollToRow(body.current, index);
    requestAnimationFrame(() => focusRow(body.current, index));
  };
  // Another list begins at its first row.
  useEffect(() => {
    active.value = 0;
  }, [source, active]);
  return (
    <div role="grid" class="kept-tracks" aria-label="Kept tracks" aria-rowcount={rows.length}>
      <div role="rowgroup" ref={body}>
        <Room px={from * rowPx} />
        {rows.slice(from, to).map((row, at) => (
          <KeptTrack
            key={row.trackId}
            row={row}
            index={from + at}
            isActive={from + at === activeAt}
            state={row.sound === null ? stateOf(row) : undefined}
            onPlay={() => playRows(source, rows, row)}
            onMove={moveTo}
            onFocus={() => {
              active.value = from + at;
            }}
            menu={menu}
          />
        ))}
        <Room px={(rows.length - Math.min(to, rows.length)) * rowPx} />
      </div>
    </div>
  );
}

function focusRow(body: HTMLElement | null, index: number): void {
  body?.querySelector<HTMLElement>(`[aria-rowindex="${index + 1}"]`)?.focus({ preventScroll: true });
}

function Room({ px }: { px: number }) {
  return px > 0 ? <div aria-hidden="true" style={{ height: `${px}px` }} /> : null;
}

type TrackProps = Pick<GridProps, "menu"> & {
  row: TrackRow;
  index: number;
  /** True for the one row that Tab comes to. */
  isActive: boolean;
  state: string | undefined;
  onPlay: () => void;
  onMove: (to: number) => void;
  onFocus: () => void;
};

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

function KeptTrack({ row, index, isActive, state, onPlay, onMove, onFocus, menu }: TrackProps) {
  const { trackId, title, artist, sound } = row;
  const tabIndex = isActive ? 0 : -1;
  return (
    <div
      role="row"
      class={currentTrackId.value === trackId ? "kept-track is-current" : "kept-track"}
      aria-rowindex={index + 1}
      aria-label={artist ? `${title}, ${artist}` : title}
      tabIndex={tabIndex}
      onFocusIn={onFocus}
      onClick={({ target, currentTarget }) => {
        const control = (target as Element).closest("button");
        if (sound && !(control && currentTarget.contains(control))) onPlay();
      }}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return;
        const by = STEPS[event.key];
        if (by !== undefined) onMove(index + by);
        else if (event.key === "Enter" && sound) onPlay();
        else return;
        event.preventDefault();
      }}
    >
      <span role="gridcell" tabIndex={-1} class="kept-cover">
        {sound ? (
          <CoverPlay
            track={{ id: trackId, cover: coverOf(row.cover) }}
            title={title}
            tabIndex={tabIndex}
            onPlay={onPlay}
          />
        ) : null}
      </span>
      <span role="gridcell" tabIndex={-1} class="kept-words">
        <span class="kept-title">{title}</span>
        <span class="soft">{state ?? [artist, sound?.label].filter(Boolean).join(" · ")}</span>
      </span>
      <span role="gridcell" tabIndex={-1} class="kept-length">
        {sound?.durationSec == null ? "" : clock(sound.durationSec)}
      </span>
      <span role="gridcell" tabIndex={-1}>
        <MenuButton label={`More for ${title}`} tabIndex={tabIndex} items={() => menu(row)} />
      </span>
    </div>
  );
}
