import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";
import { seenWith } from "../../../http/veil.ts";
import { MAX_TIME } from "../../../kernel/limits.ts";
import { MAX_MAIL_RECIPIENTS, mailFields, RecipientEmail } from "../../mail/outbox/shapes.ts";
import { LinkAnswer } from "./answers/shapes.ts";

/** For how long the mail about answered notes waits for a version that answers them and does not play yet. */
export const ANSWERS_WAIT_DAYS = 30;

/** Of the password that visitors must enter, in characters. */
export const MIN_LINK_PASSWORD = 4;
export const MAX_LINK_PASSWORD = 200;
/** How long a browser that gave the password need not give it again. */
export const PASSWORD_KEPT_DAYS = 30;
/** Of the person a link is for: a name, or an address with a name before it. */
export const MAX_RECIPIENT = 320;
const MAX_VISITS = 1_000_000;
/** How many notes a visitor of a link may say to be right or not, without words, within {@link ANSWERS_MINUTES}. */
export const MAX_ANSWERS = 100;
export const ANSWERS_MINUTES = 15;

/** What can be shared. */
const SHARED_ENTITIES = ["track", "playlist"] as const;
export type SharedEntity = (typeof SHARED_ENTITIES)[number];
const Entity = Type.Union(SHARED_ENTITIES.map((entity) => Type.Literal(entity)));

/** The settings of a link that its owner may set when creating it and change later; null removes a limit. */
const settings = {
  password: Type.Optional(
    nullable(
      Type.String({
        minLength: MIN_LINK_PASSWORD,
        maxLength: MAX_LINK_PASSWORD,
        description: "Visitors must enter it; never shown again",
      }),
    ),
  ),
  expiresAt: Type.Optional(
    nullable(
      Type.String({
        maxLength: MAX_TIME,
        description: "ISO 8601, in the future; a date without a time means the end of that day (UTC)",
      }),
    ),
  ),
  notBefore: Type.Optional(
    nullable(
      Type.String({
        maxLength: MAX_TIME,
        description:
          "ISO 8601, before the link ends; until then it opens nothing. A date without a time means the beginning of that day (UTC)",
      }),
    ),
  ),
  maxUses: Type.Optional(
    nullable(
      Type.Integer({ minimum: 1, maximum: MAX_VISITS, description: "Visits after which the link ends" }),
    ),
  ),
  allowDownload: Type.Optional(
    Type.Boolean({ description: "Visitors may download originals; default false" }),
  ),
  allowComments: Type.Optional(Type.Boolean({ description: "Visitors may comment; default false" })),
  allowReview: Type.Optional(
    Type.Boolean({
      description:
        "The recipient is asked to approve versions, and may comment: `allowComments` is true with it. Only for a link with a " +
        "`recipient`; default false. A link that loses its recipient, or takes no comments any more, no longer asks",
    }),
  ),
  askAnswer: Type.Optional(
    Type.Boolean({
      description:
        "The recipient is asked whether they want each track. Only for a link with a `recipient`; default false. A link that " +
        "loses its recipient no longer asks",
    }),
  ),
  showDetails: Type.Optional(
    Type.Boolean({ description: "Visitors see tempo, key and credits; default false" }),
  ),
  wholeFamily: Type.Optional(
    Type.Boolean({
      description:
        "Of a track: what is kept together with it as a set goes along, also what joins it later; default false. Members with " +
        "`hiddenFromLinks` stay off. Refused for a playlist",
    }),
  ),
  showLyrics: Type.Optional(
    Type.Boolean({ description: "Visitors read the words, which run along with the music; default false" }),
  ),
  isMarked: Type.Optional(
    Type.Boolean({
      description:
        "What is heard and downloaded through the link carries a mark in its sound, which tells later whose copy a leak is. " +
        "Default true for a link with a `recipient`, where the server has ffmpeg, and false for others. Of what is marked, WAV, " +
        "FLAC and AIFF can be downloaded; other files are for listening",
    }),
  ),
  noteParts: Type.Optional(
    Type.Boolean({
      description:
        "Which parts of each track are heard through the link is kept, and its page says so; default true. Without it, plays " +
        "and how long they are count as before, and what was kept earlier is not shown",
    }),
  ),
  recipient: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: MAX_RECIPIENT,
        description:
          "Who the link is for. Without one it is public, and a track's newest public link is its `link`",
      }),
    ),
  ),
  recipientEmail: Type.Optional(
    nullable(
      described(
        RecipientEmail,
        "Where mails about the link go; it is on no page. Left out: the address in `recipient`, if there is one",
      ),
    ),
  ),
};

/** The mail that brings a link to its recipient. */
export const ShareMail = shape(
  "ShareMail",
  {
    ...mailFields,
    when: Type.Optional(
      Type.Union([Type.Literal("now"), Type.Literal("open")], {
        description: "`now`, which is the default; `open`: when the link opens (`notBefore`)",
      }),
    ),
  },
  {
    description:
      "A mail that brings the link to `recipientEmail`. Only people may send one, not keys, and only where the server sends mails",
  },
);
export type ShareMail = Static<typeof ShareMail>;

const mail = Type.Optional(ShareMail);

export const CreateShare = shape("CreateShare", {
  trackId: Type.Optional(Type.String({ description: "Either this or `playlistId`" })),
  playlistId: Type.Optional(Type.String({ description: "Either this or `trackId`" })),
  ...settings,
  mail,
});
export type CreateShare = Static<typeof CreateShare>;

