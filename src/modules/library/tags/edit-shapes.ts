import { type Static, Type } from "@sinclair/typebox";
import { described, shape } from "../../../http/envelope.ts";
import { MAX_NAMES, MAX_TAG, TAG_CATEGORIES } from "./shapes.ts";

const Names = Type.Array(Type.String({ minLength: 1, maxLength: MAX_TAG }), { maxItems: MAX_NAMES });

export const TagEditParams = Type.Object({ trackId: Type.String() });

/** Body of `POST /app/tracks/{trackId}/tags`: what an owner does with single tags of a category. */
export const TagEdits = shape("TagEdits", {
  edits: Type.Array(
    Type.Object({
      category: Type.Union(
        TAG_CATEGORIES.map((category) => Type.Literal(category)),
        { description: "`tags`: the owner's own words" },
      ),
      add: Type.Optional(described(Names, "New tags, and accepted suggestions")),
      remove: Type.Optional(described(Names, "Tags of the track")),
      reject: Type.Optional(described(Names, "Suggestions, which are not made again")),
    }),
    { minItems: 1, maxItems: TAG_CATEGORIES.length },
  ),
});
export type TagEdit = Static<typeof TagEdits>["edits"][number];

export const TagsEdited = shape("TagsEdited", {
  ok: Type.Literal(true),
  trackId: Type.String(),
  taught: Type.Integer({ minimum: 0, description: "Decisions on tags that the account's models learn from" }),
});
