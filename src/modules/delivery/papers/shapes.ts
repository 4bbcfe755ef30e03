import { type Static, Type } from "@sinclair/typebox";
import { shape } from "../../../http/envelope.ts";

/** The most tracks of one paper. */
export const MAX_PAPER_TRACKS = 2000;

/** Papers that can be had one by one. */
export const PAPERS = [
  "split-sheet.csv",
  "split-sheet.html",
  "credits.csv",
  "cue-sheet.csv",
  "ai-use.csv",
] as const;
export type Paper = (typeof PAPERS)[number];
export const CWR_VERSIONS = ["2.1", "2.2"] as const;

const papers = Type.Union(PAPERS.map((paper) => Type.Literal(paper)));
export const TrackPaperParams = Type.Object({ trackId: Type.String(), paper: papers });
export const PlaylistPaperParams = Type.Object({ playlistId: Type.String(), paper: papers });

/** Of which tracks: those named, or those of a playlist or an album. */
export const PaperWhere = Type.Union([
  Type.Object({ ids: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_PAPER_TRACKS }) }),
  Type.Object({ playlistId: Type.String() }),
]);
export type PaperWhere = Static<typeof PaperWhere>;

export const PaperRequest = shape("PaperRequest", { where: PaperWhere, paper: papers });
export const RegistrationRequest = shape("RegistrationRequest", {
  where: PaperWhere,
  version: Type.Union(CWR_VERSIONS.map((version) => Type.Literal(version))),
});

const LeftOut = Type.Object({
  trackId: Type.String(),
  title: Type.String(),
  field: Type.String({ description: "As people call it" }),
  message: Type.String({ description: "A sentence" }),
});

/** A file for a society, as text. */
export const Registration = shape("Registration", {
  filename: Type.Union([
    Type.String({ description: "As CISAC wants it: year, number, sender, receiver and version" }),
    Type.Null(),
  ]),
  text: Type.Union([Type.String({ description: "ASCII, lines end with CR LF" }), Type.Null()]),
  works: Type.Integer({ minimum: 0 }),
  senderProblems: Type.Array(Type.String(), {
    description: "What keeps the sender from sending, in sentences",
  }),
  leftOut: Type.Array(LeftOut, { description: "Works that are not in it, and why" }),
});
export type Registration = Static<typeof Registration>;
