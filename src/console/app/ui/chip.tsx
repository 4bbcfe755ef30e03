/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

/** A word that can be taken away: one button, named by what it does, `Remove filter BPM 120–130`. */
export function RemovableChip({
  name,
  onRemove,
  children,
}: {
  name: string;
  onRemove: () => void;
  children: ComponentChildren;
}) {
  return (
    <button type="button" class="chip" aria-label={name} onClick={onRemove}>
      <span class="chip-text">{children}</span>
      <Icon name="close" />
    </button>
  );
}
