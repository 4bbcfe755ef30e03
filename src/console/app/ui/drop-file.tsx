/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Takes a file that is dropped anywhere on the screen. Elsewhere in the console a drop adds to the library. */
export function DropFile({ take, children }: { take: (file: File) => void; children: ComponentChildren }) {
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
      if (file) taking.current(file);
    });
    return () => stop.abort();
  }, [isOver]);
  return isOver.value ? <div class="drop-over">{children}</div> : null;
}
