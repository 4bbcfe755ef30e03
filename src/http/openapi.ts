import type { TSchema } from "@sinclair/typebox";
import type { ErrorCode } from "../kernel/errors.ts";
import { contentOf, refusals } from "./document/declared.ts";
import { envelopeOf } from "./envelope.ts";

export type { DocumentedRoute } from "./document/declared.ts";

/** The chapters of the document, in reading order. */
export const TAGS = {
  Tracks: "Upload tracks, list them, and read what the analysis found",
  Versions: "Every audio file of a track, and the way back to the original",
  Playlists: "Ordered lists of tracks, each behind one public link",
  Composers: "The people who have a part in tracks",
  Shares: "Links to tracks and playlists, and who listened through them",
  Deliveries: "Packages for stores, agencies and plants, and what went to whom",
  Comments: "What people say about tracks, and about moments in them",
  Notifications: "News for the account's owner",
  Analytics: "Plays, views, downloads, saves, shares and comments",
  Briefs: "Calls for submissions, and the submissions received",
  Platform: "Reports across accounts, for the operator's partners",
  Search: "Find tracks by describing them; the constraints always apply",
  Tags: "The words that describe tracks",
  "Sign-in": "Accounts and sessions of people",
  "API keys": "Keys for programs: what each may do and what it did",
  "Music apps": "Players that people already have, each with a password that opens nothing else",
  Devices: "Devices that keep music, to play it without a connection",
  Webhooks: "Signed notifications of changes, and the state of each delivery",
  Service: "The server itself",
} as const;

/** A chapter of the document. */
export type Tag = keyof typeof TAGS;

/** How a route describes itself. */
export type Description = {
  operationId: string;
  tag: Tag;
  summary: string;
  description?: string;
  /** Schema of the payload inside the envelope; a `bare` answer has no envelope (decision 4.3). */
  answer: TSchema;
  bare?: boolean;
  /** Schemas of the fields beside `data`, such as `paging`. */
  siblings?: Record<string, TSchema>;
  /** Refusals beyond those that every route of its kind has. */
  refusals: readonly ErrorCode[];
  /** The schema of a streamed body, for routes that read the body themselves. */
  requestBody?: { contentType: string; schema: TSchema };
  /** A request as people send it, where one made of the schema says little or too much. */
  example?: unknown;
};

/** Returns the `detail` of an operation for its route, which ends up in the OpenAPI document. */
export function describe(route: Description) {
  const schema = route.bare ? route.answer : envelopeOf(route.answer, route.siblings);
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description && { description: route.description }),
    tags: [route.tag],
    ...(route.example !== undefined && { "x-example": route.example }),
    responses: { 200: { description: "OK", content: contentOf(schema) }, ...refusals(route.refusals) },
    ...(route.requestBody && {
      requestBody: {
        required: true,
        content: contentOf(route.requestBody.schema, route.requestBody.contentType),
      },
    }),
  };
}
