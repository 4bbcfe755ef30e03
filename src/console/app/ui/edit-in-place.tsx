/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

type Props = {
  /** Name of the field; the button is "Edit {label}". */
  label: string;
  text: string;
  isOpen: Signal<boolean>;
  onSave: (text: string) => unknown;
  maxLength: number;
  tooltip?: string;
  /** True: several lines; Enter begins a new one. */
  isLong?: boolean;
  /** The text as it shows. */
  children: ComponentChildren;
};

/** A text that becomes a field where it stands. Enter and leaving the field save, Escape does not. */
export function EditInPlace(props: Props) {
  const { label, isOpen, tooltip, children } = props;
  const button = useRef<HTMLButtonElement>(null);
  const name = `Edit ${label.toLowerCase()}`;
  if (isOpen.value)
    return <Input {...props} onEnd={() => requestAnimationFrame(() => button.current?.focus())} />;
  return (
    <div class="in-place">
      {children}
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={name}
        title={tooltip ?? name}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        <Icon name="edit" />
      </button>
    </div>
  );
}

function Input({
  label,
  text,
  isOpen,
  onSave,
  onEnd,
  maxLength,
  isLong = false,
}: Props & { onEnd: () => void }) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const finish = (isKept: boolean) => {
    if (!isOpen.peek()) return;
    const next = field.current?.value.trim() ?? text;
    isOpen.value = false;
    onEnd();
    if (isKept && next !== text) onSave(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isEnter = event.key === "Enter" && (!isLong || event.ctrlKey || event.metaKey);
    if (event.isComposing || !(isEnter || event.key === "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    finish(isEnter);
  };
  const shared = {
    "aria-label": label,
    class: "in-place-input",
    maxLength,
    onKeyDown,
    onBlur: () => finish(true),
  };
  if (isLong)
    return (
      <textarea ref={field} rows={3} {...shared}>
        {text}
      </textarea>
    );
  return <input ref={field} type="text" value={text} {...shared} />;
}
