/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { api, dataOf } from "../../api/client.ts";
import { can, canSendVersions, isGuest } from "../../api/library.ts";
import { changed } from "../../api/queries.ts";
import { dataUriOf, readPicture } from "../../ui/data-uri.ts";
import { attempt, toast } from "../../ui/toast.tsx";
import { addUploads } from "../../uploads/queue.ts";
import { writeDetails } from "./changes.ts";
import { importLyrics, isLyricsFile } from "./lyrics/files.ts";

/** What files do on a track's sheet: pictures become its cover, LRC and text files its words, everything else a new version. */
export type Files = {
  /** False: new versions wait to be made active. */
  isActivating: Signal<boolean>;
  take: (files: Iterable<File>) => void;
};

const isPicture = ({ type }: File) => type.startsWith("image/");

export function useFiles(trackId: string, title: string): Files {
  const isActivating = useSignal(true);
  return useMemo(() => {
    const take = (files: Iterable<File>) => {
      const all = [...files];
      const picture = all.find(isPicture);
      if (picture && can("update:tracks")) attempt(() => setCover(trackId, picture));
      const sounds = all.filter((file) => !isPicture(file));
      if (sounds.length === 0) return;
      // Words beside a sound are those of the new version.
      if (sounds.every(isLyricsFile)) return takeWords(trackId, sounds);
      const version = { trackId, title, activate: isActivating.peek() && !isGuest() };
      addUploads(
        sounds.map((file) => ({ file, path: file.name })),
        { version },
      );
    };
    return { isActivating, take };
  }, [trackId, title, isActivating]);
}

function takeWords(trackId: string, [file]: readonly File[]): void {
  if (file && can("update:tracks")) attempt(() => importLyrics({ trackId, versionId: undefined }, file));
}

async function setCover(trackId: string, picture: Blob): Promise<void> {
  try {
    const base64 = await dataUriOf(picture);
    await dataOf(api.POST("/app/library/tracks/cover-art", { body: { trackId, base64 } }));
    toast("Cover changed");
  } finally {
    changed("tracks", [trackId]);
  }
}

/** Puts the drawn cover in place of a picture, which "Undo" sets again. */
export async function drawCover(trackId: string, cover: string): Promise<void> {
  const picture = await readPicture(cover);
  await writeDetails(trackId, { cover: null });
  toast("Cover drawn", { ...(picture && { undo: () => setCover(trackId, picture) }) });
}

/** The sheet as a place to drop files on, and to paste a picture. */
export function DropPlace({
  title,
  files,
  children,
}: {
  title: string;
  files: Files;
  children: ComponentChildren;
}) {
  const box = useRef<HTMLDivElement>(null);
  const isOver = useSignal(false);
  const isOurs = canSendVersions();
  useEffect(() => {
    const element = box.current;
    if (!element || !isOurs) return;
    const stop = new AbortController();
    const { signal } = stop;
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      isOver.value = true;
    };
    const leave = (event: DragEvent) => {
      if (!element.contains(event.relatedTarget as Node | null)) isOver.value = false;
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      isOver.value = false;
      files.take(event.dataTransfer?.files ?? []);
    };
    const paste = ({ clipboardData }: ClipboardEvent) => {
      const pictures = [...(clipboardData?.files ?? [])].filter(isPicture);
      if (pictures.length > 0) files.take(pictures);
    };
    element.addEventListener("dragover", over, { signal });
    element.addEventListener("dragleave", leave, { signal });
    element.addEventListener("drop", drop, { signal });
    document.addEventListener("paste", paste, { signal });
    return () => stop.abort();
  }, [files, isOver, isOurs]);
  return (
    <div ref={box} class="sheet-body">
      {children}
      {isOver.value && <p class="drop-words">New version of {title}</p>}
    </div>
  );
}
