import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";
import { MAX_QUERY } from "../../search/search/shapes.ts";

/** How long the inbox lists what was passed. It stays with its brief. */
export const PASSED_LISTED_DAYS = 30;
/** Characters. */
export const MAX_NOTE = 2000;

/** What can be decided about a submission. */
export const TRIAGE_STATES = ["new", "shortlisted", "passed", "kept"] as const;
const State = Type.Union(
  TRIAGE_STATES.map((state) => Type.Literal(state)),
  {
    description:
      `\`new\`: not decided yet. \`shortlisted\`: perhaps. \`passed\`: no; listed for ${PASSED_LISTED_DAYS} days. ` +
      "`kept`: yes, and visible in the library",
  },
);

export const InboxQuery = Type.Object({
  ...pageFields,
  briefId: Type.Optional(
    Type.String({ description: "Only this brief, open or not; default: every open brief" }),
  ),
  state: Type.Optional(
    Type.Union(
      TRIAGE_STATES.map((state) => Type.Literal(state)),
      { description: "Only submissions with this decision" },
    ),
  ),
});
export type InboxQuery = Static<typeof InboxQuery>;

export const CountsQuery = Type.Object({ briefId: InboxQuery.properties.briefId });

/** How many submissions of each state an inbox has. */
export const InboxCounts = shape("InboxCounts", {
  new: Type.Integer({ minimum: 0, description: "Not decided yet" }),
  shortlisted: Type.Integer({ minimum: 0, description: "Perhaps" }),
  passed: Type.Integer({ minimum: 0, description: `No, in the last ${PASSED_LISTED_DAYS} days` }),
  kept: Type.Integer({ minimum: 0, description: "Yes" }),
});
export type InboxCounts = Static<typeof InboxCounts>;

const text = nullable(Type.String());
const number = nullable(Type.Number());

const InboxTrack = shape("InboxTrack", {
  id: Type.String(),
  title: Type.String(),
  artist: text,
  isOwn: Type.Boolean({
    description: "False: it stays in the library of the account that sent it, and what was measured is null",
  }),
  visible: Type.Boolean({ description: "False: hidden from the library" }),
  cover: nullable(Type.String({ description: "Address of the cover" })),
  activeVersionId: Type.String(),
  playbackUrl: Type.String({
    format: "uri",
    description: "What a browser plays best. Works for at least one hour",
  }),
  status: Type.Union(
    (["pending", "processing", "completed", "failed"] as const).map((name) => Type.Literal(name)),
    { description: "Of the analysis" },
  ),
  durationSec: number,
  bpm: number,
  key: text,
  integratedLufs: number,
  truePeakDbtp: number,
  genres: Type.Array(Type.String()),
  moods: Type.Array(Type.String()),
});

/** A submission as the inbox shows it. */
export const InboxItem = shape("InboxItem", {
  id: Type.String(),
  briefId: Type.String(),
  briefName: Type.String(),
  senderName: nullable(
    Type.String({ description: "As written on the submission page, or of the person asked" }),
  ),
  senderEmail: nullable(Type.String({ description: "Where to answer" })),
  wasAsked: Type.Boolean({ description: "True when it came through a personal link" }),
  message: text,
  link: nullable(Type.String({ description: "Null for a track" })),
  track: nullable(InboxTrack),
  state: State,
  note: nullable(Type.String({ description: "Only you see it" })),
  decidedAt: nullable(described(Timestamp, "When the state was decided; null while new")),
  createdAt: Timestamp,
});
export type InboxItem = Static<typeof InboxItem>;

export const SubmissionParams = Type.Object({ id: Type.String() });

export const TriageSubmission = shape("TriageSubmission", {
  state: Type.Optional(State),
  note: Type.Optional(nullable(Type.String({ maxLength: MAX_NOTE }))),
});
export type TriageSubmission = Static<typeof TriageSubmission>;

export const FitQuery = Type.Object({
  briefId: InboxQuery.properties.briefId,
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_QUERY, description: "Prose; default: the text of the brief" }),
  ),
});
export type FitQuery = Static<typeof FitQuery>;

/** Submitted tracks in the order in which they fit a text. */
export const InboxFit = shape("InboxFit", {
  query: Type.String({ description: "The text that was searched with" }),
  summary: Type.String({ description: "What was understood, in a sentence" }),
  results: Type.Array(
    Type.Object({
      trackId: Type.String(),
      score: Type.Number({ minimum: 0, maximum: 1, description: "Higher is better" }),
      reason: Type.Array(Type.String(), { description: "Short explanations" }),
    }),
    { description: "Best first. Tracks that are not analysed yet, or not in your library, are left out" },
  ),
});
export type InboxFit = Static<typeof InboxFit>;
