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
  /** False: Enter in a field does not send it, only a press of its button. */
  takesEnter?: boolean;
  onClose: () => void;
  /**
   * Sends the form. Afterwards the dialog closes, and a function that it returned is called; with false it stays. A refusal
   * is shown beside its field, or below the fields.
   */
  send: () => Promise<unknown>;
  /** Another way to send it, beside the first. Enter in a field then sends it in none. */
  also?: Also | undefined;
  children: (wrong: Wrong) => ComponentChildren;
};

/** A second way to send a form. */
export type Also = {
  verb: string;
  /** As `send`. */
  send: () => Promise<unknown>;
  /** Shows beforehand what it does. */
  preview?: { verb: string; run: () => unknown };
};

const ALSO = "also";

/** A small form in a dialog: fields, a button with the verb, and Cancel. */
export function FormDialog({
  label,
  verb,
  kind = "",
  onClose,
  send,
  also,
  children,
  ...button
}: FormDialogProps) {
  const andClose = (run: () => Promise<unknown>) => async () => {
    const next = await run();
    if (next === false) return;
    onClose();
    if (typeof next === "function") next();
  };
  return (
    <Dialog label={label} kind={kind} onClose={onClose}>
      <DialogForm
        verb={verb}
        {...button}
        also={also && { ...also, send: andClose(also.send) }}
        onClose={onClose}
        send={andClose(send)}
      >
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
  takesEnter = true,
  onClose,
  send,
  also,
  children,
}: Omit<FormDialogProps, "label" | "kind" | "send"> & { send: () => unknown }) {
  const { wrong, problem, isSending, submit } = useForm((pressed) =>
    also && pressed === ALSO ? also.send() : send(),
  );
  const look = isDanger ? "danger" : also ? "secondary" : "";
  return (
    <form class="form" noValidate onSubmit={(event) => void submit(event)}>
      {/* The button that Enter in a field would press. */}
      {(also || !takesEnter) && <button type="submit" disabled hidden />}
      {children(wrong)}
      <Refusal sentence={problem} />
      <div class="dialog-actions">
        <Button look="quiet" run={onClose}>
          Cancel
        </Button>
        {also?.preview && (
          <Button look="quiet" run={also.preview.run}>
            {also.preview.verb}
          </Button>
        )}
        <button type="submit" class={`button ${look}`} disabled={!isReady || isSending}>
          {verb}
        </button>
        {also && (
          <button type="submit" class="button" value={ALSO} disabled={!isReady || isSending}>
            {also.verb}
          </button>
        )}
      </div>
    </form>
  );
}
