import { type Static, Type } from "@sinclair/typebox";
import { shape } from "../../../../http/envelope.ts";

export const MergeParams = Type.Object({ id: Type.String({ description: "The composer that stays" }) });

export const MergeComposer = shape("MergeComposer", {
  composerId: Type.String({
    minLength: 1,
    description: "The composer that goes; its shares are the other's then",
  }),
});

export const MergedComposers = shape("MergedComposers", {
  id: Type.String(),
  undoId: Type.String({ description: "For `POST /app/undo/{undoId}`, ten minutes long" }),
  differences: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: "What both entries said, by field: what stays, and what was let go",
  }),
});
export type MergedComposers = Static<typeof MergedComposers>;
