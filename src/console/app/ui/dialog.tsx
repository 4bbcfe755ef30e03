/** @jsxRuntime automatic @jsxImportSource preact */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button, IconButton } from "./button.tsx";
import { focusAgain } from "./focus.ts";

type DialogProps = {
  /** Its heading and accessible name. */
  label: string;
  onClose: () => void;
  /** `alertdialog` for a final action. */
  role?: "dialog" | "alertdialog";
  /** Another look: `palette` at the top of the window. */
  kind?: string;
  /** False: the heading is for screen readers only. */
  hasHeading?: boolean;
  /** False: Escape, the backdrop and a cross do not close it. */
  mayClose?: boolean;
  children: ComponentChildren;
};

/**
 * A modal dialog, open for as long as it is rendered. Escape and a click beside it call `onClose`. The focus goes to the
 * first control or what has `autofocus`, and afterwards back to where it was.
 */
export function Dialog({
  label,
  onClose,
  role = "dialog",
  kind = "",
  hasHeading = true,
  mayClose = true,
  children,
}: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const element = box.current;
    element?.showModal();
    return () => {
      element?.close();
      focusAgain(opener);
    };
  }, []);
  const closeIfAllowed = () => {
    if (mayClose) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too
    <dialog
      ref={box}
      class={`dialog ${kind}`}
      role={role}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        closeIfAllowed();
      }}
      onClick={({ target }) => target === box.current && closeIfAllowed()}
    >
      <div class="dialog-body">
        <header class={hasHeading ? "dialog-head" : "sr-only"}>
          <h2 id={id}>{label}</h2>
          {mayClose && hasHeading && <IconButton label="Close" icon="close" run={onClose} />}
        </header>
        {children}
      </div>
    </dialog>
  );
}

type Shown = { id: number; render: (close: () => void) => ComponentChildren };

const shown = signal<readonly Shown[]>([]);
let lastId = 0;

/** Opens a dialog over whatever shows: `showDialog((close) => <Dialog … onClose={close} />)`. */
export function showDialog(render: Shown["render"]): void {
  shown.value = [...shown.value, { id: ++lastId, render }];
}

/** The dialogs that {@link showDialog} opened. */
export function Dialogs() {
  return (
    <>
      {shown.value.map(({ id, render }) => (
        <DialogOf key={id} render={render} close={() => drop(id)} />
      ))}
    </>
  );
}

function drop(id: number): void {
  shown.value = shown.value.filter((each) => each.id !== id);
}

function DialogOf({ render, close }: { render: Shown["render"]; close: () => void }) {
  return <>{render(close)}</>;
}

/**
 * Asks before something final. `question` names the thing: "Delete v3 for good?"; `verb` is the button. Returns whether it
 * was pressed. What can be undone is not asked about.
 */
export function confirmFinal(question: string, verb: string, explanation?: string): Promise<boolean> {
  return new Promise((resolve) => {
    showDialog((close) => {
      const answer = (isYes: boolean) => () => {
        close();
        resolve(isYes);
      };
      return (
        <Dialog label={question} role="alertdialog" onClose={answer(false)}>
          {explanation !== undefined && <p class="soft">{explanation}</p>}
          <div class="dialog-actions">
            <Button look="quiet" run={answer(false)}>
              Cancel
            </Button>
            <Button look="danger" run={answer(true)}>
              {verb}
            </Button>
          </div>
        </Dialog>
      );
    });
  });
}
