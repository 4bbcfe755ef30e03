/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { ApiError, sentenceOf } from "../../api/errors.ts";
import { changed } from "../../api/queries.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import type { Composer } from "./queries.ts";

type NewComposerProps = { name: string; onClose: () => void; onCreated: (composer: Composer) => void };

/** A composer whom the account does not have yet. */
export function NewComposer({ name, onClose, onCreated }: NewComposerProps) {
  const fullName = useSignal(name);
  const email = useSignal("");
  const pro = useSignal("");
  const ipi = useSignal("");
  const error = useSignal<unknown>(undefined);
  const create = async () => {
    try {
      const body = {
        fullName: fullName.value.trim(),
        email: email.value.trim(),
        pro: pro.value.trim() || null,
        ipi: ipi.value.trim() || null,
      };
      const composer = await dataOf(api.POST("/app/library/composers", { body }));
      onClose();
      onCreated(composer);
      changed("composers", null);
    } catch (thrown) {
      error.value = thrown;
    }
  };
  const issueOf = (path: string) => {
    const found = error.value instanceof ApiError && error.value.issues.find((issue) => issue.path === path);
    return found ? `It ${found.detail}` : undefined;
  };
  const hasIssues = error.value instanceof ApiError && error.value.issues.length > 0;
  const field = (label: string, value: typeof fullName, path: string, autofocus = false) => (
    <Field
      label={label}
      error={issueOf(path)}
      maxLength={200}
      {...(path === "email" && { type: "email" as const })}
      {...(autofocus && { autofocus })}
      value={value.value}
      onInput={({ currentTarget }) => {
        value.value = currentTarget.value;
      }}
    />
  );
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
        {field("Full name", fullName, "fullName")}
        {field("E-mail", email, "email", true)}
        {field("PRO", pro, "pro")}
        {field("IPI", ipi, "ipi")}
        {error.value !== undefined && !hasIssues && (
          <p class="field-error" role="alert">
            {sentenceOf(error.value)}
          </p>
        )}
        <div class="dialog-actions">
          <button type="button" class="button quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button">
            Create
          </button>
        </div>
      </form>
    </Dialog>
  );
}
