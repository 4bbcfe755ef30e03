/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { queryClient } from "../api/queries.ts";
import { cardQuery } from "../playlists/types.ts";
import { match } from "../router.ts";
import { droppedFiles } from "./dropped.ts";
import { addUploads, type Goal } from "./queue.ts";

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
      const goal = goalHere();
      void droppedFiles(event.dataTransfer).then((files) => addUploads(files, goal));
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
  if (!isOver.value) return null;
  return <div class="drop-over">Add to {goalHere().playlist?.name ?? "library"}</div>;
}

/** What a drop means on the screen that shows: on a playlist files go there too. */
function goalHere(): Goal {
  const { id: screen, params } = match.value ?? {};
  const id = screen === "playlist" ? params?.playlistId : undefined;
  if (id === undefined) return {};
  const card = queryClient.getQueryData<{ data: { name: string } }>(cardQuery(id).queryKey);
  return { playlist: { id, name: card?.data.name ?? "playlist" } };
}
