import { type Static, Type } from "@sinclair/typebox";
import { shape } from "../../../../http/envelope.ts";
import { spelt } from "../../../../kernel/text.ts";
import { MAX_NOTES } from "../../../sharing/comments/shapes.ts";
import { UNDO_MINUTES } from "../bulk/shapes.ts";

export const AnswerParams = Type.Object({ trackId: Type.String() });

export const AnswerNotes = shape("AnswerNotes", {
  ids: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: MAX_NOTES,
      description: "Notes on the track; default: all open ones that you may mark answered",
    }),
  ),
  versionId: Type.Optional(
    Type.String({ minLength: 1, description: "The version that answers them; default: the active one" }),
  ),
});
export type AnswerNotes = Static<typeof AnswerNotes>;

export const AnsweredNotes = shape("AnsweredNotes", {
  answered: Type.Integer({ minimum: 0, description: "How many notes were open until now" }),
  undoId: Type.Union([Type.String(), Type.Null()], {
    description: `For \`POST /app/undo/{undoId}\`, ${spelt(UNDO_MINUTES)} minutes long; null: nothing to undo`,
  }),
});
export type AnsweredNotes = Static<typeof AnsweredNotes>;
