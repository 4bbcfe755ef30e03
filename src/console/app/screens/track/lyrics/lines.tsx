/** @jsxRuntime automatic @jsxImportSource preact */
import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { Button, IconButton } from "../../../ui/button.tsx";
import { MenuButton } from "../../../ui/menu.tsx";
import { toast } from "../../../ui/toast.tsx";
import type { Desk } from "./desk.ts";
import { type Line, lineAt, nextSung, nudged, shifted, stampOf, withoutTime, withTime } from "./times.ts";

const NUDGE_MS = 50;
const SHIFT_MS = 100;

type LinesProps = {
  desk: Desk;
  positionSec: ReadonlySignal<number>;
  isPlaying: ReadonlySignal<boolean>;
  /** The exact time of the music, which the position follows in steps. */
  nowSec: () => number;
  playFrom: (sec: number) => void;
};

/** The lines of the words with their times, which are set while the music plays. */
export function TimedLines(props: LinesProps) {
  const { desk, nowSec, playFrom } = props;
  const lines = desk.lines.value;
  const cursor = useSignal(firstWithout(lines));
  const at = Math.min(cursor.value, lines.length - 1);
  const line = lines[at];
  const tap = () => {
    desk.change(withTime(desk.lines.peek(), at, Math.round(nowSec() * 1000)));
    cursor.value = nextSung(lines, at);
  };
  const nudge = (byMs: number) => desk.change(nudged(desk.lines.peek(), at, byMs));
  const clear = () => desk.change(withoutTime(desk.lines.peek(), at));
  const play = () => line?.atMs != null && playFrom(line.atMs / 1000);
  const keys: Readonly<Record<string, () => unknown>> = {
    Enter: tap,
    "Shift+Enter": play,
    ArrowUp: () => (cursor.value = nextSung(lines, at, -1)),
    ArrowDown: () => (cursor.value = nextSung(lines, at)),
    Home: () => (cursor.value = nextSung(lines, -1)),
    End: () => (cursor.value = nextSung(lines, lines.length, -1)),
    ",": () => nudge(-NUDGE_MS),
    ".": () => nudge(NUDGE_MS),
    Delete: clear,
    Backspace: clear,
  };
  const isUntimed = line?.atMs == null;
  return (
    <div class="timing">
      <LineList {...props} at={at} keys={keys} onChoose={(index) => (cursor.value = index)} onPlay={play} />
      <div class="timing-tools">
        <Button look="timing-tap" run={tap} title="Set the time of this line (Enter)">
          Tap
        </Button>
        <Button
          look="quiet small"
          icon="play"
          aria-disabled={isUntimed}
          title="Play from this line (Shift Enter)"
          run={play}
        >
          From here
        </Button>
        <Button
          look="quiet small"
          aria-disabled={isUntimed}
          title="50 ms earlier (,)"
          run={() => nudge(-NUDGE_MS)}
        >
          − 50 ms
        </Button>
        <Button
          look="quiet small"
          aria-disabled={isUntimed}
          title="50 ms later (.)"
          run={() => nudge(NUDGE_MS)}
        >
          + 50 ms
        </Button>
        <IconButton
          look="small"
          icon="close"
          label="Clear the time of this line"
          aria-disabled={isUntimed}
          run={clear}
        />
        <MenuButton label="All times" items={() => allTimes(desk)} />
      </div>
      <p class="soft timing-hint">
        Play the track and press Tap, or Enter in the list, as each line begins. Arrows choose a line, comma
        and full stop move it.
      </p>
    </div>
  );
}

/** Timing goes on where it was left. */
function firstWithout(lines: readonly Line[]): number {
  const found = lines.findIndex(({ text, atMs }) => atMs === null && text.trim() !== "");
  return found < 0 ? nextSung(lines, -1) : found;
}

function allTimes(desk: Desk) {
  const shift = (byMs: number) => desk.change(shifted(desk.lines.peek(), byMs));
  return [
    { name: "All 100 ms earlier", run: () => shift(-SHIFT_MS) },
    { name: "All 100 ms later", run: () => shift(SHIFT_MS) },
    null,
    {
      name: "Clear all times",
      isDanger: true,
      run: () => {
        const before = desk.lines.peek();
        desk.change(withoutTime(before));
        toast("Times cleared", { undo: () => desk.change(before) });
      },
    },
  ];
}

type ListProps = LinesProps & {
  at: number;
  keys: Readonly<Record<string, () => unknown>>;
  onChoose: (index: number) => void;
  onPlay: () => void;
};

function LineList({ desk, positionSec, isPlaying, at, keys, onChoose, onPlay }: ListProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const lines = desk.lines.value;
  const sung = useComputed(() =>
    isPlaying.value ? lineAt(desk.lines.value, positionSec.value * 1000) : -1,
  ).value;
  useSignalEffect(() => {
    void desk.lines.value;
    const chosen = list.current?.children[at];
    if (chosen instanceof HTMLElement) showIn(list.current, chosen);
  });
  return (
    <div
      ref={list}
      class="timed-lines"
      role="listbox"
      aria-label="Lines and their times"
      aria-activedescendant={`${id}-${at}`}
      tabIndex={0}
      onClick={(event) => {
        const index = indexOf(event);
        if (index !== undefined) onChoose(index);
      }}
      onDblClick={onPlay}
      onKeyDown={(event) => {
        const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
        const run = keys[shiftKey && key === "Enter" ? "Shift+Enter" : key];
        if (!run || ctrlKey || metaKey || altKey) return;
        // The console's own keys do something else.
        event.preventDefault();
        event.stopPropagation();
        run();
      }}
    >
      {lines.map(({ text, atMs }, index) => (
        <div
          key={index}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          data-index={index}
          class={index === sung ? "timed-line is-sung" : "timed-line"}
        >
          <span class="timed-stamp">{atMs === null ? "–" : stampOf(atMs)}</span>
          <span dir="auto">{text.trim() === "" ? <span class="soft">(pause)</span> : text}</span>
        </div>
      ))}
    </div>
  );
}

/** Returns which line was pressed. */
function indexOf({ target }: MouseEvent): number | undefined {
  const line = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
  return line ? Number(line.dataset.index) : undefined;
}

/** Scrolls the list, and not the screen. */
function showIn(list: HTMLElement | null, line: HTMLElement): void {
  if (!list) return;
  const by = line.offsetTop - list.offsetTop - (list.clientHeight - line.offsetHeight) / 2;
  list.scrollTo({ top: by });
}
