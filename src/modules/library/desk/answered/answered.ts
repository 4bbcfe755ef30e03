import { transact } from "../../../../../db/client.ts";
import type { OwnerActor, SessionActor } from "../../../../kernel/actor.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { newId } from "../../../../kernel/ids.ts";
import { MINUTE_MS } from "../../../../kernel/time.ts";
import { answerNotes } from "../../../sharing/comments/service.ts";
import { UNDO_MINUTES } from "../bulk/shapes.ts";
import { insertSteps, insertUndo } from "../undo-queries.ts";
import type { AnsweredNotes, AnswerNotes } from "./shapes.ts";

/**
 * Marks many notes on a track answered, in one step that can be undone. What is answered already stays as it was answered first.
 *
 * @throws DomainError as `answerNotes` does. Nothing changes then.
 */
export function answerMany(
  { db, now }: Pick<Deps, "db" | "now">,
  actor: OwnerActor | SessionActor,
  trackId: string,
  asked: AnswerNotes,
): AnsweredNotes {
  return transact(db, (tx) => {
    const at = now();
    const notes = answerNotes(tx, actor, trackId, asked, at);
    if (notes.ids.length === 0) return { answered: 0, undoId: null };
    const undoId = newId("undo");
    const until = at + UNDO_MINUTES * MINUTE_MS;
    insertUndo(tx, { id: undoId, accountId: actor.accountId, createdAt: at, until });
    insertSteps(tx, undoId, trackId, [{ kind: "answered", ...notes }]);
    return { answered: notes.ids.length, undoId };
  });
}
