import { type Query, query } from "../../api/queries.ts";
import type { paths } from "../../api/types.ts";

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
    { tracks: [trackId], versions: [trackId], analysis: [trackId] },
  );

/** A version of the track, with what was measured on it. */
export type Version = DataOf<ReturnType<typeof versionsQuery>>[number];

export const commentsQuery = (trackId: string) =>
  query(
    "/app/tracks/{trackId}/comments",
    { path: { trackId }, query: { limit: 200 } },
    { comments: [trackId], activity: [trackId] },
  );

/** A comment on the track. */
export type Comment = DataOf<ReturnType<typeof commentsQuery>>[number];

/** What an owner can write about a track. */
export type Details =
  paths["/app/library/tracks/details"]["patch"]["requestBody"]["content"]["application/json"];

/** What every part of the sheet gets. */
export type SheetProps = { track: Track; title: string; versions: readonly Version[] };
