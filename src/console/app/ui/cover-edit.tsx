/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { PICTURES } from "./data-uri.ts";
import { FileInput } from "./file-input.tsx";
import { Icon } from "./icon.tsx";

type CoverEditProps = {
  /** Accessible name of the file input. */
  label: string;
  take: (files: readonly File[]) => unknown;
  /** The picture, and what else there is to it. */
  children: ComponentChildren;
};

/** A cover with the button that chooses another; with a mouse, the button shows below the pointer. */
export function CoverEdit({ label, take, children }: CoverEditProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div class="cover-edit">
      <button type="button" class="cover-edit-button" onClick={() => picker.current?.click()}>
        <Icon name="edit" />
        <span class="sr-only">Change cover</span>
      </button>
      {children}
      <FileInput label={label} inputRef={picker} accept={PICTURES} take={take} />
    </div>
  );
}
