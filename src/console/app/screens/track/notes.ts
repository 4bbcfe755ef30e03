import { useMemo } from "preact/hooks";
import { usePages } from "../../api/pages.ts";
import type { Spot } from "./clusters.ts";
import { beginOf, endOf, inOrder, isGone, isOpen } from "./note-words.ts";
import { type Comment, commentsQuery } from "./queries.ts";

/** The notes of a track as they are in one of its versions, in the order of their places. */
export type Notes = {
  inOrder: readonly Comment[];
  /** Those that are on the wave. */
  spots: readonly Spot[];
};

/** Reads the notes of a track, with their places in the version that is heard. They show with the first page. */
export function useNotes(trackId: string, versionId: string | undefined): Notes {
  const { items } = usePages(versionId === undefined ? null : commentsQuery(trackId, versionId));
  return useMemo(() => {
    // Those of the track before, until the first page is there.
    const notes = inOrder((items ?? []).filter((note) => note.trackId === trackId));
    return { inOrder: notes, spots: notes.flatMap(spotsOf) };
  }, [items, trackId]);
}

function spotsOf(note: Comment): Spot[] {
  const fromSec = beginOf(note);
  if (fromSec === null || isGone(note) || note.deletedAt !== null) return [];
  return [
    {
      id: note.id,
      fromSec,
      toSec: endOf(note),
      isOpen: isOpen(note),
      isAbout: note.place?.how === "about",
      author: note.author.name,
      text: note.text,
    },
  ];
}
