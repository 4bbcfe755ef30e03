import { beginOf, endOf, isOpen, spanWords } from "../note-words.ts";
import type { Comment, Round } from "../queries.ts";

/** Which notes of a round are listed. */
export type Shown = "open" | "answered" | "new" | "all";

/** True for a note that was made on the version of the round. */
export const isNew = ({ versionId }: Comment, round: Round): boolean => versionId === round.versionId;

export function isShown(note: Comment, shown: Shown, round: Round): boolean {
  if (shown === "new") return isNew(note, round);
  return shown === "all" || isOpen(note) === (shown === "open");
}

/** `0:42`, `0:42–0:51`, `the whole track`: where a note is, or was. */
export function timeWords(note: Comment): string {
  const begin = beginOf(note);
  return begin === null ? "the whole track" : spanWords(begin, endOf(note));
}

/** `v8: 5 of 7 notes answered`. */
export const sentenceOf = (label: string, { answered, open }: Pick<Round, "answered" | "open">): string =>
  `${label}: ${answered} of ${answered + open} notes answered`;
