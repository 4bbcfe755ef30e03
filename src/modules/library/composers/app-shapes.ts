import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { RIGHTS_PROBLEMS } from "./rights.ts";
import { CreateComposer, MAX_EMAIL, MAX_WORDS } from "./shapes.ts";

const text = nullable(Type.String());
const words = (description: string) =>
  Type.Optional(nullable(Type.String({ maxLength: MAX_WORDS, description })));
const { fullName, artistName, publisher, pro, ipi } = CreateComposer.properties;
const email = Type.Optional(
  nullable(
    Type.String({
      maxLength: MAX_EMAIL,
      pattern: "^\\s*([^@\\s]+@[^@\\s]+)?\\s*$",
      description: "Unique in the account; null when it is unknown",
    }),
  ),
);
const isni = words("International Standard Name Identifier");
const lastName = words("The part of the name that registrations put first; null: the last word");
const publisherIpi = words("Interested party number of the publisher, as text");

export const ComposerParams = Type.Object({ id: Type.String() });

export const CreateAppComposer = shape("CreateAppComposer", {
  fullName,
  email,
  artistName,
  publisher,
  pro,
  ipi,
  isni,
  lastName,
  publisherIpi,
});
export type CreateAppComposer = Static<typeof CreateAppComposer>;

export const UpdateAppComposer = shape("UpdateAppComposer", {
  ...CreateAppComposer.properties,
  fullName: Type.Optional(fullName),
});
export type UpdateAppComposer = Static<typeof UpdateAppComposer>;

/** A composer of the list, with what is missing or wrong in the rights data. */
export const ComposerRow = shape("ComposerRow", {
  id: Type.String(),
  fullName: Type.String(),
  artistName: text,
  email: text,
  publisher: text,
  pro: text,
  ipi: text,
  isni: nullable(Type.String({ description: "International Standard Name Identifier" })),
  lastName,
  publisherIpi,
  createdAt: Timestamp,
  trackCount: Type.Integer({ minimum: 0 }),
  problems: Type.Array(Type.Union(RIGHTS_PROBLEMS.map((problem) => Type.Literal(problem))), {
    description:
      "`bad_ipi`, `bad_isni` and `bad_publisher_ipi`: the check digits do not fit. `unknown_pro`: no society that Dubplate knows",
  }),
});
export type ComposerRow = Static<typeof ComposerRow>;

/** A track of which somebody has a share. */
const SharedTrack = Type.Object({
  trackId: Type.String(),
  title: Type.String(),
  artist: text,
  role: Type.String(),
  share: Type.Number({ description: "Per cent" }),
  total: Type.Number({ description: "What the shares of this track add up to, in per cent" }),
});

export const AppComposer = shape("AppComposer", {
  ...ComposerRow.properties,
  tracks: Type.Array(SharedTrack),
});
export type AppComposer = Static<typeof AppComposer>;

/** A track whose shares do not add up to 100 per cent. */
export const Split = shape("Split", {
  trackId: Type.String(),
  title: Type.String(),
  artist: text,
  total: Type.Number({ description: "Per cent" }),
  composers: Type.Array(Type.String(), { description: "Their names" }),
});
export type Split = Static<typeof Split>;
