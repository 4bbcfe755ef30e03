import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { seenWith } from "../../../http/veil.ts";
import { LISTENED_RULE } from "../../library/analytics/service.ts";
import { MadeBy } from "../../people/people/shapes.ts";
import { Share } from "./shapes.ts";

/** A link as the console shows it: with what it leads to by its title, and how often that was heard. */
export const Link = shape("Link", {
  ...Share.properties,
  title: nullable(Type.String({ description: "The track's title, where it has one; else as `name`" })),
  turned: Type.Union([Type.Literal("on"), Type.Literal("off"), Type.Literal("not-yet")], {
    description:
      "`on`; `off`: its owner has turned it off; `not-yet`: it was made with a playlist that has not been shared",
  }),
  plays: seenWith(
    "read:analytics",
    Type.Integer({ minimum: 0, description: "Counted plays through the link" }),
  ),
  lastHeardAt: seenWith(
    "read:analytics",
    nullable(described(Timestamp, `When someone last listened: ${LISTENED_RULE}`)),
  ),
  madeBy: MadeBy,
});
export type Link = Static<typeof Link>;
