/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { droppedFiles } from "./dropped.ts";
import { addUploads } from "./queue.ts";

/** Takes files and folders that are dropped anywhere in the window, and says where they would go. */
export function DropZone() {
  const isOver = useSignal(false);
  useEffect(() => {
    const has = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;
    const onDragOver = (event: DragEvent) => {
      if (!has(event) || event.defaultPrevented) return;
      // Without this the browser would leave the page and open the file.
      event.preventDefault();
      isOver.value = true;
    };
    const onDragLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) isOver.value = false;
    };
    const onDrop = (event: DragEvent) => {
      isOver.value = false;
      if (!has(event) || event.defaultPrevented || !event.dataTransfer) return;
      event.preventDefault();
      void droppedFiles(event.dataTransfer).then(addUploads);
    };
    addEventListener("dragover", onDragOver);
    addEventListener("dragleave", onDragLeave);
    addEventListener("drop", onDrop);
    return () => {
      removeEventListener("dragover", onDragOver);
      removeEventListener("dragleave", onDragLeave);
      removeEventListener("drop", onDrop);
    };
  }, [isOver]);
  return isOver.value ? <div class="drop-over">Add to library</div> : null;
}
