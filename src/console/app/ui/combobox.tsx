/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { describedBy, FieldError } from "./field.tsx";
import { isToTheirs } from "./theirs.tsx";

/** A line of a combobox's list. */
export type Option = {
  /** Stays the same while the list changes. */
  id: string;
  /** What it is called, and what readers hear. */
  text: string;
  /** At the right of the text, not part of the name. */
  hint?: ComponentChildren;
};

type ComboboxProps<Chosen extends Option> = {
  label: string;
  /** The text of the field; the parent sees every change. */
  text: Signal<string>;
  options: readonly Chosen[];
  onChoose: (option: Chosen) => void;
  /** Enter with nothing chosen in the list, such as a new word. Left out: the first option is chosen by itself. */
  onEnter?: (text: string) => void;
  /** The text of the field when the focus leaves it. */
  onLeave?: (text: string) => void;
  /** Backspace in the empty field, to take the last chip away. */
  onBackspace?: () => void;
  placeholder?: string;
  isLabelHidden?: boolean;
  /** True: the list always shows below the field, as in the palette. Otherwise it opens over the page. */
  isInline?: boolean;
  /** Shown in place of a list that is empty. */
  nothing?: string;
  /** The fault of the text in the field. */
  error?: string | undefined;
  autofocus?: boolean;
};

/**
 * A text field with a list of suggestions, as WAI-ARIA describes it: the focus stays in the field, arrows move through the
 * list, Enter chooses, Escape closes the list.
 */
export function Combobox<Chosen extends Option>(props: ComboboxProps<Chosen>) {
  const {
    label,
    text,
    options,
    onChoose,
    placeholder,
    isInline = false,
    isLabelHidden = false,
    nothing,
  } = props;
  const id = useId();
  const isOpen = useSignal(isInline);
  const active = useSignal<string | undefined>(undefined);
  const list = useRef<HTMLDivElement>(null);
  const pickFirst = props.onEnter === undefined;
  const at = options.findIndex((option) => option.id === active.value);
  const index = at < 0 && pickFirst && options.length > 0 ? 0 : at;
  const chosen = options[index];
  const isShown = isOpen.value && (options.length > 0 || nothing !== undefined);

  usePopup(list, isShown, isInline);
  useLayoutEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [index, isShown]);

  const choose = (option: Chosen) => {
    active.value = undefined;
    if (!isInline) isOpen.value = false;
    onChoose(option);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = stepsOf({ ...props, isOpen, active, index, choose })[event.key];
    if (step?.()) event.preventDefault();
    if (event.key === "Escape" && isOpen.value && !isInline) {
      // Closes the list only, not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      isOpen.value = false;
    }
  };
  return (
    <div class={`field combobox ${isInline ? "combobox-inline" : ""}`}>
      <label for={id} class={isLabelHidden ? "sr-only" : ""}>
        {label}
      </label>
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(chosen && isShown && { "aria-activedescendant": `${id}-${chosen.id}` })}
        {...(placeholder !== undefined && { placeholder })}
        {...(props.autofocus && { autofocus: true })}
        {...describedBy(id, undefined, props.error)}
        value={text}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          active.value = undefined;
          isOpen.value = true;
        }}
        onFocus={() => {
          // A dialog that begins here begins with all its fields in sight.
          isOpen.value = isInline || (options.length > 0 && !props.autofocus);
        }}
        onClick={() => {
          isOpen.value = isInline || options.length > 0;
        }}
        onBlur={(event) => {
          if (!isInline) isOpen.value = false;
          if (!isToTheirs(event)) props.onLeave?.(text.peek());
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} class="options" {...(!isInline && { popover: "manual" as const })}>
        {/* A form has many fields, and the lines of a closed list take longer to make than the field. */}
        <Options id={id} label={label} options={isShown ? options : []} index={index} choose={choose} />
        {options.length === 0 && nothing !== undefined && <p class="option-nothing">{nothing}</p>}
      </div>
      <FieldError id={id} error={props.error} />
    </div>
  );
}

type OptionsProps<Chosen extends Option> = {
  /** That of the field; the list and its lines have ids that begin with it. */
  id: string;
  label: string;
  options: readonly Chosen[];
  index: number;
  choose: (option: Chosen) => void;
};

/** The list of a field: its lines are chosen by pointer here, and by keys in the field. */
export function Options<Chosen extends Option>({ id, label, options, index, choose }: OptionsProps<Chosen>) {
  return (
    <div role="listbox" id={`${id}-list`} aria-label={label}>
      {options.map((option, position) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys act in the field
        <div
          key={option.id}
          id={`${id}-${option.id}`}
          role="option"
          class="option"
          aria-selected={position === index}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => choose(option)}
        >
          <span class="option-text">{option.text}</span>
          {option.hint !== undefined && (
            <span class="option-hint" aria-hidden="true">
              {option.hint}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

type Steps<Chosen extends Option> = ComboboxProps<Chosen> & {
  isOpen: Signal<boolean>;
  active: Signal<string | undefined>;
  index: number;
  choose: (option: Chosen) => void;
};

/** What keys do in the field; they return true when the browser should do nothing. */
function stepsOf<Chosen extends Option>(state: Steps<Chosen>): Readonly<Record<string, () => boolean>> {
  const { options, isOpen, active, index, choose, text, onEnter, onBackspace } = state;
  const moveTo = (to: number) => {
    isOpen.value = true;
    active.value = options[(to + options.length) % Math.max(1, options.length)]?.id;
    return true;
  };
  return {
    ArrowDown: () => moveTo(index + 1),
    ArrowUp: () => moveTo(index < 0 ? options.length - 1 : index - 1),
    Enter: () => {
      const option = isOpen.value ? options[index] : undefined;
      if (option) choose(option);
      else if (onEnter && text.value.trim() !== "") onEnter(text.value.trim());
      else return false;
      return true;
    },
    Backspace: () => {
      if (text.value !== "" || !onBackspace) return false;
      onBackspace();
      return true;
    },
  };
}

/** Shows the list over the page, also over the edge of a dialog. */
function usePopup(list: { current: HTMLDivElement | null }, isShown: boolean, isInline: boolean): void {
  useLayoutEffect(() => {
    const element = list.current;
    if (!element || isInline) return;
    if (isShown) {
      element.previousElementSibling?.setAttribute("data-anchor", "");
      element.showPopover();
    } else if (element.matches(":popover-open")) {
      element.hidePopover();
      element.previousElementSibling?.removeAttribute("data-anchor");
    }
  }, [isShown, isInline, list]);
}
