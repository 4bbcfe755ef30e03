import { type Query, query } from "../../api/queries.ts";
import type { Body } from "../../api/routes.ts";

type DataOf<Asked> = Asked extends Query<{ data: infer Data }> ? Data : never;

export const trackQuery = (trackId: string) =>
  query(
    "/app/library/tracks/single",
    { query: { id: trackId } },
    { tracks: [trackId], versions: [trackId], analysis: [trackId], tags: [trackId], composers: "all" },
  );

/** Everything that is known of a track. */
export type Track = NonNullable<DataOf<ReturnType<typeof trackQuery>>["track"]>;

export const versionsQuery = (trackId: string) =>
  query(
    "/app/tracks/{trackId}/versions",
    { path: { trackId } },
    { tracks: [trackId], versions: [trackId], analysis: [trackId], comments: [trackId] },
  );

/** How the analysed version is counted and divided. */
export type Structure = NonNullable<NonNullable<Track["analysis"]["measured"]>["structure"]>;
export type Section = Structure["sections"][number];

/** A version of the track, with its measurements. */
export type Version = DataOf<ReturnType<typeof versionsQuery>>[number];

/** Asking what changed from one version to another has both analysed. */
export const diffQuery = (trackId: string, { id: versionId }: Version, against: Version) =>
  query(
    "/app/library/tracks/{trackId}/versions/{versionId}/diff",
    { path: { trackId, versionId }, query: { against: against.id } },
    { versions: [trackId], analysis: [trackId] },
  );

/** The words of the track, and when they are sung in a version. */
export const lyricsQuery = (trackId: string, versionId: string) =>
  query(
    "/app/library/tracks/{trackId}/lyrics",
    { path: { trackId }, query: { versionId } },
    { tracks: [trackId], analysis: [trackId] },
  );

export type Lyrics = DataOf<ReturnType<typeof lyricsQuery>>;

/** The notes of a track, the newest first, with their places in a version. */
export const commentsQuery = (trackId: string, versionId: string) =>
  query(
    "/app/tracks/{trackId}/comments",
    { path: { trackId }, query: { limit: 200, notes: true, versionId } },
    { comments: [trackId], versions: [trackId] },
  );

/** The replies to a note, the oldest first. */
export const repliesQuery = (trackId: string, parentId: string) =>
  query(
    "/app/tracks/{trackId}/comments",
    { path: { trackId }, query: { limit: 200, parentId } },
    { comments: [trackId] },
  );

/** A comment on the track. */
export type Comment = DataOf<ReturnType<typeof commentsQuery>>[number];

/** The round of a version: the notes that it inherited and those made on it, with their places, at first 500. */
export const roundQuery = (trackId: string, versionId: string) =>
  query(
    "/app/tracks/{trackId}/versions/{versionId}/round",
    { path: { trackId, versionId } },
    { comments: [trackId], versions: [trackId], analysis: [trackId] },
  );

export type Round = DataOf<ReturnType<typeof roundQuery>>;

/** A line of the credits while they are being edited; `composerId` is empty until a composer is chosen. */
export type Line = { key: number; composerId: string; name: string; role: string; share: number };

/** What an owner can write about a track. */
export type Details = Body<"PATCH /app/library/tracks/details">;

/** What every part of the sheet gets. */
export type SheetProps = { track: Track; title: string; versions: readonly Version[] };

export const suggestionsQuery = (trackId: string) =>
  query(
    "/app/library/tracks/suggested-tags",
    { query: { id: trackId } },
    { tags: [trackId], analysis: [trackId], tracks: [trackId] },
  );

/** A tag that the analysis suggests. */
export type Suggestion = Extract<
  DataOf<ReturnType<typeof suggestionsQuery>>,
  { suggestions: unknown }
>["suggestions"][number];

export const taxonomyQuery = query("/app/library/taxonomy", {}, {});

export const composersQuery = query("/app/library/composers", {}, { composers: "all" });

export type Composer = DataOf<typeof composersQuery>[number];

export const linksQuery = (trackId: string) =>
  query("/app/links", { query: { trackId, limit: 100 } }, { shares: "all", activity: [trackId] });

/** A link to the track. */
export type Link = DataOf<ReturnType<typeof linksQuery>>[number];

/** What people and links say of the versions of a track, the newest first. */
export const reviewsQuery = (trackId: string) =>
  query(
    "/app/tracks/{trackId}/reviews",
    { path: { trackId }, query: { limit: 200 } },
    { comments: [trackId] },
  );

export type Review = DataOf<ReturnType<typeof reviewsQuery>>[number];

/** The newest comments on the track, replies among them. */
export const newestCommentsQuery = (trackId: string) =>
  query(
    "/app/tracks/{trackId}/comments",
    { path: { trackId }, query: { limit: 200 } },
    { comments: [trackId] },
  );

export const statsQuery = (trackId: string) =>
  query(
    "/app/library/analytics/stats",
    { query: { entity: "track", ids: trackId, since: "2000-01-01T00:00:00Z" } },
    { activity: [trackId], comments: [trackId], shares: "all" },
  );

export const submissionsQuery = (trackId: string) =>
  query("/app/library/tracks/submissions", { query: { id: trackId } }, { submissions: "all" });

export const copiesQuery = (trackId: string) =>
  query(
    "/app/tracks/{trackId}/copies",
    { path: { trackId } },
    { analysis: "all", versions: "all", tracks: "all" },
  );

/** Another track with the same recording. */
export type Copy = DataOf<ReturnType<typeof copiesQuery>>[number];

export const mixesQuery = (trackId: string) =>
  query(
    "/app/tracks/{trackId}/mixes",
    { path: { trackId } },
    { analysis: "all", versions: "all", tracks: "all" },
  );

/** Another track that is a mix of the same song. */
export type Mix = DataOf<ReturnType<typeof mixesQuery>>[number];

export const similarQuery = (trackId: string) =>
  query(
    "/app/library/tracks/similar",
    { query: { id: trackId, limit: 6 } },
    { analysis: [trackId], tags: [trackId] },
  );
