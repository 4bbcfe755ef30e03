import { op } from "../../../../http/operation.ts";
import { answerMany } from "./answered.ts";
import { AnsweredNotes, AnswerNotes, AnswerParams } from "./shapes.ts";

/** Marking many notes answered, which can be undone. */
export const answeredOperations = [
  op({
    at: "POST /tracks/:trackId/comments/answered",
    id: "answerTrackComments",
    key: "create:comments",
    session: "create:comments",
    sessionDoor: "answerComments",
    rooms: true,
    input: { params: AnswerParams, body: AnswerNotes },
    tag: "Comments",
    summary: "Mark many notes on a track answered",
    description:
      "All or none: of named notes, you must be the author or be allowed to change tracks. `POST /app/undo/{undoId}` opens them again, by " +
      "key `POST /bulk/{undoId}/undo`, except those that somebody has reopened or answered anew since.",
    answer: AnsweredNotes,
    refusals: ["track_not_found", "version_not_found", "comment_not_found", "note_closed"],
    run: (deps, { actor, params, body }) => answerMany(deps, actor, params.trackId, body),
  }),
];
