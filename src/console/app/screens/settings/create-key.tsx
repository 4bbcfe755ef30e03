/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { MAX_KEY_NAME } from "../../../../modules/people/keys/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { query, queryClient } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, showDialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { typed } from "../../ui/use-form.ts";
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
  const send = async () => {
    const scopes = new Set(PURPOSES.flatMap((each) => (chosen.value.includes(each.name) ? each.scopes : [])));
    const body = {
      name: name.value,
      scopes: [...scopes],
      ...(days.value !== "" && { days: Number(days.value) }),
    };
    const { key } = await dataOf(api.POST("/integration/api-keys", { body }));
    void readKeys();
    onMade?.(key);
    return () => showKeyOnce(name.value, key);
  };
  return (
    <FormDialog
      label="Create key"
      verb="Create key"
      isReady={chosen.value.length > 0}
      onClose={onClose}
      send={send}
    >
      {(wrong) => (
        <>
          <Field
            label="Name"
            placeholder="Studio script"
            autofocus
            required
            maxLength={MAX_KEY_NAME}
            error={wrong.name}
            {...typed(name)}
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
        </>
      )}
    </FormDialog>
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
          <Button run={close}>Done</Button>
        </div>
      </div>
    </Dialog>
  ));
}
