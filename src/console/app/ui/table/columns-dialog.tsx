/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { announce } from "../announce.ts";
import { Dialog } from "../dialog.tsx";
import { Icon } from "../icon.tsx";
import { type Arrangement, type Column, ordered } from "./columns.ts";

const MIN_PX = 48;
const MAX_PX = 480;
const STEP_PX = 8;

type DialogProps<Row> = {
  columns: readonly Column<Row>[];
  arrangement: Signal<Arrangement>;
  onClose: () => void;
};

/** Which columns show, in which order and how wide. The title always shows. */
export function ColumnsDialog<Row>({ columns, arrangement, onClose }: DialogProps<Row>) {
  const all = ordered(columns, arrangement.value);
  const change = (part: Partial<Arrangement>) => {
    arrangement.value = { ...arrangement.value, ...part };
  };
  const move = (from: number, by: 1 | -1) => {
    const order = all.map(({ id }) => id);
    const [moved = ""] = order.splice(from, 1);
    order.splice(from + by, 0, moved);
    change({ order });
    announce(`Moved to ${from + by + 1} of ${order.length}`);
  };
  const { hidden, widths } = arrangement.value;
  return (
    <Dialog label="Columns" onClose={onClose}>
      <ol class="columns-list">
        {all.map(({ id, name, width }, index) => (
          <li key={id}>
            <label class="check">
              <input
                type="checkbox"
                checked={!hidden.includes(id)}
                disabled={id === "title"}
                onChange={() =>
                  change({
                    hidden: hidden.includes(id) ? hidden.filter((each) => each !== id) : [...hidden, id],
                  })
                }
              />
              {name}
            </label>
            <input
              type="range"
              aria-label={`Width of ${name}`}
              min={MIN_PX}
              max={MAX_PX}
              step={STEP_PX}
              value={widths[id] ?? width}
              onInput={({ currentTarget }) =>
                change({ widths: { ...widths, [id]: Number(currentTarget.value) } })
              }
            />
            <button
              type="button"
              class="icon-button"
              aria-label={`Move ${name} left`}
              aria-disabled={index === 0}
              onClick={() => move(index, -1)}
            >
              <Icon name="up" />
            </button>
            <button
              type="button"
              class="icon-button"
              aria-label={`Move ${name} right`}
              aria-disabled={index === all.length - 1}
              onClick={() => move(index, 1)}
            >
              <Icon name="down" />
            </button>
          </li>
        ))}
      </ol>
      <div class="dialog-actions">
        <button
          type="button"
          class="button quiet"
          onClick={() => change({ order: [], hidden: [], widths: {} })}
        >
          Reset columns
        </button>
        <button type="button" class="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
