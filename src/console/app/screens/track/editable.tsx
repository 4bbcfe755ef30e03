/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { tooltip } from "../../ui/actions.ts";
import { Icon } from "../../ui/icon.tsx";

type State = { isOpen: Signal<boolean>; begin: () => void };

/** Whether a text that is changed in place is being changed. */
export function useEditable(): State {
  const isOpen = useSignal(false);
  return useMemo(
    () => ({
      isOpen,
      begin: () => {
        isOpen.value = true;
      },
    }),
    [isOpen],
  );
}

type EditableProps = {
  label: "Title" | "Artist";
  text: string;
  state: State;
  onSave: (text: string) => unknown;
  /** The text as it shows. */
  children: ComponentChildren;
};

/** A text that becomes a field in its place. Enter and leaving the field save, Escape does not. */
export function Editable({ label, text, state: { isOpen, begin }, onSave, children }: EditableProps) {
  const button = useRef<HTMLButtonElement>(null);
  const end = () => {
    isOpen.value = false;
    requestAnimationFrame(() => button.current?.focus({ preventScroll: true }));
  };
  if (isOpen.value) return <TextInput label={label} text={text} onSave={onSave} onEnd={end} />;
  const name = `Edit ${label.toLowerCase()}`;
  return (
    <div class={`editable editable-${label.toLowerCase()}`}>
      {children}
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={name}
        title={label === "Title" ? tooltip("rename", name) : name}
        onClick={begin}
      >
        <Icon name="edit" />
      </button>
    </div>
  );
}

type InputProps = { label: string; text: string; onSave: (text: string) => unknown; onEnd: () => void };

function TextInput({ label, text, onSave, onEnd }: InputProps) {
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => field.current?.select(), []);
  const finish = (isKept: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    const next = field.current?.value.trim() ?? text;
    onEnd();
    if (isKept && next !== text) onSave(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    finish(event.key === "Enter");
  };
  return (
    <input
      ref={field}
      type="text"
      class={`editable-input editable-${label.toLowerCase()}`}
      aria-label={label}
      maxLength={500}
      value={text}
      onKeyDown={onKeyDown}
      onBlur={() => finish(true)}
    />
  );
}
