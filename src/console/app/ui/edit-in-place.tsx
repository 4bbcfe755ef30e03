/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { sentenceOf } from "../api/errors.ts";
import { Icon } from "./icon.tsx";
import { isToTheirs, TheirChange, useTheirs } from "./theirs.tsx";
import { toastError } from "./toast.tsx";
import "./edit-in-place.css";

type Props = {
  /** Name of the field; the button is "Edit {label}". */
  label: string;
  /** What the server calls it, where others may change it too. */
  field?: string;
  text: string;
  isOpen: Signal<boolean>;
  /** The sentence of a refusal is shown below the field, which keeps the text. */
  onSave: (text: string) => Promise<void>;
  maxLength: number;
  tooltip?: string;
  /** True: it only shows, for those who may not change it. */
  isFixed?: boolean;
  /** True: several lines; Enter begins a new one. */
  isLong?: boolean;
  /** The text as it shows. */
  children: ComponentChildren;
};

/** A text that becomes a field where it stands. Enter and leaving the field save, Escape does not. */
export function EditInPlace(props: Props) {
  const { label, text, isOpen, tooltip, isFixed = false, onSave, children } = props;
  const button = useRef<HTMLButtonElement>(null);
  const typed = useSignal<string | undefined>(undefined);
  const reason = useSignal<string | undefined>(undefined);
  const { name: other, began } = useTheirs({ field: props.field, text, typed: typed.value });
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const name = `Edit ${label.toLowerCase()}`;
  const save = async (next: string) => {
    try {
      await onSave(next);
    } catch (thrown) {
      if (isGone.current) toastError(thrown);
      // Another text may have been started by now.
      if (!isOpen.peek()) typed.value = next;
      reason.value = sentenceOf(thrown);
      isOpen.value = true;
    }
  };
  const end = (isKept: boolean) => {
    if (!isOpen.peek()) return;
    const next = typed.peek()?.trim() ?? text;
    // Who types nothing new overwrites nothing.
    const isSame = next === text || next === began;
    isOpen.value = false;
    typed.value = undefined;
    reason.value = undefined;
    requestAnimationFrame(() => button.current?.focus({ preventScroll: true }));
    if (isKept && !isSame) void save(next);
  };
  if (isOpen.value) return <Input {...props} typed={typed} reason={reason.value} other={other} onEnd={end} />;
  return (
    <div class="in-place">
      {children}
      {!isFixed && (
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
      )}
    </div>
  );
}

type InputProps = Props & {
  typed: Signal<string | undefined>;
  reason: string | undefined;
  /** Who changed it since this began. */
  other: string | undefined;
  onEnd: (isKept: boolean) => void;
};

function Input({ label, text, typed, reason, other, onEnd, maxLength, isLong = false }: InputProps) {
  const id = useId();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const isEnter = event.key === "Enter" && (!isLong || event.ctrlKey || event.metaKey);
    if (event.isComposing || !(isEnter || event.key === "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    onEnd(isEnter);
  };
  const shared = {
    "aria-label": label,
    class: "in-place-input",
    maxLength,
    value: typed.value ?? text,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
      typed.value = currentTarget.value;
    },
    onKeyDown,
    onBlur: (event: FocusEvent) => isToTheirs(event) || onEnd(true),
    ...(reason !== undefined && { "aria-invalid": true, "aria-describedby": id }),
  };
  return (
    <div class="in-place-field">
      {isLong ? <textarea ref={field} rows={3} {...shared} /> : <input ref={field} type="text" {...shared} />}
      {reason !== undefined && (
        <p class="field-error" id={id} role="alert">
          {reason}
        </p>
      )}
      {other !== undefined && (
        <TheirChange
          name={other}
          text={text}
          onTake={() => {
            typed.value = undefined;
          }}
          onLeave={() => onEnd(true)}
        />
      )}
    </div>
  );
}
