import { transact } from "../../../../db/client.ts";
import { mayDo, type OwnerActor, type SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { ownerOf } from "../../people/team/service.ts";
import * as queries from "./queries.ts";

/**
 * Deletes a comment that the person wrote, or with `delete:comments` any comment on the library's tracks, with the replies to it. Of
 * a note that others have replied to, its author without that need takes only what it said: the replies stay below it.
 *
 * @throws DomainError `comment_not_found`.
 */
export function deleteComment(
  { db, now }: Pick<Deps, "db" | "now">,
  actor: OwnerActor | SessionActor,
  id: string,
): { ok: true; id: string } {
  const { accountId, personId } = actor;
  return transact(db, (tx) => {
    const comment = queries.findDeletable(tx, id, accountId);
    const authorId = personId ?? ownerOf(tx, accountId) ?? null;
    const isWhole = comment?.isOfLibrary === 1 && mayDo(actor, "delete:comments");
    const isOwn = comment?.authorId === authorId && authorId !== null && comment.deletedAt === null;
    if (!comment || !(isWhole || isOwn))
      throw new DomainError("comment_not_found", "There is no such comment");
    if (isWhole || comment.hasReplies === 0) queries.deleteComment(tx, id);
    else queries.emptyNote(tx, id, now());
    // The last reply kept what was left of its note.
    if (comment.parentId !== null) queries.deleteEmptied(tx, comment.parentId);
    return { ok: true as const, id };
  });
}
