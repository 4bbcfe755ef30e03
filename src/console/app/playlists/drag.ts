import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { tracksText } from "../actions/bulk.ts";
import { can } from "../api/library.ts";
import { toastError } from "../ui/toast.tsx";
import type { Addition } from "./change.ts";
import "./drag.css";
import { addOrAsk } from "./open.tsx";

/** Marks a drag of tracks. Its data is the key of the dragged tracks, so that another window's tracks are not taken. */
const TYPE = "application/x-dubplate-tracks";

/** Tracks that can be read when they are needed. */
type Some = { count: number; read: () => Promise<readonly Addition[]> };

/** So long tracks rest on the way to a screen before it opens. */
const REST_MS = 500;

let dragged: { key: string; tracks: Promise<readonly Addition[]> } | undefined;
let isTouch = false;
// A finger that rests on a row selects it.
addEventListener("pointerdown", ({ pointerType }) => (isTouch = pointerType === "touch"), { capture: true });

/** Begins to drag a track. `selection` is dragged instead; give it where the track is part of it. */
export function dragTracks(event: DragEvent, track: Addition, selection?: Some): void {
  const data = event.dataTransfer;
  const isOff = isTouch || !can("create:playlists");
  if (isOff) event.preventDefault();
  if (isOff || !data) return;
  // Read now: the list may be gone before they are dropped.
  dragged = { key: crypto.randomUUID(), tracks: selection?.read() ?? Promise.resolve([track]) };
  dragged.tracks.catch(() => undefined); // told when they are dropped
  data.clearData(); // of a link or words in the row
  data.setData(TYPE, dragged.key);
  data.effectAllowed = "copy";
  const image = document.createElement("div");
  image.className = "drag-image";
  image.textContent = tracksText(selection?.count ?? 1);
  document.body.append(image);
  data.setDragImage(image, -12, -12);
  // The browser takes its picture when the event has ended.
  setTimeout(() => image.remove());
}

/** Takes tracks that are dropped on the card or the link of a playlist, if the person `mayAdd`. `isOver` while they are above it. */
export function useTrackDrop(playlist: { id: string; name: string }, mayAdd: boolean) {
  const isOver = useSignal(false);
  const take = (event: DragEvent) => {
    if (!mayAdd || !hasTracks(event)) return;
    event.preventDefault();
    isOver.value = true;
  };
  return {
    isOver: isOver.value,
    handlers: {
      onDragEnter: take,
      onDragOver: take,
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
        if (!contains(currentTarget, relatedTarget)) isOver.value = false;
      },
      onDrop: (event: DragEvent) => {
        isOver.value = false;
        const key = event.dataTransfer?.getData(TYPE);
        if (!mayAdd || !key) return;
        event.preventDefault();
        if (key === dragged?.key)
          dragged.tracks.then((tracks) => addOrAsk(playlist, tracks)).catch(toastError);
      },
    },
  };
}

/** Opens a screen when tracks that are dragged rest on the way to it, so that they can be dropped there. */
export function useOpenByDrag(open: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  return {
    onDragEnter: (event: DragEvent) => {
      clearTimeout(timer.current);
      if (hasTracks(event)) timer.current = setTimeout(open, REST_MS);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!contains(currentTarget, relatedTarget)) clearTimeout(timer.current);
    },
  };
}

const hasTracks = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes(TYPE) ?? false;

const contains = (outer: EventTarget | null, inner: EventTarget | null) =>
  (outer as Node).contains(inner as Node | null);
