import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../http/envelope.ts";
import { FAMILY_KINDS, STEM_PARTS } from "../../library/families/shapes.ts";
import { LikestPassage } from "./reference/said-shapes.ts";

const Names = Type.Array(Type.String());

const Also = shape("SearchAlso", {
  trackId: Type.String(),
  title: Type.String(),
  kind: Type.Union(FAMILY_KINDS.map((name) => Type.Literal(name))),
  part: nullable(Type.Union(STEM_PARTS.map((name) => Type.Literal(name)))),
  editSec: nullable(Type.Integer({ description: "Length of an edit; null for the whole song" })),
});

export const SearchHit = shape("SearchHit", {
  id: Type.String(),
  title: Type.String(),
  artists: Names,
  cover: nullable(Type.String({ description: "Address of the cover" })),
  visible: Type.Boolean({ description: "False: hidden from the library" }),
  durationSec: nullable(Type.Number()),
  bpm: nullable(Type.Number()),
  key: nullable(Type.String()),
  genres: Names,
  moods: Names,
  score: Type.Number({ minimum: 0, maximum: 1, description: "Higher is better" }),
  reason: Type.Array(Type.String(), { description: "Short explanations" }),
  passage: Type.Optional(LikestPassage),
  also: Type.Optional(
    Type.Array(Also, {
      description: "The other members of its family, where the search asks for one result per family",
    }),
  ),
});
export type SearchHit = Static<typeof SearchHit>;
