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

/** What was chosen, word by word; without a word, nothing. `onRemove` gets the place of a word. */
export function Chips({ words, onRemove }: { words: readonly string[]; onRemove: (at: number) => void }) {
  if (words.length === 0) return null;
  return (
    <ul class="chips">
      {words.map((word, at) => (
        <li key={`${at} ${word}`}>
          <RemovableChip name={`Remove ${word}`} onRemove={() => onRemove(at)}>
            {word}
          </RemovableChip>
        </li>
      ))}
    </ul>
  );
}
