/** @jsxRuntime automatic @jsxImportSource preact */
import { attempt } from "./toast.tsx";

type FileInputProps = {
  label: string;
  inputRef: { current: HTMLInputElement | null };
  accept: string;
  /** Takes what was chosen. A refusal is said in a toast. */
  take: (files: readonly File[]) => unknown;
};

/** A file input that does not show: a button opens it. */
export function FileInput({ label, inputRef, accept, take }: FileInputProps) {
  return (
    <input
      ref={inputRef}
      type="file"
      aria-label={label}
      accept={accept}
      hidden
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])];
        currentTarget.value = "";
        if (files.length > 0) attempt(() => take(files));
      }}
    />
  );
}
