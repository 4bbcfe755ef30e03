import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { mayDo, type OwnerActor, type SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { ownerOf } from "../../people/team/service.ts";
import * as queries from "./queries.ts";
import { type ShownComment, toShown } from "./shown.ts";

export { updateComment } from "./answers.ts";
export { type CopiedNotes, copyNotes, dropCopies } from "./copied.ts";
export { type KeptNotes, keepNotes, restoreNotes } from "./kept.ts";
export { addLinkComment, answerLinkNote } from "./links.ts";
export { listComments } from "./list.ts";
export { reviewByLink } from "./reviews.ts";
export type { ShownComment } from "./shown.ts";
export { addComment } from "./write.ts";

/** The comment after which a list, newest first, continues. */
export type CommentPlace = { at: number; id: string };

/** Returns at most `limit` comments made through a link, newest first. */
export function listLinkComments(
  deps: Pick<Deps, "db" | "now">,
  { id, ownerId }: { id: string; ownerId: LibraryId },
  { limit, after }: { limit: number; after?: CommentPlace | undefined },
): ShownComment[] {
  return toShown(deps, ownerId, queries.listShareComments(deps.db, id, limit, after));
}

/**
 * Deletes a comment that the person wrote, or with `delete:comments` any comment on the library's tracks.
 *
 * @throws DomainError `comment_not_found`.
 */
export function deleteComment(
  { db }: Pick<Deps, "db">,
  actor: OwnerActor | SessionActor,
  id: string,
): { ok: true; id: string } {
  const { accountId, personId } = actor;
  const ofAnyone = mayDo(actor, "delete:comments");
  return transact(db, (tx) => {
    const authorId = personId ?? ownerOf(tx, accountId) ?? null;
    if (queries.deleteComment(tx, { id, authorId, accountId: ofAnyone ? accountId : null }))
      return { ok: true as const, id };
    throw new DomainError("comment_not_found", "There is no such comment");
  });
}
