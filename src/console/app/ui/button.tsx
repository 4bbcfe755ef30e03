/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentProps } from "preact";
import { Icon, type IconName } from "./icon.tsx";
import { attempt } from "./toast.tsx";

type Pressed = Omit<ComponentProps<"button">, "type" | "class" | "icon" | "label" | "onClick"> & {
  /** Classes beside that of the button: `secondary`, `quiet`, `danger`, `small`, or the screen's own. */
  look?: string;
  /** What a press does. A refusal is said in a toast. */
  run: () => unknown;
};

/** A button with words. `label` is its accessible name where the words do not say enough. */
export function Button({
  look = "",
  icon,
  label,
  run,
  children,
  ...rest
}: Pressed & { icon?: IconName; label?: string }) {
  return (
    <button
      type="button"
      class={`button ${look}`}
      {...(label !== undefined && { "aria-label": label })}
      {...rest}
      onClick={() => attempt(run)}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button that shows an icon alone. `label` is its accessible name. */
export function IconButton({
  look = "",
  icon,
  label,
  run,
  ...rest
}: Pressed & { icon: IconName; label: string }) {
  return (
    <button
      type="button"
      class={`icon-button ${look}`}
      aria-label={label}
      {...rest}
      onClick={() => attempt(run)}
    >
      <Icon name={icon} />
    </button>
  );
}
