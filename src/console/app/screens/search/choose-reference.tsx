/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
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

/** Takes a file that is dropped anywhere on the screen. Elsewhere in the console a drop adds to the library. */
export function DropReference({ take }: { take: (id: string) => void }) {
  const isOver = useSignal(false);
  const taking = useRef(take);
  taking.current = take;
  useEffect(() => {
    const has = (event: DragEvent) => !event.defaultPrevented && event.dataTransfer?.types.includes("Files");
    const stop = new AbortController();
    const on = (type: "dragover" | "dragleave" | "drop", listener: (event: DragEvent) => void) =>
      document.addEventListener(type, listener, { signal: stop.signal });
    on("dragover", (event) => {
      if (!has(event)) return;
      event.preventDefault();
      isOver.value = true;
    });
    on("dragleave", ({ relatedTarget }) => {
      if (relatedTarget === null) isOver.value = false;
    });
    on("drop", (event) => {
      isOver.value = false;
      if (!has(event)) return;
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file) taking.current(give(file));
    });
    return () => stop.abort();
  }, [isOver]);
  return isOver.value ? <div class="drop-over">Find what sounds like this</div> : null;
}
