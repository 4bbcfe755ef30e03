import { useSignal } from "@preact/signals";
import { usePages } from "../../../api/pages.ts";
import { inOrder } from "../note-words.ts";
import { type Comment, commentsQuery, type Round, type Version } from "../queries.ts";
import { isNew } from "./notes.ts";

/** The notes of a round, and how to have those that did not come with it. */
export type AllNotes = {
  /** In the order of their places. */
  notes: readonly Comment[];
  /** How many the round has. */
  count: number;
  /** Reads the others; undefined when nothing is missing. */
  readRest: (() => void) | undefined;
};

/** A round comes with its first notes. The others are read when somebody asks for them. */
export function useAllNotes(
  trackId: string,
  versions: readonly Version[],
  round: Round | undefined,
): AllNotes {
  const isAsked = useSignal(false);
  const { notes = [], answered = 0, open = 0 } = round ?? {};
  const count = answered + open;
  const isMore = count > notes.length;
  const { items, isWhole } = usePages(
    round && isMore && isAsked.value ? commentsQuery(trackId, round.versionId) : null,
  );
  const all = round && isMore && isWhole && items?.filter((note) => isInRound(note, round, versions));
  const readRest = () => {
    isAsked.value = true;
  };
  return { notes: inOrder(all || notes), count, readRest: isMore && !all ? readRest : undefined };
}

/** True for a note on the version, and for one on an earlier version that none before this one answered. */
function isInRound(note: Comment, round: Round, versions: readonly Version[]): boolean {
  if (isNew(note, round)) return true;
  const orderOf = (wanted: string | null) => versions.find(({ id }) => id === wanted)?.order;
  const own = orderOf(round.versionId) ?? 0;
  const answered = note.answeredAt === null ? own : (orderOf(note.answeredIn) ?? -1);
  return (orderOf(note.versionId) ?? -1) < own && answered >= own;
}
