/** @jsxRuntime automatic @jsxImportSource preact */
import { useRef } from "preact/hooks";
import { FileInput } from "../../ui/file-input.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useCommands } from "../../ui/keys.ts";
import { give } from "./given.ts";

/** What browsers offer to choose from. */
const SOUNDS = "audio/*,video/mp4,.flac,.aif,.aiff,.caf,.opus";
const NAME = "Choose a reference";

type Props = {
  /** Opens the choice of files, for what else asks for it. */
  open: { current: () => void };
  /** Takes the id of a file that was chosen. */
  take: (id: string) => void;
};

/** Chooses a file to search by. It can be dropped anywhere on the screen, too. */
export function ChooseReference({ open, take }: Props) {
  const input = useRef<HTMLInputElement>(null);
  open.current = () => input.current?.click();
  useCommands([{ id: "reference", name: NAME, words: "file sounds like", run: () => open.current() }]);
  return (
    <>
      <button type="button" class="icon-button" title={NAME} onClick={() => open.current()}>
        <Icon name="more-like" />
        <span class="sr-only">{NAME}</span>
      </button>
      <FileInput
        label={NAME}
        inputRef={input}
        accept={SOUNDS}
        take={([file]) => {
          if (file) take(give(file));
        }}
      />
    </>
  );
}
