/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { Dialog, showDialog } from "../../ui/dialog.tsx";
import { Switch } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { COLUMNS, type Shown } from "./columns.tsx";

/** Chooses which columns show, and in which order. */
export function ColumnsButton({ shown, onChange }: { shown: Shown; onChange: (shown: Shown) => void }) {
  return (
    <button
      type="button"
      class="button quiet small columns-button"
      onClick={() =>
        showDialog((close) => <ColumnsDialog shown={shown} onChange={onChange} onClose={close} />)
      }
    >
      <Icon name="columns" />
      Columns
    </button>
  );
}

function ColumnsDialog({
  shown,
  onChange,
  onClose,
}: {
  shown: Shown;
  onChange: (shown: Shown) => void;
  onClose: () => void;
}) {
  const now = useSignal(shown);
  const set = (next: Shown) => {
    now.value = next;
    onChange(next);
  };
  const hidden = COLUMNS.map(({ id }) => id).filter((id) => !now.value.includes(id));
  const move = (id: string, by: number) => {
    const at = now.value.indexOf(id);
    const without = now.value.filter((each) => each !== id);
    set([...without.slice(0, at + by), id, ...without.slice(at + by)]);
  };
  return (
    <Dialog label="Columns" onClose={onClose}>
      <ul class="column-list">
        {[...now.value, ...hidden].map((id) => {
          const name = COLUMNS.find((column) => column.id === id)?.name ?? id;
          const at = now.value.indexOf(id);
          return (
            <li key={id} class="column-line">
              <Switch
                label={name}
                isOn={at >= 0}
                onChange={(isOn) =>
                  set(isOn ? [...now.value, id] : now.value.filter((each) => each !== id || id === "title"))
                }
              />
              <span>
                <button
                  type="button"
                  class="icon-button"
                  aria-label={`Move ${name} up`}
                  disabled={at < 1}
                  onClick={() => move(id, -1)}
                >
                  <Icon name="up" />
                </button>
                <button
                  type="button"
                  class="icon-button"
                  aria-label={`Move ${name} down`}
                  disabled={at < 0 || at === now.value.length - 1}
                  onClick={() => move(id, 1)}
                >
                  <Icon name="down" />
                </button>
              </span>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
