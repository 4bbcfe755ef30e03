import { type Static, Type } from "@sinclair/typebox";

export const FirstSteps = Type.Object({
  music: Type.Boolean({ description: "The account has a track" }),
  analysed: Type.Boolean({ description: "A track was analysed" }),
  searched: Type.Boolean({ description: "Something was searched for" }),
  shared: Type.Boolean({ description: "A link was made" }),
  dismissed: Type.Boolean({ description: "The owner put the list away" }),
  briefs: Type.Array(Type.String(), {
    maxItems: 2,
    description: "To search for, from the library's own tags",
  }),
});
export type FirstSteps = Static<typeof FirstSteps>;

export const DismissFirstSteps = Type.Object({ dismissed: Type.Boolean() });

export const AddedDemo = Type.Object({
  trackIds: Type.Array(Type.String()),
  added: Type.Integer({ minimum: 0, description: "Those that were not there before" }),
});
