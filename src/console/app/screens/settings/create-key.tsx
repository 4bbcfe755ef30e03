/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_KEY_NAME } from "../../../../modules/people/keys/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { can } from "../../api/library.ts";
import { query, queryClient } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, showDialog } from "../../ui/dialog.tsx";
import { Check, Field, SelectField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { typed } from "../../ui/use-form.ts";
import { CopyButton } from "./copy-button.tsx";
import { PURPOSES } from "./purposes.ts";

const ENDS = [
  { value: "", name: "Never" },
  { value: "30", name: "In 30 days" },
  { value: "90", name: "In 90 days" },
  { value: "365", name: "In a year" },
];

/** Every key of the account that is not revoked. */
export const keysQuery = () => query("/integration/api-keys/all", {}, {});
export const readKeys = () => queryClient.invalidateQueries({ queryKey: keysQuery().queryKey });

/** Makes a key in a dialog, which shows it once. `onMade` gets the whole key. */
export function openCreateKey({ name = "", onMade }: { name?: string; onMade?: (key: string) => void } = {}) {
  showDialog((close) => <CreateKeyDialog name={name} onMade={onMade} onClose={close} />);
}

/** What a person's role lets a key be for, with no more than the role itself may. */
const purposesNow = () =>
  PURPOSES.map(({ name, scopes }) => ({ name, scopes: scopes.filter(can) })).filter(
    ({ scopes }) => scopes.length > 0,
  );

type DialogProps = { name: string; onMade: ((key: string) => void) | undefined; onClose: () => void };

function CreateKeyDialog({ name: suggested, onMade, onClose }: DialogProps) {
  const name = useSignal(suggested);
  const days = useSignal("");
  const chosen = useSignal<readonly string[]>([PURPOSES[0].name]);
  const purposes = purposesNow();
  const send = async () => {
    const scopes = new Set(purposes.flatMap((each) => (chosen.value.includes(each.name) ? each.scopes : [])));
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
            {purposes.map((purpose) => (
              <Check
                key={purpose.name}
                isOn={chosen.value.includes(purpose.name)}
                onChange={(isChosen) => {
                  const others = chosen.value.filter((each) => each !== purpose.name);
                  chosen.value = isChosen ? [...others, purpose.name] : others;
                }}
              >
                <span title={purpose.scopes.join(" ")}>{purpose.name}</span>
              </Check>
            ))}
          </fieldset>
          <SelectField
            label="Expires"
            value={days.value}
            options={ENDS}
            onChange={(chosenDays) => {
              days.value = chosenDays;
            }}
          />
        </>
      )}
    </FormDialog>
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
