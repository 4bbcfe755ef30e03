/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Refusal } from "./field.tsx";
import { useForm, type Wrong } from "./use-form.ts";

type FormDialogProps = {
  label: string;
  /** The verb on its button. */
  verb: string;
  /** Another look, see {@link Dialog}. */
  kind?: string;
  isDanger?: boolean;
  isReady?: boolean;
  onClose: () => void;
  /**
   * Sends the form. Afterwards the dialog closes, and a function that it returned is called; with false it stays. A refusal
   * is shown beside its field, or below the fields.
   */
  send: () => Promise<unknown>;
  children: (wrong: Wrong) => ComponentChildren;
};

/** A small form in a dialog: fields, a button with the verb, and Cancel. */
export function FormDialog({ label, verb, kind = "", onClose, send, children, ...button }: FormDialogProps) {
  const sendAndClose = async () => {
    const next = await send();
    if (next === false) return;
    onClose();
    if (typeof next === "function") next();
  };
  return (
    <Dialog label={label} kind={kind} onClose={onClose}>
      <DialogForm verb={verb} {...button} onClose={onClose} send={sendAndClose}>
        {children}
      </DialogForm>
    </Dialog>
  );
}

/** The form of a {@link FormDialog}, for a dialog that shows something else afterwards. */
export function DialogForm({
  verb,
  isDanger = false,
  isReady = true,
  onClose,
  send,
  children,
}: Omit<FormDialogProps, "label" | "kind" | "send"> & { send: () => unknown }) {
  const { wrong, problem, isSending, submit } = useForm(send);
  return (
    <form class="form" noValidate onSubmit={(event) => void submit(event)}>
      {children(wrong)}
      <Refusal sentence={problem} />
      <div class="dialog-actions">
        <Button look="quiet" run={onClose}>
          Cancel
        </Button>
        <button type="submit" class={isDanger ? "button danger" : "button"} disabled={!isReady || isSending}>
          {verb}
        </button>
      </div>
    </form>
  );
}
