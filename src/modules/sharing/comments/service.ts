import { transact } from "../../../../db/client.ts";
import { mayDo, type OwnerActor, type SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { ownerOf } from "../../people/team/service.ts";
import * as queries from "./queries.ts";

export { updateComment } from "./answers.ts";
export { type CopiedNotes, copyNotes, dropCopies } from "./copied.ts";
export { type KeptNotes, keepNotes, restoreNotes } from "./kept.ts";
export {
  findLinkNote,
  hasLinkNotes,
  listLinkRound,
  listLinkThread,
  playingLabels,
  type ThreadNote,
} from "./link-thread.ts";
export { addLinkComment, answerLinkNote } from "./links.ts";
export { listComments } from "./list.ts";
export { labelOf } from "./places.ts";
export { listReviewsBy, type ReviewRow } from "./review-queries.ts";
export { reviewByLink, reviewVersion } from "./reviews.ts";
export type { ShownComment } from "./shown.ts";
export { addComment } from "./write.ts";

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
