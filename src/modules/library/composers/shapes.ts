import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";

export {
  MAX_ASKED_TRACKS,
  MAX_SUPPLY_NOTE,
  SUPPLIED,
  type SuppliedField,
} from "./supply/shapes.ts";

/** The most composers on one page of the list. */
export const COMPOSERS_PER_PAGE = 100;
/** The most links that one track may have. */
export const MAX_SHAREHOLDERS = 100;

/** The most tracks of which one answer has the shares. */
export const MAX_SPLITS = 500;
const MAX_ROLE = 100;

/** The longest name of a composer, and of what else says who they are. */
export const MAX_WORDS = 200;
/** The longest address (RFC 5321, section 4.5.3.1). */
export const MAX_EMAIL = 254;

const text = nullable(Type.String());
const Name = Type.String({ minLength: 1, maxLength: MAX_WORDS });
const Email = Type.String({
  minLength: 3,
  maxLength: MAX_EMAIL,
  pattern: "^\\s*[^@\\s]+@[^@\\s]+\\s*$",
  description: "Unique in the account; case does not matter",
});
const Words = (description: string) =>
  Type.Optional(nullable(Type.String({ maxLength: MAX_WORDS, description })));
const optional = {
  artistName: Words("How they are credited"),
  publisher: Words("Who publishes their works"),
  pro: Words("Performing-rights organisation"),
  ipi: Words("Interested party number, as text"),
};

export const CreateComposer = shape("CreateComposer", { fullName: Name, email: Email, ...optional });
export type CreateComposer = Static<typeof CreateComposer>;

export const UpdateComposer = shape("UpdateComposer", {
  id: Type.String({ minLength: 1 }),
  fullName: Type.Optional(Name),
  email: Type.Optional(Email),
  ...optional,
});
export type UpdateComposer = Static<typeof UpdateComposer>;

export const ComposerQuery = Type.Object({ id: Type.String({ minLength: 1 }) });
export const ListComposersQuery = Type.Object({
  cursor: Type.Optional(Type.String({ description: "`id` of the last composer on the previous page" })),
});

/** A composer with the tracks they have a part in. */
export const Composer = shape("Composer", {
  id: Type.String(),
  userId: Type.String({ description: "The owner" }),
  fullName: Type.String(),
  artistName: text,
  email: Type.String(),
  publisher: text,
  pro: text,
  ipi: text,
  createdAt: Timestamp,
  tracks: Type.Array(
    Type.Object({
      share: Type.Number({ description: "Per cent" }),
      role: Type.String(),
      track: Type.Object({ id: Type.String(), name: Type.String(), createdAt: Timestamp }),
    }),
  ),
});
export type Composer = Static<typeof Composer>;

/** Payload of one composer; for an unknown one, `composer` and `userId` are null. */
export const SingleComposer = shape("SingleComposer", {
  composer: nullable(Composer),
  id: Type.String(),
  userId: text,
});
export type SingleComposer = Static<typeof SingleComposer>;

export const ComposerCount = shape("Count", { count: Type.Integer({ minimum: 0 }) });
export const Deleted = shape("DeletedComposer", { success: Type.Literal(true) });

/** The answer to a change: the fields that were sent, as stored. */
export const UpdatedComposer = shape("UpdatedComposer", {
  success: Type.Literal(true),
  composer: Type.Object({
    id: Type.String(),
    fullName: Type.Optional(Type.String()),
    artistName: Type.Optional(text),
    email: Type.Optional(Type.String()),
    publisher: Type.Optional(text),
    pro: Type.Optional(text),
    ipi: Type.Optional(text),
  }),
});
export type UpdatedComposer = Static<typeof UpdatedComposer>;

/** How a track credits a composer. */
export const ShareholderTrack = shape("ShareholderTrack", {
  share: Type.Number({ description: "Per cent" }),
  role: Type.String(),
  shareholder: Type.Object({ id: Type.String(), fullName: Type.String(), pro: text }),
});
export type ShareholderTrack = Static<typeof ShareholderTrack>;

/** Each composer's share of a track; a composer may have several roles. The shares add up to at most 100. */
export const ShareholderInputs = Type.Array(
  Type.Object({
    shareholderId: Type.String({ minLength: 1, description: "Id of a composer" }),
    share: Type.Number({ minimum: 0, maximum: 100, description: "Per cent" }),
    role: Type.String({ minLength: 1, maxLength: MAX_ROLE }),
  }),
  { maxItems: MAX_SHAREHOLDERS },
);
export type ShareholderInput = Static<typeof ShareholderInputs>[number];

export const ReplaceShareholders = shape("ReplaceShareholders", {
  shareholders: ShareholderInputs,
  base: Type.Optional(
    described(
      ShareholderInputs,
      "The shareholders that the editor began with: refused when the track has others by now. Left out: not asked",
    ),
  ),
});
export type ReplaceShareholders = Static<typeof ReplaceShareholders>;
