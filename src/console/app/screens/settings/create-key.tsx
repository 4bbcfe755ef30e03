/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { api, dataOf } from "../../api/client.ts";
import { query, queryClient } from "../../api/queries.ts";
import { Dialog, showDialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { toastError } from "../../ui/toast.tsx";
import { CopyButton } from "./copy-button.tsx";
import { PURPOSES } from "./purposes.ts";

const ENDS = [
  { days: "", name: "Never" },
  { days: "30", name: "In 30 days" },
  { days: "90", name: "In 90 days" },
  { days: "365", name: "In a year" },
];

/** Every key of the account that is not revoked. */
export const keysQuery = () => query("/integration/api-keys/all", {}, {});
export const readKeys = () => queryClient.invalidateQueries({ queryKey: keysQuery().queryKey });

/** Makes a key in a dialog, which shows it once. `onMade` gets the whole key. */
export function openCreateKey({ name = "", onMade }: { name?: string; onMade?: (key: string) => void } = {}) {
  showDialog((close) => <CreateKeyDialog name={name} onMade={onMade} onClose={close} />);
}

type DialogProps = { name: string; onMade: ((key: string) => void) | undefined; onClose: () => void };

function CreateKeyDialog({ name: suggested, onMade, onClose }: DialogProps) {
  const name = useSignal(suggested);
  const days = useSignal("");
  const chosen = useSignal<readonly string[]>([PURPOSES[0].name]);
  const select = useId();
  const create = async (event: Event) => {
    event.preventDefault();
    const scopes = new Set(PURPOSES.flatMap((each) => (chosen.value.includes(each.name) ? each.scopes : [])));
    const body = {
      name: name.value,
      scopes: [...scopes],
      ...(days.value !== "" && { days: Number(days.value) }),
    };
    try {
      const { key } = await dataOf(api.POST("/integration/api-keys", { body }));
      onClose();
      void readKeys();
      onMade?.(key);
      showKeyOnce(name.value, key);
    } catch (thrown) {
      toastError(thrown);
    }
  };
  return (
    <Dialog label="Create key" onClose={onClose}>
      <form class="form" onSubmit={(event) => void create(event)}>
        <Field
          label="Name"
          placeholder="Studio script"
          autofocus
          required
          maxLength={100}
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
        <fieldset class="purposes">
          <legend>What it may do</legend>
          {PURPOSES.map((purpose) => (
            <PurposeBox
              key={purpose.name}
              {...purpose}
              isChosen={chosen.value.includes(purpose.name)}
              onChange={(isChosen) => {
                const others = chosen.value.filter((each) => each !== purpose.name);
                chosen.value = isChosen ? [...others, purpose.name] : others;
              }}
            />
          ))}
        </fieldset>
        <div class="field">
          <label for={select}>Expires</label>
          <select
            id={select}
            value={days.value}
            onChange={({ currentTarget }) => {
              days.value = currentTarget.value;
            }}
          >
            {ENDS.map((end) => (
              <option key={end.days} value={end.days}>
                {end.name}
              </option>
            ))}
          </select>
        </div>
        <div class="dialog-actions">
          <button type="button" class="button quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button" disabled={chosen.value.length === 0}>
            Create key
          </button>
        </div>
      </form>
    </Dialog>
  );
}

type BoxProps = {
  name: string;
  scopes: readonly string[];
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
};

function PurposeBox({ name, scopes, isChosen, onChange }: BoxProps) {
  return (
    <label class="purpose" title={scopes.join(" ")}>
      <input
        type="checkbox"
        checked={isChosen}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {name}
    </label>
  );
}

/** Shows a key, which is never shown again. */
export function showKeyOnce(name: string, key: string): void {
  showDialog((close) => (
    <Dialog label={`Key for ${name}`} onClose={close}>
      <div class="form">
        <p class="soft">Copy the key now: it is not shown again.</p>
        <Field label="API key" readOnly value={key} />
        <div class="dialog-actions">
          <CopyButton text={key} said="Key copied" />
          <button type="button" class="button" onClick={close}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  ));
}
