import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";

/** Characters of the lines of copyright, of an identifier, of a number of one's own, and of what is said of a tool. */
const MAX_LINE = 500;
const MAX_IDENTIFIER = 60;
/** A registration has room for so many. */
export const MAX_WORK_NUMBER = 14;
export const MAX_NOTE = 500;
/** The most statements of how a track was made. */
export const MAX_AI_USES = 12;

/** Whether words are explicit; `clean` is the edited version of an explicit one. */
export const EXPLICIT = ["yes", "no", "clean"] as const;

/** Parts of a track that something may have been used for. */
export const AI_PARTS = [
  "vocals",
  "lyrics",
  "composition",
  "instruments",
  "mix",
  "master",
  "artwork",
  "other",
] as const;
/** How far: not at all, as a help, or made by it. */
export const AI_EXTENTS = ["none", "assisted", "generated"] as const;

/** What is wrong with an identifier of a track. */
export const IDENTIFIER_PROBLEMS = ["bad_isrc", "bad_iswc", "bad_upc"] as const;
export type IdentifierProblem = (typeof IDENTIFIER_PROBLEMS)[number];

const text = nullable(Type.String());
const choice = <Value extends string>(values: readonly Value[]) =>
  Type.Union(values.map((value) => Type.Literal(value)));
const input = (maxLength: number, description: string) =>
  Type.Optional(nullable(Type.String({ maxLength, description })));

export const AiUse = shape("AiUse", {
  part: choice(AI_PARTS),
  extent: choice(AI_EXTENTS),
  tool: nullable(Type.String({ maxLength: MAX_NOTE, description: "Which one" })),
  note: nullable(Type.String({ maxLength: MAX_NOTE, description: "What for" })),
});
export type AiUse = Static<typeof AiUse>;

const AiUseInput = Type.Object({
  ...AiUse.properties,
  tool: Type.Optional(AiUse.properties.tool),
  note: Type.Optional(AiUse.properties.note),
});

export const RightsParams = Type.Object({ trackId: Type.String() });

/** Only the fields that are sent change; null clears one. */
export const RightsInput = shape("RightsInput", {
  iswc: input(MAX_IDENTIFIER, "Number of the work; kept as sent when its check digit does not fit"),
  upc: input(MAX_IDENTIFIER, "UPC or EAN of the release; kept as sent when its check digit does not fit"),
  releaseDate: Type.Optional(
    nullable(
      Type.String({ pattern: "^\\d{4}(-\\d{2}(-\\d{2})?)?$", description: "A day, a month or a year" }),
    ),
  ),
  pLine: input(MAX_LINE, "Year and owner of the recording, after the sign ℗"),
  cLine: input(MAX_LINE, "Year and owner of the work, after the sign ©"),
  explicit: Type.Optional(nullable(choice(EXPLICIT))),
  workNumber: input(MAX_WORK_NUMBER, "Your own number of the work, for registrations"),
  aiUse: Type.Optional(
    Type.Array(AiUseInput, {
      maxItems: MAX_AI_USES,
      description: "Replaces what was stated. Empty: not stated, which does not mean `none`",
    }),
  ),
});
export type RightsInput = Static<typeof RightsInput>;

/** What is known of a track's rights beside its details and shares. */
export const TrackRights = shape("TrackRights", {
  iswc: text,
  upc: text,
  releaseDate: nullable(Type.String({ description: "2026, 2026-03 or 2026-03-27" })),
  pLine: text,
  cLine: text,
  explicit: nullable(choice(EXPLICIT)),
  workNumber: text,
  aiUse: Type.Array(AiUse, { description: "Empty: not stated" }),
  updatedAt: nullable(Timestamp),
  problems: Type.Array(choice(IDENTIFIER_PROBLEMS), {
    description: "Which identifiers are wrong; that of the recording is among the track's details",
  }),
});
export type TrackRights = Static<typeof TrackRights>;

/** What keeps a sender from sending registrations. */
export const SENDER_PROBLEMS = [
  "no_name",
  "no_ipi",
  "bad_ipi",
  "no_sender_code",
  "no_society",
  "unknown_society",
] as const;
export type SenderProblem = (typeof SENDER_PROBLEMS)[number];

/** Per cent of what the writers have that a publisher may get at most: of the performing right, half. */
const MOST_PERFORMING = 50;
const MOST_OTHER = 100;
const MAX_NAME = 45;
const part = (most: number, description: string) => Type.Number({ minimum: 0, maximum: most, description });
const shares = {
  prShare: part(MOST_PERFORMING, "Per cent of a writer's performing right that the publisher gets"),
  mrShare: part(MOST_OTHER, "Per cent of the mechanical right"),
  srShare: part(MOST_OTHER, "Per cent of the right to synchronise"),
};

/** Only the fields that are sent change; null clears one. */
export const RightsSenderInput = shape("RightsSenderInput", {
  name: input(MAX_NAME, "The publisher who registers the library's works"),
  ipi: input(MAX_IDENTIFIER, "Their interested party number; kept as sent when its check digits do not fit"),
  senderCode: Type.Optional(
    nullable(
      Type.String({
        pattern: "^\\s*[A-Za-z0-9]{2,3}\\s*$",
        description: "What CISAC gave them to send registrations with. Never make one up",
      }),
    ),
  ),
  society: input(MAX_NOTE, "Where they are a member"),
  prShare: Type.Optional(shares.prShare),
  mrShare: Type.Optional(shares.mrShare),
  srShare: Type.Optional(shares.srShare),
});
export type RightsSenderInput = Static<typeof RightsSenderInput>;

/** Who registers the works of a library. */
export const RightsSender = shape("RightsSender", {
  name: text,
  ipi: text,
  senderCode: text,
  society: text,
  ...shares,
  problems: Type.Array(choice(SENDER_PROBLEMS), {
    description: "What keeps them from sending registrations; empty: nothing",
  }),
});
export type RightsSender = Static<typeof RightsSender>;
