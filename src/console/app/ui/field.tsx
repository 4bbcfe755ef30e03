/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useId } from "preact/hooks";
import { attempt } from "./toast.tsx";

type FieldProps = {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** For screen readers only: the label is not shown. */
  isLabelHidden?: boolean;
};

/** The label and notes of a text field. */
type TextOptions = {
  name?: string;
  value?: string;
  placeholder?: string;
  title?: string;
  maxLength?: number;
  required?: boolean;
  readOnly?: boolean;
  disabled?: boolean;
  autofocus?: boolean;
  inputRef?: RefObject<(HTMLInputElement & HTMLTextAreaElement) | null>;
  onInput?: (event: { currentTarget: { value: string } }) => void;
  onBlur?: (event: { currentTarget: { value: string } }) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
};
type InputOptions = TextOptions & {
  type?: "text" | "email" | "password" | "search" | "number" | "date" | "url";
  autocomplete?: "off" | "username" | "current-password" | "new-password" | "email" | "name";
  inputmode?: "numeric" | "decimal";
  min?: number | string;
  max?: number | string;
  step?: number | string;
};

/** An input with its label, a hint and the error of its value below. */
export function Field({
  label,
  hint,
  error,
  isLabelHidden = false,
  inputRef,
  ...input
}: FieldProps & InputOptions) {
  const id = useId();
  const { said = error, ...read } = useReadable(input);
  return (
    <Labelled id={id} label={label} hint={hint} error={said} isLabelHidden={isLabelHidden}>
      <input
        id={id}
        {...describedBy(id, hint, said)}
        {...(inputRef && { ref: inputRef })}
        {...(input as object)}
        {...read}
      />
    </Labelled>
  );
}

/** What browsers give no value for, by the type of the field. */
const UNREADABLE: Readonly<Record<string, string>> = {
  number: "Enter a number.",
  date: "Enter a whole date.",
};

/**
 * Says so where the browser cannot read the text. It has no value then, and must not be taken for an empty field: the
 * handlers are not called, and the text stays.
 */
function useReadable({ type = "text", onInput, onBlur }: InputOptions) {
  const isUnreadable = useSignal(false);
  const said = UNREADABLE[type];
  if (said === undefined) return { said };
  const ifReadable = (handle: TextOptions["onInput"]) => (event: { currentTarget: HTMLInputElement }) => {
    isUnreadable.value = event.currentTarget.validity.badInput;
    if (!isUnreadable.peek()) handle?.(event);
  };
  return {
    onInput: ifReadable(onInput),
    onBlur: ifReadable(onBlur),
    said: isUnreadable.value ? said : undefined,
    ...(isUnreadable.value && { value: undefined }),
  };
}

/** As {@link Field}, for text of several lines. */
export function TextField({
  label,
  hint,
  error,
  isLabelHidden = false,
  inputRef,
  ...input
}: FieldProps & TextOptions) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint} error={error} isLabelHidden={isLabelHidden}>
      <textarea
        id={id}
        {...describedBy(id, hint, error)}
        {...(inputRef && { ref: inputRef })}
        {...(input as object)}
      />
    </Labelled>
  );
}

function Labelled({
  id,
  label,
  hint,
  error,
  isLabelHidden,
  children,
}: FieldProps & { id: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? "sr-only" : ""}>
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </div>
  );
}

/** What is wrong with the field `id`, for {@link describedBy}. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p class="field-error" id={`${id}-error`}>
      {error}
    </p>
  );
}

/** Returns the attributes that tie a field to its hint and its error. */
export function describedBy(id: string, hint: string | undefined, error: string | undefined) {
  const ids = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return {
    ...(ids.length > 0 && { "aria-describedby": ids.join(" ") }),
    ...(error !== undefined && { "aria-invalid": true }),
  };
}

/** Something that is on or off at once. */
export function Switch({
  label,
  hint,
  isOn,
  onChange,
}: {
  label: string;
  hint?: string;
  isOn: boolean;
  /** A refusal is said in a toast. */
  onChange: (isOn: boolean) => unknown;
}) {
  const id = useId();
  return (
    <div class="switch">
      <button
        id={`${id}-switch`}
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-labelledby={id}
        class="switch-button"
        onClick={() => attempt(() => onChange(!isOn))}
      />
      <label id={id} for={`${id}-switch`} class="switch-label">
        {label}
      </label>
      {hint !== undefined && <span class="field-hint">{hint}</span>}
    </div>
  );
}

/** A box to tick, with its words. */
export function Check({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ComponentChildren;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {children}
    </label>
  );
}

type SelectProps<Value extends string> = Pick<FieldProps, "label" | "isLabelHidden"> & {
  value: Value;
  options: readonly { value: Value; name: string }[];
  onChange: (value: Value) => void;
};

/** A choice of one line of a list. */
export function SelectField<Value extends string>({
  label,
  isLabelHidden = false,
  value,
  options,
  onChange,
}: SelectProps<Value>) {
  const id = useId();
  return (
    <Labelled id={id} label={label} isLabelHidden={isLabelHidden}>
      <select
        id={id}
        value={value}
        // Only what the options below have can be chosen.
        onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.name}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** Why a form was not taken, where no field is at fault. */
export function Refusal({ sentence }: { sentence: string | undefined }) {
  if (sentence === undefined) return null;
  return (
    <p class="field-error" role="alert">
      {sentence}
    </p>
  );
}
