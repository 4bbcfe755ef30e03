import { type Static, Type } from "@sinclair/typebox";
import { shape } from "../../../../http/envelope.ts";

export const FirstSteps = shape("FirstSteps", {
  music: Type.Boolean({ description: "The account has a track" }),
  analysed: Type.Boolean({ description: "A track was analysed" }),
  searched: Type.Boolean({ description: "Something was searched for" }),
  shared: Type.Boolean({ description: "A link was made" }),
  dismissed: Type.Boolean({ description: "The owner dismissed the list" }),
  briefs: Type.Array(Type.String(), {
    maxItems: 2,
    description: "To search for, from the library's own tags",
  }),
});
export type FirstSteps = Static<typeof FirstSteps>;

export const DismissFirstSteps = shape("DismissFirstSteps", { dismissed: Type.Boolean() });

export const AddedDemo = shape("AddedDemo", {
  trackIds: Type.Array(Type.String()),
  added: Type.Integer({ minimum: 0, description: "Those that were not there before" }),
});
