/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_WORDS } from "../../../../modules/library/composers/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { changed } from "../../api/queries.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { FIELDS, type Name } from "./fields.ts";

/** Opens the dialog that adds a composer. */
export function openNewComposer(): void {
  showDialog((close) => <NewComposerDialog onClose={close} />);
}

/** Adds a composer. Only the name is needed; missing fields are marked in the list. */
function NewComposerDialog({ onClose }: { onClose: () => void }) {
  const values = useSignal<Partial<Record<Name, string>>>({});
  const send = async () => {
    const entries = FIELDS.map(({ name }) => [name, values.value[name]?.trim() || null] as const);
    const { fullName, ...rest } = Object.fromEntries(entries) as Record<Name, string | null>;
    const made = await dataOf(api.POST("/app/composers", { body: { ...rest, fullName: fullName ?? "" } }));
    changed("composers", null);
    toast(`${made.fullName} added`);
  };
  return (
    <FormDialog label="New composer" verb="Create" onClose={onClose} send={send}>
      {(wrong) =>
        FIELDS.map(({ name, label, type }) => (
          <Field
            key={name}
            label={label}
            type={type ?? "text"}
            maxLength={MAX_WORDS}
            autofocus={name === "fullName"}
            error={wrong[name]}
            value={values.value[name] ?? ""}
            onInput={({ currentTarget }) => {
              values.value = { ...values.value, [name]: currentTarget.value };
            }}
          />
        ))
      }
    </FormDialog>
  );
}
