/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { rowsQuery } from "../../../shared/addresses.ts";
import { place } from "../../router.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { countOf, NOTHING, type Selected } from "../../ui/table/selection.ts";
import { change, type Do, tracks, type Where } from "./changes.ts";
import { TagDialog } from "./tag-dialog.tsx";

const NUMBERS = new Intl.NumberFormat();

/** Returns what the server is told of a selection: ids, or the filters of the address with exceptions. */
export function whereOf(selected: Selected): Where {
  if ("ids" in selected) return { ids: selected.ids };
  const { sort: _, limit: __, ...filter } = Object.fromEntries(rowsQuery(place.peek().search));
  return { filter: filterOf(filter), except: selected.except };
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

/** What can be done with the selected rows. */
export function SelectionBar({ selected, total }: { selected: Signal<Selected>; total: number }) {
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
  return (
    <div class="selection" role="toolbar" aria-label="Selection">
      <span class="selection-count">{NUMBERS.format(count)} selected</span>
      {count < total && (
        <button
          type="button"
          class="button quiet small"
          onClick={() => {
            selected.value = { except: [] };
          }}
        >
          Select all {NUMBERS.format(total)}
        </button>
      )}
      <span class="selection-actions">
        <button
          type="button"
          class="button quiet small"
          onClick={() =>
            showDialog((close) => (
              <TagDialog
                count={tracks(count)}
                onClose={close}
                onApply={({ addTags, removeTags }) =>
                  doAll(
                    {
                      ...(addTags.length > 0 && { addTags }),
                      ...(removeTags.length > 0 && { removeTags }),
                    },
                    (changed) => `${changed} tagged`,
                  )
                }
              />
            ))
          }
        >
          Tag…
        </button>
        <button
          type="button"
          class="button quiet small"
          onClick={() => doAll({ visible: false }, (changed) => `${changed} hidden`)}
        >
          Hide
        </button>
        <button
          type="button"
          class="button quiet small"
          onClick={() => doAll({ visible: true }, (changed) => `${changed} shown`)}
        >
          Show
        </button>
        <button
          type="button"
          class="button quiet small"
          onClick={() => doAll({ retag: true }, (changed) => `${changed} will be analysed again`)}
        >
          Analyse again
        </button>
        <button
          type="button"
          class="button quiet small danger-text"
          onClick={() => doAll({ delete: true }, (changed) => `${changed} deleted`)}
        >
          Delete
        </button>
      </span>
      <button type="button" class="icon-button" aria-label="Clear selection" onClick={clear}>
        <Icon name="close" />
      </button>
    </div>
  );
}
