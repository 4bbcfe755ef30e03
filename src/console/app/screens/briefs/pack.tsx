/** @jsxRuntime automatic @jsxImportSource preact */
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { href } from "../../first-data.ts";
import { clock } from "../../player/time.ts";
import { Button } from "../../ui/button.tsx";
import { showDialog } from "../../ui/dialog.tsx";
import { useActions } from "../../ui/keys.ts";
import { dropClass, MoveHandle } from "../../ui/move-handle.tsx";
import { counted, percent } from "../../ui/numbers.ts";
import { Problem } from "../../ui/problem.tsx";
import { useDrag } from "../../ui/use-drag.ts";
import { scrollToRow, useRowWindow } from "../../ui/window-rows.ts";
import { SendDialog } from "./send.tsx";
import type { Brief } from "./types.ts";
import { type Song, usePack } from "./use-pack.ts";

/** The tracks that could be offered for a brief, best first. The ticked ones go out as one playlist, in the order given by hand. */
export function Shortlist({ brief }: { brief: Brief }) {
  const { data, error, retry, chosen, others, turn, move } = usePack(brief.id);
  if (error) return <Problem error={error} onRetry={retry} />;
  if (!data) return null;
  const send = () => {
    const trackIds = chosen.map(({ trackId }) => trackId);
    if (trackIds.length > 0)
      showDialog((close) => <SendDialog brief={brief} trackIds={trackIds} onClose={close} />);
  };
  return (
    <section class="brief-part" aria-labelledby="brief-pack">
      <header>
        <h2 id="brief-pack">Shortlist</h2>
        <Button aria-disabled={chosen.length === 0} run={send}>
          {sendWords(chosen.length)}
        </Button>
      </header>
      <p class="soft">{data.summary}</p>
      <Songs heading="Goes out" songs={chosen} isIn onTurn={turn} onMove={move}>
        Nothing is shortlisted yet: press 1 in the Inbox, or tick songs below.
      </Songs>
      <Songs heading="More that fits" songs={others} onTurn={turn}>
        Nothing else in your library fits.
      </Songs>
    </section>
  );
}

const sendWords = (count: number): string =>
  count === 0 ? "Send songs…" : `Send ${counted(count, "song")}…`;

type SongsProps = {
  heading: string;
  songs: readonly Song[];
  isIn?: boolean;
  onTurn: (song: Song) => void;
  /** Left out: the order is that of the ranking. */
  onMove?: (from: number, to: number) => void;
  children: string;
};

function Songs({ heading, songs, isIn = false, onTurn, onMove, children }: SongsProps) {
  return (
    <>
      <h3>
        {heading} {songs.length > 0 && <span class="soft">{songs.length}</span>}
      </h3>
      {songs.length === 0 ? (
        <p class="soft">{children}</p>
      ) : (
        <SongList heading={heading} songs={songs} isIn={isIn} onTurn={onTurn} onMove={onMove} />
      )}
    </>
  );
}

type ListProps = Omit<SongsProps, "children" | "onMove"> & { onMove: SongsProps["onMove"] };

/** Only the songs that show are drawn. */
function SongList({ heading, songs, isIn = false, onTurn, onMove }: ListProps) {
  const list = useRef<HTMLOListElement>(null);
  const { from, to, rowPx } = useRowWindow(list, songs.length);
  const { drag, begin } = useDrag(list, songs.length, rowPx, (drop) => onMove?.(drop.from, drop.to));
  const moveBy = (by: 1 | -1) => () => {
    const at = placeOf(list);
    if (at === undefined) return;
    onMove?.(at, at + by);
    const next = Math.max(0, Math.min(songs.length - 1, at + by));
    if (list.current) keepFocus(list.current, next);
  };
  const mayMove = onMove !== undefined;
  useActions(mayMove ? { moveUp: moveBy(-1), moveDown: moveBy(1) } : {});
  return (
    <ol
      ref={list}
      class="pack"
      aria-label={heading}
      style={{
        paddingTop: `${from * rowPx}px`,
        paddingBottom: `${Math.max(0, songs.length - to) * rowPx}px`,
      }}
    >
      {songs.slice(from, to).map((song, offset) => (
        <li
          key={song.trackId}
          class={`pack-song ${dropClass(from + offset, drag.value)}`}
          data-place={from + offset}
          aria-setsize={songs.length}
          aria-posinset={from + offset + 1}
        >
          <label class="pack-turn">
            <input
              type="checkbox"
              aria-label={`Include ${song.title}`}
              checked={isIn}
              onChange={() => onTurn(song)}
            />
          </label>
          <SongWords song={song} />
          {mayMove && (
            <MoveHandle
              title={song.title}
              index={from + offset}
              count={songs.length}
              onDrag={(event) => begin(event, from + offset)}
              onMove={(index) => onMove(from + offset, index)}
            />
          )}
        </li>
      ))}
    </ol>
  );
}

/** The place of the song that has the focus. */
function placeOf(list: RefObject<HTMLElement | null>): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>("[data-place]");
  return row && list.current?.contains(row) ? Number(row.dataset.place) : undefined;
}

/** The moved song keeps the focus, at the control that had it, and stays in view. */
function keepFocus(list: HTMLElement, place: number): void {
  const control = document.activeElement?.localName ?? "button";
  scrollToRow(list, place);
  requestAnimationFrame(() =>
    list.querySelector<HTMLElement>(`[data-place="${place}"] ${control}`)?.focus({ preventScroll: true }),
  );
}

function SongWords({ song }: { song: Song }) {
  const { trackId, title, artist, source, senderName, score, reason, durationSec, bpm, key, others } = song;
  const facts = [
    artist,
    source === "library" ? "from your library" : senderName && `from ${senderName}`,
    durationSec !== null && clock(durationSec),
    bpm !== null && `${Math.round(bpm)} BPM`,
    key,
  ].filter(Boolean);
  const why = [
    others.length > 0 && `Left out: ${others.map((other) => other.title).join(", ")}`,
    ...reason.slice(0, 3),
  ]
    .filter(Boolean)
    .join(" · ");
  return (
    <>
      <div class="pack-words">
        <a class="tap" href={href(`/library/tracks/${trackId}?tab=credits`)}>
          {title}
        </a>
        <p class="soft">{facts.join(" · ")}</p>
        <p class="soft" title={why}>
          {why}
        </p>
      </div>
      <span class="pack-score">{score === null ? "Not analysed" : percent(score)}</span>
      <SongCredits song={song} />
    </>
  );
}

function SongCredits({ song: { problems, composers } }: { song: Song }) {
  const isWhole = problems.length === 0;
  const words = isWhole
    ? `Credits complete: ${composers.map(({ name, share }) => `${name} ${share} %`).join(", ")}`
    : problems.join("; ");
  return (
    <p class={`pack-credits mark ${isWhole ? "good" : "warn"}`} title={words}>
      {words}
    </p>
  );
}
