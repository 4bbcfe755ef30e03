import { type Static, Type } from "@sinclair/typebox";
import { shape } from "../../../http/envelope.ts";

/** How often somebody hears by mail of what happened, at most. */
export const EVERY = ["off", "hourly", "daily", "weekly"] as const;
export type Every = (typeof EVERY)[number];

/** What of it. */
export const WISH_KINDS = ["submissions", "answers", "notes", "listens"] as const;
export type WishKind = (typeof WISH_KINDS)[number];

/** A digest that could not be sent for so long is of no use: the next one says more. */
export const DIGEST_HOURS = 24;

const Every = Type.Unsafe<Every>(
  Type.Union(
    EVERY.map((each) => Type.Literal(each)),
    { description: "How often, at most. Nothing is sent when nothing happened" },
  ),
);
const Kind = Type.Unsafe<WishKind>(Type.Union(WISH_KINDS.map((each) => Type.Literal(each))));

/** Payload of `GET /app/mail-wishes`. */
export const MailWishes = shape(
  "MailWishes",
  {
    sendsMail: Type.Boolean({ description: "Whether this server sends mails at all" }),
    email: Type.String({ description: "Where the mails go: your address" }),
    isStopped: Type.Boolean({
      description: "True when this address has asked for no more mail from this library or this server",
    }),
    every: Every,
    kinds: Type.Array(Kind, { description: "What you want to hear of" }),
    offered: Type.Array(Kind, { description: "What your role in this library lets you hear of" }),
  },
  { description: "What a member wants to hear of a library by mail" },
);
export type MailWishes = Static<typeof MailWishes>;

export const ChangeMailWishes = shape(
  "ChangeMailWishes",
  {
    every: Type.Optional(Every),
    kinds: Type.Optional(
      Type.Array(Kind, {
        uniqueItems: true,
        maxItems: WISH_KINDS.length,
        description: "What you want to hear of, in place of what it was",
      }),
    ),
  },
  { description: "What to change; the rest stays" },
);
export type ChangeMailWishes = Static<typeof ChangeMailWishes>;
