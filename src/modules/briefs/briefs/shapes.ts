import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";

/** Characters. */
export const MAX_BRIEF_NAME = 200;
export const MAX_BRIEF_TEXT = 5000;
/** Of a person who is asked, or who sends music. */
export const MAX_SUBMITTER_NAME = 200;
/** From the owner with a request, and from the sender with music. */
export const MAX_MESSAGE = 2000;
/** Of a link to music. */
export const MAX_LINK = 2000;
export const MAX_TAG = 100;
export const MAX_TAGS = 50;
/** After a mail that asks an address for music, how long it gets no other one for the same brief. */
export const ASKED_AGAIN_DAYS = 7;
/** The most briefs that a list has. */
export const MAX_LISTED = 200;

export const STATUSES = ["draft", "open", "closed", "archived"] as const;
export const PRIORITIES = ["low", "normal", "high"] as const;

export const BriefParams = Type.Object({ briefId: Type.String() });
export const TrackQuery = Type.Object({ id: Type.String({ minLength: 1, description: "The track's id" }) });

const Status = Type.Union(STATUSES.map((status) => Type.Literal(status)));
const Priority = Type.Union(PRIORITIES.map((priority) => Type.Literal(priority)));

/** A brief of the list (specification section 2; decisions 2.14, 3.6). */
export const Brief = shape("Brief", {
  id: Type.String(),
  name: Type.String(),
  status: Status,
  deadline: nullable(Timestamp),
  active: Type.Boolean({ description: "Open, and its deadline is not past" }),
  priority: Priority,
  tags: Type.Array(Type.String()),
  contactEmail: nullable(Type.String()),
  createdAt: Timestamp,
  submissionCount: Type.Integer({ minimum: 0, description: "Tracks and links received" }),
  requestCount: Type.Integer({
    minimum: 0,
    description: "People who were asked, except those whose mail was refused for good",
  }),
});
export type Brief = Static<typeof Brief>;

/** A submitted track, as the brief's owner sees it. It shows nothing else from the submitter's library. */
export const SubmittedTrack = shape("SubmittedTrack", {
  id: Type.String(),
  name: Type.String(),
  artist: nullable(Type.String()),
});

export const BriefSubmission = shape("BriefSubmission", {
  id: Type.String(),
  type: Type.Union([Type.Literal("track"), Type.Literal("link")]),
  message: nullable(Type.String()),
  link: nullable(Type.String({ description: "Null for a track" })),
  createdAt: Timestamp,
  track: nullable(SubmittedTrack),
  viaRequestEmail: nullable(
    Type.String({
      description: "The person asked; null when the submission did not come through an e-mailed request",
    }),
  ),
});
export type BriefSubmission = Static<typeof BriefSubmission>;

/** A problem that a route reports inside a 200. */
const inBodyFailure = <Code extends string>(code: Code) =>
  Type.Object({ ok: Type.Literal(false), error: Type.Literal(code) });

const BriefSubmissionList = shape("BriefSubmissionList", {
  brief: Type.Object({
    id: Type.String(),
    name: Type.String(),
    status: Status,
    deadline: nullable(Timestamp),
  }),
  submissions: Type.Array(BriefSubmission, { description: "Newest first" }),
});
/** Payload of `GET /briefs/{briefId}/submissions` (decision 4.31). */
export const BriefSubmissions = Type.Union([BriefSubmissionList, inBodyFailure("BRIEF_NOT_FOUND")]);
export type BriefSubmissions = Static<typeof BriefSubmissions>;

const TrackSubmission = shape("TrackSubmission", {
  id: Type.String(),
  briefId: Type.String(),
  briefName: Type.String(),
  briefStatus: Status,
  briefDeadline: nullable(Timestamp),
  message: nullable(Type.String()),
  createdAt: Timestamp,
  viaRequestEmail: nullable(Type.String()),
});
const TrackSubmissionList = shape("TrackSubmissionList", {
  trackId: Type.String(),
  trackName: Type.String(),
  submissions: Type.Array(TrackSubmission, { description: "Newest first" }),
});
/** Payload of `GET /tracks/submissions` (decision 4.46). */
export const TrackSubmissions = Type.Union([TrackSubmissionList, inBodyFailure("TRACK_NOT_FOUND")]);
export type TrackSubmissions = Static<typeof TrackSubmissions>;
