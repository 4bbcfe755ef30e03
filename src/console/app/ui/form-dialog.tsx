/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { ApiError } from "../api/errors.ts";
import { Dialog } from "./dialog.tsx";
import { toastError } from "./toast.tsx";

/** What is wrong with each field, by its name in the request. */
export type Wrong = Readonly<Record<string, string>>;

type FormDialogProps = {
  label: string;
  /** The verb on its button. */
  verb: string;
  isDanger?: boolean;
  isReady?: boolean;
  onClose: () => void;
  /** Sends the form. Afterwards the dialog closes; a refusal of a field stands beside the field. */
  send: () => Promise<unknown>;
  children: (wrong: Wrong) => ComponentChildren;
};

/** A small form in a dialog: fields, a button with the verb, and Cancel. */
export function FormDialog({
  label,
  verb,
  isDanger = false,
  isReady = true,
  onClose,
  send,
  children,
}: FormDialogProps) {
  const wrong = useSignal<Wrong>({});
  const isSending = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isSending.value) return;
    isSending.value = true;
    wrong.value = {};
    try {
      await send();
      onClose();
    } catch (thrown) {
      const issues = thrown instanceof ApiError ? thrown.issues : [];
      wrong.value = Object.fromEntries(issues.map(({ path, detail }) => [path, `This ${detail}.`]));
      if (issues.length === 0) toastError(thrown);
    } finally {
      isSending.value = false;
    }
  };
  return (
    <Dialog label={label} onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        {children(wrong.value)}
        <div class="dialog-actions">
          <button type="button" class="button quiet" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class={isDanger ? "button danger" : "button"}
            disabled={!isReady || isSending.value}
          >
            {verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
