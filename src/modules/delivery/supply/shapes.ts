import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { MAX_ASKED_TRACKS } from "../../library/composers/shapes.ts";

const MAX_MESSAGE = 2000;

export const AskParams = Type.Object({ id: Type.String() });
export const AskComposer = shape("AskComposer", {
  trackIds: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: MAX_ASKED_TRACKS,
      description: "Whose shares they are asked to confirm; no other title is shown to them",
    }),
  ),
  mail: Type.Optional(Type.Boolean({ description: "Send the link to their address; default false" })),
  message: Type.Optional(nullable(Type.String({ maxLength: MAX_MESSAGE, description: "For the mail" }))),
});
export type AskComposer = Static<typeof AskComposer>;

/** A link by which a composer checks their own details. */
export const AskedComposer = shape("AskedComposer", {
  requestId: Type.String(),
  url: Type.String({ format: "uri", description: "Nobody can read it again" }),
  expiresAt: Timestamp,
  mailed: Type.Boolean({ description: "It is on its way to their address" }),
});
export type AskedComposer = Static<typeof AskedComposer>;