export const UpdateShare = shape("UpdateShare", {
  ...settings,
  mail,
  shared: Type.Optional(
    Type.Boolean({
      description:
        "False turns the link off, and its page answers with 404; true turns it on again, or on for the first time",
    }),
  ),
});
export type UpdateShare = Static<typeof UpdateShare>;

export const ShareParams = Type.Object({ id: Type.String() });

export const ListSharesQuery = Type.Object({
  ...pageFields,
  trackId: Type.Optional(Type.String({ description: "Only links to this track" })),
  playlistId: Type.Optional(Type.String({ description: "Only links to this playlist" })),
});
export type ListSharesQuery = Static<typeof ListSharesQuery>;

export const ShareActivityQuery = Type.Object({
  ...pageFields,
});
export type ShareActivityQuery = Static<typeof ShareActivityQuery>;

/** A link to a track or a playlist, for its owner. */
export const Share = shape("Share", {
  id: Type.String(),
  entity: Entity,
  entityId: Type.String({ description: "The track or playlist" }),
  name: nullable(Type.String({ description: "Name of the track or playlist" })),
  link: Type.String({ description: "The token, which is the last part of the address" }),
  url: Type.String({ description: "The page that the link opens" }),
  hasPassword: Type.Boolean(),
  expiresAt: nullable(Timestamp),
  notBefore: nullable(described(Timestamp, "When it opens; null: at once")),
  maxUses: nullable(Type.Integer()),
  uses: Type.Integer({ minimum: 0 }),
  allowDownload: Type.Boolean(),
  allowComments: Type.Boolean(),
  allowReview: Type.Boolean({ description: "The recipient is asked to approve versions" }),
  showDetails: Type.Boolean({ description: "Visitors see tempo, key and credits" }),
  wholeFamily: Type.Boolean({ description: "What is kept together with the track as a set goes along" }),
  showLyrics: Type.Boolean({ description: "Visitors read the words" }),
  isMarked: Type.Boolean({ description: "What is heard and downloaded tells whose copy it is" }),
  noteParts: Type.Boolean({ description: "Which parts of each track are heard is kept" }),
  recipient: nullable(Type.String()),
  recipientEmail: nullable(Type.String({ description: "Where mails about it go; it is on no page" })),
  askAnswer: Type.Boolean({ description: "The recipient is asked whether they want each track" }),
  answer: nullable(
    described(LinkAnswer, "What the recipient answered last; a playlist's link may have more"),
  ),
  opened: Type.Boolean({
    description: "True once somebody has opened it; machines and members do not count",
  }),
  active: Type.Boolean({
    description: "True if turned on, already open, not revoked, not expired and not used up",
  }),
  createdAt: Timestamp,
  revokedAt: nullable(Timestamp),
});
export type Share = Static<typeof Share>;

/** Of days after which a link that nobody opened may be reminded of. */
export const LEAST_REMIND_DAYS = 3;
export const MOST_REMIND_DAYS = 60;
const USUAL_REMIND_DAYS = 7;
/** So many links are offered for a reminder at a time. */
export const MAX_UNOPENED = 200;

export const UnopenedQuery = Type.Object({
  days: Type.Integer({
    minimum: LEAST_REMIND_DAYS,
    maximum: MOST_REMIND_DAYS,
    default: USUAL_REMIND_DAYS,
    description: "So many days ago at least the link went out, and opened",
  }),
});

export const RemindableLink = shape(
  "RemindableLink",
  { ...Share.properties, sentAt: described(Timestamp, "When it went out by mail") },
  { description: "A link that went out by mail and that nobody has opened" },
);
export type RemindableLink = Static<typeof RemindableLink>;

export const Remind = shape(
  "Remind",
  {
    shareIds: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: MAX_MAIL_RECIPIENTS,
      description: "Links that nobody has opened",
    }),
    ...mailFields,
  },
  { description: "Links to remind of" },
);
export type Remind = Static<typeof Remind>;

export const Reminded = shape(
  "Reminded",
  { sent: Type.Integer({ minimum: 1, description: "How many mails go out" }) },
  { description: "How many were reminded" },
);
export type Reminded = Static<typeof Reminded>;

/** Something that happened to or through a link. */
export const ShareActivity = shape("ShareActivity", {
  id: Type.String(),
  metric: Type.String({ description: "`shares`, `views`, `plays`, `downloads`, `saved`, `comments`, …" }),
  entity: Entity,
  entityId: Type.String({
    description: "The track or playlist; for a playlist's link it may be one of its tracks",
  }),
  sentAt: Timestamp,
  actor: Type.Object({
    type: Type.String({ description: "`user`, `visitor` or `system`" }),
    name: nullable(Type.String()),
  }),
  counted: Type.Boolean({
    description: "False if left out of the analytics, such as the owner's own visits",
  }),
  leftOut: nullable(
    Type.String({
      description:
        "Why it does not count: `owner`, `repeat`, `machine`, `head`, `prefetch`, `unseen`, `short`, `incomplete`",
    }),
  ),
  heardSec: seenWith(
    "read:analytics",
    nullable(Type.Integer({ minimum: 0, description: "For `plays`: seconds of the track that were heard" })),
  ),
  visit: nullable(
    Type.String({
      description: "Distinguishes the visitors of this link; random, and says nothing else about them",
    }),
  ),
});
export type ShareActivity = Static<typeof ShareActivity>;

export const RevokedShare = shape("Confirmation", { ok: Type.Literal(true), id: Type.String() });
