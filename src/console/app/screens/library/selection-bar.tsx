/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { rowsQuery } from "../../../shared/addresses.ts";
import { play } from "../../player/player.ts";
import { openPicker } from "../../playlists/open.tsx";
import { listPlace } from "../../router.ts";
import { openShare } from "../../share/open.tsx";
import { showDialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Rows } from "../../ui/table/rows.ts";
import { countOf, isSelected, NOTHING, type Selected } from "../../ui/table/selection.ts";
import { toastError } from "../../ui/toast.tsx";
import { change, type Do, tracks, type Where } from "./changes.ts";
import { toPlay } from "./playing.ts";
import type { TrackRow } from "./rows.ts";
import { TagDialog } from "./tag-dialog.tsx";

const NUMBERS = new Intl.NumberFormat();

/** Returns what the server is told of a selection: ids, or the filters of the address with exceptions. */
export function whereOf(selected: Selected): Where {
  if ("ids" in selected) return { ids: [...selected.ids] };
  const { sort: _, limit: __, ...filter } = Object.fromEntries(rowsQuery(listPlace.peek().search));
  return { filter: filterOf(filter), except: [...selected.except] };
}

/** The filters of an address as JSON has them: numbers and booleans are no texts there. */
function filterOf(texts: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      if (["visible", "untagged"].includes(name)) return [name, text === "true"];
      return [name, /(Min|Max)/.test(name) ? Number(text) : text];
    }),
  );
}

/** Reads the selected rows in the order of the list. @throws ApiError. */
async function selectedRows(selected: Selected, rows: Rows<TrackRow>, total: number): Promise<TrackRow[]> {
  const all = await rows.between(0, total - 1);
  return all.filter(({ id }) => isSelected(selected, id));
}

/** What can be done with the selected rows. */
export function SelectionBar({
  selected,
  rows,
  total,
}: {
  selected: Signal<Selected>;
  rows: Rows<TrackRow>;
  total: number;
}) {
  const count = countOf(selected.value, total);
  if (count === 0) return null;
  const clear = () => {
    selected.value = NOTHING;
  };
  const doAll = (what: Do, say: (count: string) => string) => {
    const where = whereOf(selected.value);
    if (what.delete) clear();
    void change(where, what, say);
  };
  /** Reads the selected rows, and does something with them. */
  const withRows = (act: (chosen: readonly TrackRow[]) => void) => () => {
    selectedRows(selected.value, rows, total).then(act, toastError);
  };
  const tag = () =>
    showDialog((close) => (
      <TagDialog
        count={tracks(count)}
        onClose={close}
        onApply={({ addTags, removeTags }) =>
          doAll(
            {
              ...(addTags.length > 0 && { addTags: [...addTags] }),
              ...(removeTags.length > 0 && { removeTags: [...removeTags] }),
            },
            (changed) => `${changed} tagged`,
          )
        }
      />
    ));
  const actions: Readonly<Record<string, () => void>> = {
    Play: withRows((chosen) => play({ tracks: chosen.map(toPlay), index: 0, source: { key: "selection" } })),
    "Add to playlist…": withRows((chosen) => void openPicker(chosen)),
    "Tag…": tag,
    Share: withRows(
      (chosen) => void openShare(chosen.map(({ id, title }) => ({ entity: "track" as const, id, title }))),
    ),
    Hide: () => doAll({ visible: false }, (changed) => `${changed} hidden`),
    Show: () => doAll({ visible: true }, (changed) => `${changed} shown`),
    "Analyse again": () => doAll({ retag: true }, (changed) => `${changed} will be analysed again`),
    Delete: () => doAll({ delete: true }, (changed) => `${changed} deleted`),
  };
  return (
    <div class="selection" role="toolbar" aria-label="Selection">
      <span class="selection-count">{NUMBERS.format(count)} selected</span>
      {count < total && (
        <SmallButton
          name={`Select all ${NUMBERS.format(total)}`}
          onClick={() => {
            selected.value = { except: [] };
          }}
        />
      )}
      <span class="selection-actions">
        {Object.entries(actions).map(([name, run]) => (
          <SmallButton key={name} name={name} onClick={run} />
        ))}
      </span>
      <button type="button" class="icon-button" aria-label="Clear selection" onClick={clear}>
        <Icon name="close" />
      </button>
    </div>
  );
}

function SmallButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button type="button" class="button quiet small" onClick={onClick}>
      {name}
    </button>
  );
}
