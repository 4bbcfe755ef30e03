/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { these } from "../../actions/bulk.ts";
import { type Chosen, SelectionBar } from "../../actions/selection-bar.tsx";
import { trackRuns } from "../../actions/track-keys.ts";
import { openTrack } from "../../actions/track-menu.ts";
import { can } from "../../api/library.ts";
import { dragTracks } from "../../playlists/drag.ts";
import { openNewPlaylist } from "../../playlists/open.tsx";
import { useKept } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { useActions } from "../../ui/keys.ts";
import { counted } from "../../ui/numbers.ts";
import { type Ask, type Asked, proseOf } from "./asked.ts";
import { isGiven } from "./given.ts";
import { playFrom, toTrack } from "./playing.ts";
import { ResultRow } from "./result-row.tsx";
import type { Answer, Hit, HitActions } from "./search.ts";

/** Page up and page down; the rows are not equally high. */
const PAGE_ROWS = 8;
/** The part above the rows, and the height of a short row. */
const [ABOVE_PX, LEAST_ROW_PX] = [240, 72];

type Props = { asked: Asked; answer: Answer; ask: Ask; isNew: boolean };

/** The tracks that were found, best first, each with its reasons. */
export function Results({ asked, answer, ask, isNew }: Props) {
  const { results, searchId } = answer;
  // A new answer shows its first rows in the first frame, and the others in the next.
  const drawn = useSignal(isNew ? undefined : searchId);
  useEffect(() => {
    drawn.value = searchId;
  }, [searchId, drawn]);
  const rows = isNew && drawn.value !== searchId ? results.slice(0, rowsOfWindow()) : results;
  const selected = useKept<readonly string[]>("selected", []);
  const active = useKept<string | undefined>("row", undefined);
  const chosen = results.filter(({ id }) => selected.value.includes(id));
  const box = useRef<HTMLDivElement>(null);
  const list = results.map(({ id }) => id).join();
  const listed = useSignal(list);
  useEffect(() => {
    if (listed.peek() === list) return;
    listed.value = list;
    selected.value = selected.peek().filter((id) => list.includes(id));
  }, [list, listed, selected]);
  const actions = hitActions({ asked, answer, ask }, selected);
  const selection: Chosen = {
    count: chosen.length,
    total: results.length,
    target: () => these(chosen),
    read: async () => chosen.map(toTrack),
    all: () => {
      selected.value = results.map(({ id }) => id);
    },
    clear: () => {
      selected.value = [];
    },
  };
  useRowKeys({ results, selection, actions, active, box });
  const tabStop = results.some(({ id }) => id === active.value) ? active.value : results[0]?.id;
  return (
    <section class="results" aria-label="Found">
      <header class="results-head">
        <h2>{counted(results.length, "result")}</h2>
        {can("create:playlists") && (
          <Button
            look="secondary"
            run={() =>
              openNewPlaylist({
                name: answer.suggestedName,
                trackIds: (chosen.length > 0 ? chosen : results).map(({ id }) => id),
              })
            }
          >
            Make playlist
          </Button>
        )}
      </header>
      {/* biome-ignore lint/a11y/useSemanticElements: rows can be moved through and selected, which a <table> cannot say */}
      <div
        ref={box}
        class="results-rows"
        role="grid"
        aria-label="Results"
        aria-rowcount={results.length}
        aria-multiselectable="true"
      >
        {rows.map((hit, index) => (
          <ResultRow
            key={hit.id}
            {...{ hit, index, actions }}
            prose={proseOf(asked.prose)}
            isSelected={selected.value.includes(hit.id)}
            isTabStop={hit.id === tabStop}
            onFocus={() => {
              active.value = hit.id;
            }}
          />
        ))}
      </div>
      <SelectionBar chosen={selection} name={answer.suggestedName} />
    </section>
  );
}

/** As many rows as a window can show. */
const rowsOfWindow = () => Math.max(4, Math.ceil((innerHeight - ABOVE_PX) / LEAST_ROW_PX));

/** What the buttons and keys of a result do. */
function hitActions(
  { asked, answer: { results }, ask }: Omit<Props, "isNew">,
  selected: Signal<readonly string[]>,
): HitActions {
  return {
    play: (hit, fromSec) => playFrom(results, results.indexOf(hit), fromSec),
    open: openTrack,
    isSelected: ({ id }) => selected.value.includes(id),
    select: ({ id }) => {
      const before = selected.value;
      selected.value = before.includes(id) ? before.filter((each) => each !== id) : [...before, id];
    },
    drag: (event, hit) => {
      const chosen = results.filter(({ id }) => selected.value.includes(id));
      const selection = { count: chosen.length, read: async () => chosen.map(toTrack) };
      dragTracks(event, toTrack(hit), chosen.includes(hit) ? selection : undefined);
    },
    like: ({ id }) =>
      ask({
        ...asked,
        like: [...asked.like.filter((each) => each !== id), id],
        less: asked.less.filter((each) => each !== id),
        ...(asked.reference && isGiven(asked.reference.id) && { reference: undefined }),
      }),
    unlike: ({ id }) =>
      ask({
        ...asked,
        less: [...asked.less.filter((each) => each !== id), id],
        like: asked.like.filter((each) => each !== id),
      }),
  };
}

type KeysOf = {
  results: readonly Hit[];
  selection: Chosen;
  actions: HitActions;
  active: { value: string | undefined };
  box: { current: HTMLDivElement | null };
};

/** Arrows and J, K move between the rows; a letter acts on the row, or on the selected ones. */
function useRowKeys({ results, selection, actions, active, box }: KeysOf): void {
  const at = () => results.findIndex(({ id }) => id === active.value);
  const moveTo = (index: number) => {
    const hit = results[Math.max(0, Math.min(index, results.length - 1))];
    if (!hit) return;
    active.value = hit.id;
    const row = box.current?.querySelectorAll<HTMLElement>("[role=row]")[results.indexOf(hit)];
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  };
  const extendBy = (by: number) => {
    const hit = current();
    const next = results[at() + by];
    if (!hit || !next) return;
    for (const each of [hit, next]) if (!actions.isSelected(each)) actions.select(each);
    moveTo(at() + by);
  };
  const hasFocus = () => box.current?.contains(document.activeElement) ?? false;
  const current = () => (hasFocus() ? results[at()] : undefined);
  useActions({
    previousRow: () => moveTo(at() - 1),
    nextRow: () => moveTo(at() + 1),
    firstRow: () => moveTo(0),
    lastRow: () => moveTo(results.length - 1),
    pageUp: () => moveTo(at() - PAGE_ROWS),
    pageDown: () => moveTo(at() + PAGE_ROWS),
    extendUp: () => extendBy(-1),
    extendDown: () => extendBy(1),
    selectAll: selection.all,
    select: () => {
      const hit = current();
      if (hit) actions.select(hit);
    },
    ...trackRuns(selection, () => {
      const hit = current();
      return hit && toTrack(hit);
    }),
  });
}
