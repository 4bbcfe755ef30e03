import { clock as timeOf } from "../../player/time.ts";
import type { Comment } from "./queries.ts";

export const isOpen = ({ answeredAt }: Comment): boolean => answeredAt === null;
/** True for a note whose passage the version does not have. */
export const isGone = ({ place }: Comment): boolean => place?.how === "gone";

/** Where a note begins in the version that was asked for, or where it was heard if that passage is gone. Null: the whole track. */
export const beginOf = ({ place, positionSec }: Comment): number | null => place?.positionSec ?? positionSec;

/** Where its range ends, likewise; null for a moment. */
export const endOf = (note: Comment): number | null =>
  note.place && !isGone(note) ? note.place.endSec : note.endSec;

/** Notes in the order of their places: those on the whole track first, those whose passage is gone last. */
export function inOrder(notes: readonly Comment[]): Comment[] {
  return notes.toSorted(
    (one, other) =>
      Number(isGone(one)) - Number(isGone(other)) ||
      (beginOf(one) ?? -1) - (beginOf(other) ?? -1) ||
      one.createdAt.localeCompare(other.createdAt),
  );
}

/** `0:42`, `0:42–0:51`. */
export const spanWords = (fromSec: number, toSec: number | null | undefined): string =>
  toSec === null || toSec === undefined ? timeOf(fromSec) : `${timeOf(fromSec)}–${timeOf(toSec)}`;

/** `Ana at 0:42`. */
export function nameOf(note: Comment): string {
  const begin = beginOf(note);
  return `${note.author.name} ${begin === null ? "on the whole track" : `at ${timeOf(begin)}`}`;
}
