import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { MAX_TIME } from "../../../kernel/limits.ts";
import { MailState } from "../../mail/outbox/shapes.ts";
import { Email, MadeBy } from "../../people/people/shapes.ts";
import {
  Brief,
  BriefSubmission,
  MAX_BRIEF_NAME,
  MAX_BRIEF_TEXT,
  MAX_LINK,
  MAX_MESSAGE,
  MAX_SUBMITTER_NAME,
  MAX_TAG,
  MAX_TAGS,
  PRIORITIES,
  STATUSES,
  SubmittedTrack,
} from "./shapes.ts";

export const AppBriefParams = Type.Object({ id: Type.String() });

const MAX_ID = 200;
const Name = Type.String({ minLength: 1, maxLength: MAX_BRIEF_NAME });
const Message = Type.Optional(nullable(Type.String({ maxLength: MAX_MESSAGE })));

const settable = {
  deadline: Type.Optional(
    nullable(
      Type.String({
        maxLength: MAX_TIME,
        description: "A timestamp, or a day YYYY-MM-DD up to its end in UTC; null for no deadline",
      }),
    ),
  ),
  priority: Type.Optional(Type.Union(PRIORITIES.map((priority) => Type.Literal(priority)))),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: MAX_TAG }), { maxItems: MAX_TAGS })),
  contactEmail: Type.Optional(nullable(Email)),
  description: Type.Optional(nullable(Type.String({ maxLength: MAX_BRIEF_TEXT }))),
  publicPage: Type.Optional(Type.Boolean({ description: "Anyone with the link may submit" })),
  paid: Type.Optional(Type.Boolean({ description: "Submissions from now on count as paid" })),
};

export const CreateBrief = shape("CreateBrief", {
  name: Name,
  status: Type.Optional(Type.Union([Type.Literal("draft"), Type.Literal("open")], { default: "draft" })),
  ...settable,
});
export type CreateBrief = Static<typeof CreateBrief>;

export const UpdateBrief = shape("UpdateBrief", {
  name: Type.Optional(Name),
  status: Type.Optional(Type.Union(STATUSES.map((status) => Type.Literal(status)))),
  ...settable,
});
export type UpdateBrief = Static<typeof UpdateBrief>;

/** A brief with the settings that only its owner sees. */
export const AppBrief = shape("AppBrief", {
  ...Brief.properties,
  description: nullable(Type.String()),
  publicPage: Type.Boolean(),
  publicSince: nullable(described(Timestamp, "When the page was first switched on")),
  publicUrl: nullable(Type.String({ format: "uri", description: "Null while the page is off" })),
  paid: Type.Boolean(),
  updatedAt: Timestamp,
  madeBy: MadeBy,
});
export type AppBrief = Static<typeof AppBrief>;

export const DeletedBrief = shape("Confirmation", { ok: Type.Literal(true), id: Type.String() });

export const CreateRequest = shape("BriefRequestDraft", {
  name: Type.Optional(
    nullable(Type.String({ maxLength: MAX_SUBMITTER_NAME, description: "Either this or `email`, or both" })),
  ),
  email: Type.Optional(nullable(Email)),
  message: Message,
  mail: Type.Optional(
    Type.Boolean({
      description: "Send the link and the message to `email`; needs `send:mail` and an open brief",
    }),
  ),
});
export type CreateRequest = Static<typeof CreateRequest>;

/** A person who was asked. */
export const BriefRequest = shape("BriefRequest", {
  id: Type.String(),
  name: nullable(Type.String()),
  email: Type.String({ description: "Empty when only the name is known" }),
  message: nullable(Type.String()),
  link: Type.String({ format: "uri", description: "The link through which this person submits" }),
  createdAt: Timestamp,
  submissionCount: Type.Integer({ minimum: 0, description: "Tracks and links submitted through this link" }),
  mail: Type.Optional(
    described(
      nullable(MailState),
      "The mail with the link; null: none was sent. Left out where the server sends no mails",
    ),
  ),
});
export type BriefRequest = Static<typeof BriefRequest>;

/** Exactly one of `trackId` and `link`. */
export const CreateSubmission = shape("CreateSubmission", {
  trackId: Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_ID, description: "One of your own tracks" }),
  ),
  link: Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_LINK, description: "An http or https address" }),
  ),
  message: Message,
});
export type CreateSubmission = Static<typeof CreateSubmission>;

const Kind = Type.Union([Type.Literal("free"), Type.Literal("paid")]);

/** What the submitter gets back. */
export const Receipt = shape("SubmissionReceipt", {
  id: Type.String(),
  briefId: Type.String(),
  briefName: Type.String(),
  type: BriefSubmission.properties.type,
  track: nullable(SubmittedTrack),
  link: nullable(Type.String()),
  message: nullable(Type.String()),
  kind: Kind,
  createdAt: Timestamp,
});
export type Receipt = Static<typeof Receipt>;

/** A submission that the brief's owner can listen to. */
export const ReceivedSubmission = shape("ReceivedSubmission", {
  ...BriefSubmission.properties,
  kind: Kind,
  submitterName: nullable(Type.String({ description: "As written on the submission page" })),
  submitterEmail: nullable(Type.String({ description: "As written on the submission page" })),
  listenUrl: nullable(
    Type.String({
      format: "uri",
      description: "Plays a submitted track; works for one hour, so fetch a new one each time",
    }),
  ),
});
export type ReceivedSubmission = Static<typeof ReceivedSubmission>;
