import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../../http/envelope.ts";

/** How long a link to one's own details works. */
export const SUPPLY_DAYS = 14;
/** The most tracks whose shares one link asks about. */
export const MAX_ASKED_TRACKS = 50;
/** The longest note that comes with the details. */
export const MAX_SUPPLY_NOTE = 2000;

/** What a composer is asked to check or to write. */
export const SUPPLIED = ["fullName", "email", "pro", "ipi", "isni", "publisher"] as const;
export type SuppliedField = (typeof SUPPLIED)[number];

const field = Type.Union(SUPPLIED.map((name) => Type.Literal(name)));
const text = nullable(Type.String());

/** What a composer said of a share of theirs. */
const SuppliedShare = Type.Object({
  trackId: Type.String(),
  title: Type.String(),
  role: Type.String(),
  share: Type.Number({ description: "Per cent, as it was asked" }),
  isRight: nullable(Type.Boolean({ description: "Null: they said nothing of it" })),
});

/** What a composer was asked for, and what they sent. Nothing of it is taken until somebody says so. */
export const Suggestion = shape("Suggestion", {
  requestId: Type.String(),
  askedAt: Timestamp,
  expiresAt: Timestamp,
  answeredAt: nullable(Timestamp),
  offered: Type.Array(
    Type.Object({
      field,
      from: nullable(Type.String({ description: "What the library has" })),
      to: Type.String({ description: "What they sent" }),
    }),
    { description: "What they sent that the library has not" },
  ),
  shares: Type.Array(SuppliedShare),
  note: text,
});
export type Suggestion = Static<typeof Suggestion>;

export const SuggestionParams = Type.Object({ id: Type.String(), requestId: Type.String() });
export const DecideSuggestion = shape("DecideSuggestion", {
  take: Type.Array(field, {
    maxItems: SUPPLIED.length,
    description:
      "What becomes the composer's; the rest is let go. Of a request without an answer: none, which withdraws it",
  }),
});
export type DecideSuggestion = Static<typeof DecideSuggestion>;
