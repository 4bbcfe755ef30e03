import { type Static, Type } from "@sinclair/typebox";
import { fieldsOf, nullable, shape } from "../../../../http/envelope.ts";
import { seenWith } from "../../../../http/veil.ts";
import { ShareholderTrack } from "../../composers/shapes.ts";
import { Where } from "../bulk/shapes.ts";

/** The details of which a set of tracks may have one value in common. */
export const COMMON_FIELDS = [
  "artist",
  "album",
  "album_artist",
  "recordLabel",
  "year",
  "trackGenre",
  "notes",
  "cover",
] as const;
export type CommonField = (typeof COMMON_FIELDS)[number];

const Shared = Type.Object(
  {
    several: Type.Boolean({ description: "The tracks differ in it" }),
    value: nullable(Type.String({ description: "What all of them have; null: nothing, or several" })),
  },
  { description: "What the tracks have in common of one field" },
);
export type Shared = Static<typeof Shared>;

export const CommonQuery = shape("CommonOf", { where: Where });

/** What tracks have in common, so that a form over all of them can say where they differ. */
export const Common = shape("Common", {
  count: Type.Integer({ minimum: 0, description: "Tracks that are there" }),
  details: Type.Object(fieldsOf(COMMON_FIELDS, Shared)),
  visible: nullable(Type.Boolean({ description: "Null: some are hidden" })),
  shareholders: nullable(
    seenWith(
      "read:composers",
      Type.Array(ShareholderTrack, { description: "The composers of every track; null: the tracks differ" }),
    ),
  ),
  versions: Type.Object({
    label: Shared,
    outdated: Type.Integer({ minimum: 0, description: "Tracks that do not play their newest version" }),
    others: Type.Integer({ minimum: 0, description: "Versions that do not play" }),
    othersVisible: nullable(
      Type.Boolean({ description: "Null: some of these are hidden, or there are none" }),
    ),
  }),
});
export type Common = Static<typeof Common>;
