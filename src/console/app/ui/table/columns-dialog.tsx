/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { announce } from "../announce.ts";
import { Button, IconButton } from "../button.tsx";
import { Dialog } from "../dialog.tsx";
import { type Arrangement, type Column, ordered } from "./columns.ts";

const MIN_PX = 48;
const MAX_PX = 480;
const STEP_PX = 8;

type DialogProps<Row> = {
  columns: readonly Column<Row>[];
  arrangement: Signal<Arrangement>;
  onClose: () => void;
  /** What else the dialog of a list says of its rows. */
  children?: ComponentChildren;
};

/** Which columns show, in which order and how wide. The title always shows. */
export function ColumnsDialog<Row>({ columns, arrangement, onClose, children }: DialogProps<Row>) {
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
            <IconButton
              label={`Move ${name} left`}
              icon="up"
              aria-disabled={index === 0}
              run={() => move(index, -1)}
            />
            <IconButton
              label={`Move ${name} right`}
              icon="down"
              aria-disabled={index === all.length - 1}
              run={() => move(index, 1)}
            />
          </li>
        ))}
      </ol>
      {children}
      <div class="dialog-actions">
        <Button look="quiet" run={() => change({ order: [], hidden: [], widths: {} })}>
          Reset columns
        </Button>
        <Button run={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}
