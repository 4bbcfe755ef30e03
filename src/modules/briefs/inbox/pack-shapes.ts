import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape } from "../../../http/envelope.ts";
import { seenWith } from "../../../http/veil.ts";
import { RecipientEmail } from "../../mail/outbox/shapes.ts";
import { CreateShare, MAX_RECIPIENT, Share, ShareMail } from "../../sharing/shares/shapes.ts";
import { TRIAGE_STATES } from "./shapes.ts";

const text = nullable(Type.String());
const number = nullable(Type.Number());

/** A song that could be offered for a brief. */
const PackSong = shape("PackSong", {
  trackId: Type.String(),
  title: Type.String(),
  artist: text,
  source: Type.Union([Type.Literal("submission"), Type.Literal("library")], {
    description: "`submission`: it was sent to this brief. `library`: you had it before",
  }),
  state: Type.Union([Type.Union(TRIAGE_STATES.map((state) => Type.Literal(state))), Type.Null()], {
    description: "What was decided about the submission; null for `library`",
  }),
  isIn: Type.Boolean({
    description:
      "True: it goes out. Until you say otherwise, what was sent does and what the library has does not",
  }),
  senderName: nullable(Type.String({ description: "Who sent it" })),
  score: nullable(
    Type.Number({ minimum: 0, maximum: 1, description: "How well it fits; null before the analysis" }),
  ),
  reason: Type.Array(Type.String()),
  durationSec: number,
  bpm: number,
  key: text,
  others: Type.Array(Type.Object({ trackId: Type.String(), title: Type.String() }), {
    description: "Other versions of this song that are left out",
  }),
  total: seenWith(
    "read:composers",
    Type.Number({ description: "What the composers' shares add up to, in per cent" }),
  ),
  composers: seenWith(
    "read:composers",
    Type.Array(
      Type.Object({
        name: Type.String(),
        role: Type.String(),
        share: Type.Number(),
        pro: text,
        ipi: text,
      }),
      { description: "Who has a share of it, in the order written" },
    ),
  ),
  problems: seenWith(
    "read:composers",
    Type.Array(Type.String(), {
      description: "What is missing before it can be licensed, as sentences without a full stop",
    }),
  ),
});
export type PackSong = Static<typeof PackSong>;

export const BriefPack = shape("BriefPack", {
  query: Type.String({ description: "The text of the brief, as it was searched with" }),
  summary: Type.String({ description: "What was understood, in a sentence" }),
  songs: Type.Array(PackSong, {
    description: "What goes out, in your order or best first; then the others, best first",
  }),
});
export type BriefPack = Static<typeof BriefPack>;

/** So many songs can go out for a brief. */
export const MAX_SONGS = 500;
/** Characters. */
export const MAX_PACK_NAME = 200;
export const MAX_RECIPIENTS = 50;
/** How long the links of a pack may work. */
export const MAX_PACK_DAYS = 365;
const MAX_ID = 64;
const TrackIds = Type.Array(Type.String({ maxLength: MAX_ID }), { maxItems: MAX_SONGS });

export const ArrangePack = shape(
  "ArrangePack",
  {
    trackIds: described(TrackIds, "What goes out, in the order to be heard"),
    leftOut: described(TrackIds, "What does not"),
  },
  { description: "Songs in neither list stay where they are ranked" },
);
export type ArrangePack = Static<typeof ArrangePack>;

export const SendPack = shape("SendPack", {
  name: Type.String({
    minLength: 1,
    maxLength: MAX_PACK_NAME,
    description: "Of the playlist that the links lead to",
  }),
  trackIds: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: MAX_SONGS,
    description: "In the order to be heard",
  }),
  recipients: Type.Array(Type.String({ minLength: 1, maxLength: MAX_RECIPIENT }), {
    minItems: 1,
    maxItems: MAX_RECIPIENTS,
    description: "Each gets a link of their own",
  }),
  recipientEmails: Type.Optional(
    Type.Array(nullable(RecipientEmail), {
      maxItems: MAX_RECIPIENTS,
      description: "Where mails to the recipients go, in their order; null: nowhere",
    }),
  ),
  notBefore: CreateShare.properties.notBefore,
  askAnswer: CreateShare.properties.askAnswer,
  mail: Type.Optional(ShareMail),
  expiresInDays: Type.Integer({
    minimum: 1,
    maximum: MAX_PACK_DAYS,
    default: 14,
    description: "After so many days the links end; those that open later, so many days after they open",
  }),
  allowDownload: Type.Boolean({ default: false }),
});
export type SendPack = Static<typeof SendPack>;

export const SentPack = shape("SentPack", {
  playlistId: Type.String(),
  name: Type.String(),
  links: Type.Array(Share),
});
export type SentPack = Static<typeof SentPack>;
