/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { sentenceOf } from "../../api/errors.ts";
import { changed } from "../../api/queries.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { toast } from "../../ui/toast.tsx";
import { FIELDS, type Name } from "./fields.ts";

/** Adds a composer. Only the name is needed; what is missing is marked in the list. */
export function NewComposerDialog({ onClose }: { onClose: () => void }) {
  const typed = useSignal<Partial<Record<Name, string>>>({});
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const create = async () => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    try {
      const entries = FIELDS.map(({ name }) => [name, typed.value[name]?.trim() || null] as const);
      const { fullName, ...rest } = Object.fromEntries(entries) as Record<Name, string | null>;
      const made = await dataOf(api.POST("/app/composers", { body: { ...rest, fullName: fullName ?? "" } }));
      changed("composers", null);
      onClose();
      toast(`${made.fullName} added`);
    } catch (thrown) {
      problem.value = sentenceOf(thrown);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Dialog label="New composer" onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        {FIELDS.map(({ name, label, type }) => (
          <Field
            key={name}
            label={label}
            type={type ?? "text"}
            maxLength={200}
            autofocus={name === "fullName"}
            value={typed.value[name] ?? ""}
            onInput={({ currentTarget }) => {
              typed.value = { ...typed.value, [name]: currentTarget.value };
            }}
          />
        ))}
        {problem.value !== undefined && (
          <p class="field-error" role="alert">
            {problem.value}
          </p>
        )}
        <div class="dialog-actions">
          <button type="button" class="button quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button" aria-disabled={isBusy.value}>
            Create
          </button>
        </div>
      </form>
    </Dialog>
  );
}
