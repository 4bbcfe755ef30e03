import { type Static, Type } from "@sinclair/typebox";
import { shape } from "../../../http/envelope.ts";

export const SaveParams = Type.Object({ id: Type.String() });

/** What may be saved. */
export type SavedEntity = "track" | "playlist";

/** Whether a track or playlist is saved now. */
export const Saved = shape("Saved", {
  ok: Type.Literal(true),
  entity: Type.Union([Type.Literal("track"), Type.Literal("playlist")]),
  id: Type.String(),
  saved: Type.Boolean(),
});
export type Saved = Static<typeof Saved>;
