/** @jsxRuntime automatic @jsxImportSource preact */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { chosenFiles } from "./dropped.ts";
import { addUploads } from "./queue.ts";

/** How many screens show the two inputs: the tray needs none of its own then. */
export const choosers = signal(0);

/** The two inputs that music is chosen with. `isSmall`: those of the tray. */
export function ChooseButtons({ isSmall = false }: { isSmall?: boolean }) {
  useEffect(() => {
    if (isSmall) return undefined;
    choosers.value++;
    return () => void choosers.value--;
  }, [isSmall]);
  const onChange = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    addUploads(chosenFiles(currentTarget));
    currentTarget.value = "";
  };
  const look = isSmall ? "small" : "";
  return (
    <div class="choose">
      <Choose label="Choose files" look={look} onChange={onChange} />
      <Choose label="Choose a folder" look={`${look} secondary`} isFolder onChange={onChange} />
    </div>
  );
}

type ChooseProps = {
  label: string;
  /** Classes of the button. */
  look: string;
  isFolder?: boolean;
  onChange: (event: { currentTarget: HTMLInputElement }) => void;
};

function Choose({ label, look, isFolder = false, onChange }: ChooseProps) {
  const open = ({ currentTarget }: { currentTarget: HTMLElement }) =>
    (currentTarget.nextElementSibling as HTMLInputElement | null)?.click();
  return (
    <span>
      <button type="button" class={`button ${look}`} onClick={open}>
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

/** Asks for files, and sends them. */
export function chooseFiles(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.hidden = true;
  input.onchange = () => {
    input.remove();
    addUploads(chosenFiles(input));
  };
  input.oncancel = () => input.remove();
  // Browsers may forget an input that is nowhere while people choose.
  document.body.append(input);
  input.click();
}

/** Asks for a file, and sends it as a new version of a track. */
export function chooseVersion(trackId: string, title: string): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = "audio/*";
  input.onchange = () => addUploads(chosenFiles(input), { version: { trackId, title, activate: true } });
  input.click();
}
