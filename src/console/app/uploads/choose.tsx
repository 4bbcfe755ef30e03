/** @jsxRuntime automatic @jsxImportSource preact */
import { chosenFiles } from "./dropped.ts";
import { addUploads } from "./queue.ts";

/** The two inputs that music is chosen with. */
export function ChooseButtons() {
  const onChange = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    addUploads(chosenFiles(currentTarget));
    currentTarget.value = "";
  };
  return (
    <div class="choose">
      <Choose label="Choose files" onChange={onChange} />
      <Choose label="Choose a folder" isFolder onChange={onChange} />
    </div>
  );
}

type ChooseProps = {
  label: string;
  isFolder?: boolean;
  onChange: (event: { currentTarget: HTMLInputElement }) => void;
};

function Choose({ label, isFolder = false, onChange }: ChooseProps) {
  const open = ({ currentTarget }: { currentTarget: HTMLElement }) =>
    (currentTarget.nextElementSibling as HTMLInputElement | null)?.click();
  return (
    <span>
      <button type="button" class={`button ${isFolder ? "secondary" : ""}`} onClick={open}>
        {label}
      </button>
      <input
        type="file"
        class="sr-only"
        tabIndex={-1}
        aria-label={label}
        multiple
        {...(isFolder && { webkitdirectory: true })}
        onChange={onChange}
      />
    </span>
  );
}
